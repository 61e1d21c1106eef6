"""The data that ships, checked as data: complete, sorted, and at peace with itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascendenv.matrix.fit import hdk_cell
from ascendenv.matrix.level import Level
from ascendenv.matrix.load import ARTEFACT_KINDS, KINDS, VARIABLE_KINDS
from ascendenv.matrix.pick import Wishes, pick
from ascendenv.matrix.relations import CORE, Given, judge
from ascendenv.matrix.store import shipped_artefacts
from ascendenv.resources import data_folder
from ascendenv.versions import Version, VersionLine, VersionRange, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.matrix.model import Matrix

FOLDER = Path(data_folder("matrix"))
FILES = sorted(
    path for kind in (*KINDS, *ARTEFACT_KINDS, *VARIABLE_KINDS) for path in FOLDER.glob(kind.files)
)
NUMBER = re.compile(r"^[^#\"']*:\s*\d+\.\d", re.MULTILINE)


def age(span: Version | VersionLine) -> tuple[tuple[int, ...], bool]:
    """A line is newer than all of its versions, so that it stands before them."""
    return span.release, isinstance(span, VersionLine)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_files_are_written_for_people(path: Path) -> None:
    text = path.read_text()
    assert not NUMBER.search(text), "a version stands without quotes"
    assert not any(line != line.rstrip() for line in text.splitlines())
    assert text.endswith("\n")
    assert "\t" not in text


def test_every_release_since_8_0_has_its_relations(matrix: Matrix) -> None:
    for release in matrix.cann.values():
        if release.channel == "release" and release.version.release >= (8, 0):
            assert release.recommended_hdk, release.version
            assert set(release.arch) == {"aarch64", "x86_64"}
            assert {"310P", "910A", "910B"} <= set(release.chips)
            assert any(
                release.version in one.cann or _in_line(one.cann, release.version)
                for one in matrix.torch_npu.values()
            )


def _in_line(spans: Sequence[Version | VersionLine], version: Version) -> bool:
    return any(isinstance(span, VersionLine) and span.contains(version) for span in spans)


def test_older_releases_since_6_3_are_recognised(matrix: Matrix) -> None:
    for text in ("6.3.RC1", "6.3.RC2", "6.3.RC3", "6.3.RC3.1", "7.0.RC1", "7.0.0", "7.0.1"):
        assert matrix.find_cann(vendor(text)) is not None


def test_hdk_cells_stand_newest_first(matrix: Matrix) -> None:
    for release in matrix.cann.values():
        releases = [cell.hdk.release[:2] for cell in release.hdk_cells]
        assert releases == sorted(releases, reverse=True), release.version


def test_no_two_cells_of_a_release_say_yes_and_no(matrix: Matrix) -> None:
    """For each CANN and HDK release of the table, the cells that hold for one family agree about broken or not."""
    for release in matrix.cann.values():
        for hdk in matrix.hdk.values():
            for family in matrix.families:
                cell = hdk_cell(release, hdk.hdk, family=family)
                others = [
                    one
                    for one in release.hdk_cells
                    if (not one.families or family in one.families)
                    and not one.products
                    and _covers(one.hdk, hdk.hdk)
                ]
                broken = {one.level == "broken" for one in others}
                assert len(broken) <= 1, (release.version, hdk.name, family)
                assert cell is not None or not others


def _covers(span: Version | VersionLine, version: Version) -> bool:
    return span.contains(version) if isinstance(span, VersionLine) else version.belongs_to(span)


def test_lists_are_sorted(matrix: Matrix) -> None:
    for release in matrix.cann.values():
        assert list(release.chips) == sorted(release.chips)
    torches = [pep440(str(row["torch"])) for row in matrix.raw["torch"]]
    assert torches == sorted(torches, reverse=True)
    for kind, key in (
        ("products", "name"),
        ("breaks", "id"),
        ("contradictions", "id"),
        ("python_packages", "name"),
    ):
        names = [str(row[key]) for row in matrix.raw[kind]]
        assert names == sorted(names), kind
    for release_npu in matrix.torch_npu.values():
        for spans in (release_npu.cann, release_npu.cann_compatible):
            assert [age(span)[0] for span in spans] == sorted(age(span)[0] for span in spans), (
                release_npu.version
            )


def test_every_torch_npu_on_the_index_has_wheels_and_pins(matrix: Matrix) -> None:
    for release in matrix.torch_npu.values():
        if release.on_index:
            assert set(release.wheels) == {"aarch64", "x86_64"}, release.version
            assert set(release.torch_pin) == set(release.wheels)
            for arch, pin in release.torch_pin.items():
                within = VersionRange(pin.removeprefix("torch"), "pep440")
                assert within.contains(pep440(f"{release.torch}+cpu")), (release.version, arch)
        assert release.version.base == release.torch.base


def test_x86_64_wheels_demand_the_cpu_build_up_to_2_11(matrix: Matrix) -> None:
    for release in matrix.torch_npu.values():
        if release.on_index:
            assert release.torch_pin["x86_64"].endswith("+cpu") == (release.torch < pep440("2.12")), (
                release.version
            )
            assert "+" not in release.torch_pin["aarch64"]


def test_aarch64_gets_cuda_from_the_default_index_since_2_11(matrix: Matrix) -> None:
    for line in matrix.torch.values():
        if line.torch >= pep440("2.1.0"):
            assert line.default_index["aarch64"] == ("cuda" if line.torch >= pep440("2.11.0") else "cpu")


def test_every_recommended_pair_of_an_index_release_can_be_picked(matrix: Matrix) -> None:
    """The pair as its makers recommend it judges as recommended or compatible, and `pick` offers it."""
    for release in matrix.torch_npu.values():
        exact = [span for span in release.cann if isinstance(span, Version)]
        if not release.on_index or release.version.is_prerelease or release.basis == "inferred" or not exact:
            continue
        for cann in exact:
            given = Given(cann=cann, torch_npu=release.version, torch=release.torch)
            assert judge(matrix, given).verdict == Level.RECOMMENDED, (cann, release.version)
            wishes = Wishes(
                cann=VersionRange(str(cann), "vendor"), torch_npu=VersionRange(str(release.version), "pep440")
            )
            assert isinstance(pick(matrix, wishes, limit=1), tuple), (cann, release.version)


def test_the_own_pair_of_an_hdk_is_never_broken(matrix: Matrix) -> None:
    for hdk in matrix.hdk.values():
        for pair in hdk.pairs:
            if pair.driver is not None and pair.firmware is not None:
                for family in pair.families:
                    given = Given(driver=pair.driver, firmware=pair.firmware, chip=family)
                    assert judge(matrix, given).of("driver-firmware")[0].level >= Level.COMPATIBLE, hdk.name


def test_contradictions_follow_something_that_is_not_broken(matrix: Matrix) -> None:
    for one in matrix.contradictions:
        assert len(one.says) > 1
        assert {one.kind, one.level, one.given} == {None} or (one.kind in CORE and one.given is not None)
        assert one.level != "broken"
        assert one.advice.en
        assert one.advice.zh


def test_950_products_have_their_own_hdk_lines(matrix: Matrix) -> None:
    lines = {
        one.name: [str(line) for line in one.hdk_lines] for one in matrix.products.values() if one.hdk_lines
    }
    assert lines == {
        "Atlas 350": ["25.7.RC1"],
        "Atlas 650E": ["25.6.RC1"],
        "Atlas 850": ["25.6.RC1"],
        "Atlas 850E": ["25.6.RC1"],
        "Atlas 950 SuperPoD": ["25.1.RC1"],
    }


def test_projects_name_stacks_that_are_not_broken(matrix: Matrix) -> None:
    """What a project ships must not judge as broken; where sources disagree the table says compatible or unknown."""
    for project in matrix.downstream.values():
        for used in project.releases:
            given = Given(cann=used.cann, torch=used.torch, torch_npu=used.torch_npu)
            assert judge(matrix, given).verdict != Level.BROKEN, (project.project, used.version)


def test_artefacts_belong_to_releases_of_the_matrix(matrix: Matrix) -> None:
    known = {"cann": set(matrix.cann), "hdk": set(matrix.hdk), "torch_npu": set(matrix.torch_npu)}
    seen: set[tuple[str, str, str, str | None]] = set()
    for one in shipped_artefacts().sets:
        assert one.release in known[one.component], (one.component, one.release)
        for file in one.files:
            key = (one.component, one.release, file.filename, file.url)
            assert key not in seen, key
            seen.add(key)
            assert (file.sha256 is None) == (file.verified_by is None)
            assert file.family is None or file.family in matrix.families
    for image in shipped_artefacts().images:
        assert matrix.find_cann(image.cann) is not None
        assert list(image.tags) == sorted(image.tags)


def test_every_row_has_a_source(matrix: Matrix) -> None:
    for kind in KINDS:
        for row in matrix.raw.get(kind.name, ()):
            for found in _sourced(row):
                assert found, (kind.name, row)


def _sourced(row: object) -> list[list[str]]:
    if isinstance(row, dict):
        own = [row["source"]] if "source" in row else []
        return own + [one for value in row.values() for one in _sourced(value)]
    return [one for value in row for one in _sourced(value)] if isinstance(row, list) else []
