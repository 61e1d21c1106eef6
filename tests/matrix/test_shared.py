"""The shipped matrix against the research data beside the checkout: what is in it, and what is left out and why.

Every record of the research data is either found in the matrix, or stands in `LEFT_OUT` with the reason.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.matrix.fit import hdk_cell
from ascendenv.matrix.level import Level
from ascendenv.matrix.relations import Given, judge
from ascendenv.matrix.store import shipped_artefacts
from ascendenv.versions import Version, VersionLine, pep440, vendor

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix

UPSTREAM = Path(__file__).resolve().parents[3] / "shared" / "upstream"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the research data is not beside the checkout"),
]

Record = dict[str, Any]

LEFT_OUT = {
    ("cann", "environment"): "variables: the environment profiles own them",
    ("cann", "install_order"): "the order of installers: stands in the fix steps of the doctor",
    ("cann", "version_info"): "inner versions of single files: never compared, shown by no command",
    ("torch_npu", "dev_tag"): "alpha and beta source tags, which no source supports",
    ("torch_npu", "dependency_rule"): "the rule is spelt out in the torch_pin of every row",
    ("chips", "board_sample"): "output of single boards: fixtures of the parsers",
    ("chips", "npu_smi_layout"): "forms of a table: knowledge of the parsers",
    ("chips", "name_rule"): "how npu-smi's words make a SoC name: knowledge of the parsers",
    ("chips", "limits"): "feature limits in prose: pages of the checks",
    ("chips", "k8s"): "names of Kubernetes resources: checks of the device plugin",
    ("chips", "kernel_modules"): "module names: checks of the driver",
    ("downstream", "minimum"): "a minimum of one feature of one project",
    ("downstream", "note"): "a remark in prose",
    ("downstream", "attested"): "single reports; those with a whole set stand in attested.yaml",
    ("downstream", "cross_compat"): "first and last version of a range, the members between are guesses",
}
"""Kinds of records that the matrix does not hold, and why."""

UNNAMED_SOCS = {
    "Ascend910_5591": "in one old file only, unknown product",
    "Ascend910_95": "placeholder of the 950 generation; an alias of that family",
    "Ascend350_354f": "development folder only, unknown product",
    "Ascend350_355e": "development folder only, unknown product",
}
FAMILIES = {"A2": "910B", "910b": "910B", "910": "910A", "310p": "310P", "a3": "A3", "310b": "310B"}
TYPING_ERRORS = {"1.5.0.post3": "1.5.0"}
"""torch_npu -> torch where the table of origin is wrong (see contradictions)."""


@lru_cache(maxsize=8)
def records(file: str) -> list[Record]:
    found: list[Record] = json.loads((UPSTREAM / f"{file}.json").read_text())
    return found


def family_of(record: Record) -> str:
    name = str(record["family"])
    return FAMILIES.get(name, name)


def of(file: str, *kinds: str) -> list[Record]:
    return [one for one in records(file) if one["kind"] in kinds]


def test_every_kind_is_compared_or_left_out() -> None:
    compared = {
        ("cann", kind)
        for kind in (
            "release",
            "hdk",
            "cann_hdk_compat",
            "quick_install_pair",
            "package_naming",
            "layout",
            "python_dependency",
            "version_rule",
            "image",
        )
    }
    compared |= {
        ("torch_npu", kind)
        for kind in (
            "pairing",
            "unpaired",
            "cross_compat",
            "python_matrix",
            "lifecycle",
            "container_image",
            "attested_environment",
            "known_break",
        )
    }
    compared |= {
        ("chips", kind)
        for kind in ("soc", "family", "pci", "board_ids", "os_support", "os_minimum_hdk", "first_support")
    }
    compared |= {("downstream", kind) for kind in ("pairing", "branch_pins", "deployer_match")}
    kinds = {
        (file, one["kind"]) for file in ("cann", "torch_npu", "chips", "downstream") for one in records(file)
    }
    assert kinds == compared | set(LEFT_OUT)


def test_cann_releases(matrix: Matrix) -> None:
    channels = {
        "commercial + community": "release",
        "commercial": "release",
        "beta": "beta",
        "alpha": "alpha",
    }
    for record in of("cann", "release"):
        row = matrix.cann[record["cann"]]
        assert row.channel == channels[record["channel"]]
        assert row.released == record["released"]
        assert list(row.arch) == record["arch"]
        aliases = {text.split(" (")[0] for text in record["aliases"]}
        assert aliases <= {str(alias) for alias in row.aliases}
        root = (record["layout"] or {}).get("root", "")
        if root:
            assert row.layout == ("cann" if "/cann-" in root else "ascend-toolkit")
        for hdk in record["hdk_paired"]:
            assert _level(matrix, row.version, hdk.split(" (")[0]) == "recommended", (record["cann"], hdk)
        if record["torch_npu_product"]:
            assert str(row.torch_npu_product) == record["torch_npu_product"]


def _level(matrix: Matrix, cann: Version, hdk: str) -> str | None:
    """The cell for an HDK, or for any version of an HDK line."""
    row = matrix.find_cann(cann)
    assert row is not None
    if hdk.upper().endswith(".X"):
        exact = [cell.level for cell in row.hdk_cells if str(cell.hdk) == hdk]
        return exact[0] if exact else None
    cell = hdk_cell(row, vendor(hdk))
    return cell.level if cell is not None else None


def test_cells_of_the_official_table(matrix: Matrix) -> None:
    lines = {"9.1.X": ("9.1.0", "9.1.1"), "9.0.X": ("9.0.0", "9.0.1")}
    for record in of("cann", "cann_hdk_compat"):
        for cann in lines.get(record["cann"], (record["cann"],)):
            level = _level(matrix, vendor(cann), record["hdk"])
            assert (level in ("compatible", "recommended")) == record["compatible"], (cann, record["hdk"])
            assert (level == "broken") != record["compatible"]


def test_ranges_of_single_notes(matrix: Matrix) -> None:
    for record in of("cann", "release"):
        for hdk in record["hdk_compatible"]:
            assert _level(matrix, vendor(record["cann"]), hdk) in ("compatible", "recommended"), (
                record["cann"],
                hdk,
            )
        for hdk in record["hdk_incompatible"]:
            assert _level(matrix, vendor(record["cann"]), hdk) == "broken"


# The record names the family for the driver's sake; its own notes say that the firmware was not seen there.
FIRMWARE_NOT_SEEN = {("26.0.RC1", "910B")}


def test_hdk_releases(matrix: Matrix) -> None:
    for record in of("cann", "hdk"):
        row = matrix.hdk[record["hdk"].split(" (")[0]]
        driver = (record["driver"] or "").split(" ")[0]
        if driver:
            assert driver in {str(pair.driver) for pair in row.pairs}
        for family in record["families"] or ():
            name = FAMILIES.get(family.split(" ")[0], family.split(" ")[0])
            assert name in row.families
            if record["firmware"] and (record["hdk"], name) not in FIRMWARE_NOT_SEEN:
                assert str(row.firmware[name]) == record["firmware"] or _also(row.pairs, record["firmware"])


def _also(pairs: Any, firmware: str) -> bool:
    return any(str(pair.firmware) == firmware for pair in pairs)


def test_quick_install_pairs_are_never_broken(matrix: Matrix) -> None:
    for record in of("cann", "quick_install_pair"):
        for chip in record["chip"]:
            given = Given(
                cann=vendor(record["cann"]),
                driver=vendor(record["driver"]),
                firmware=vendor(record["firmware"]),
                chip=FAMILIES[chip],
            )
            judgement = judge(matrix, given)
            assert judgement.of("cann-hdk")[0].level >= Level.COMPATIBLE, record
            assert judgement.of("driver-firmware")[0].level >= Level.COMPATIBLE, record


def test_rules_of_ops_and_python_packages(matrix: Matrix) -> None:
    mixes = next(one["value"] for one in of("cann", "version_rule") if isinstance(one["value"], dict))
    for cann, allowed in mixes.items():
        assert {str(one) for one in matrix.cann[cann].ops} == set(allowed) - {cann}
    named = {re.split("=", name)[0] for name in of("cann", "python_dependency")[0]["value"]["packages"]}
    assert {one.name for one in matrix.python_packages} == named


def test_torch_npu_releases(matrix: Matrix) -> None:
    for record in of("torch_npu", "pairing", "unpaired"):
        text = record["index_version"] or record["torch_npu"].removesuffix(" (beta)")
        row = matrix.find_torch_npu(pep440(text))
        assert row is not None, text
        assert row.on_index == (record["index_version"] is not None)
        assert str(row.torch) == TYPING_ERRORS.get(str(row.version), record["torch"])
        # 2.1.0.post4 and 2.2.0 stand twice, once with a pair that is contradicted (see contradictions)
        if text not in ("2.1.0.post4", "2.2.0"):
            assert [str(one) for one in row.cann] == (record["cann"] or [])
            assert [str(one) for one in row.cann_compatible] == (record["cann_compatible"] or [])
            assert (str(row.product) if row.product is not None else None) == record["product_version"]
        assert [str(one) for one in row.pythons_documented] == (record["pythons_documented"] or [])
        for arch, wheel in (record["wheels"] or {}).items():
            assert set(row.wheels[arch]) == set(wheel["python_tags"])
            assert row.platforms[arch] == wheel["platform"]
        assert row.torch_pin == (record["torch_pin"] or {})


def test_torch_lines(matrix: Matrix) -> None:
    status = {"EOL": "eol", "Maintenance": "maintenance", "development": "development", "Planned": "planned"}
    for record in of("torch_npu", "lifecycle"):
        life = matrix.torch[record["torch"]].lifecycle
        assert life is not None
        assert life.status == status[record["lifecycle"]["status"]]
        assert (life.eol or "").replace("-0", "-") == (record["lifecycle"]["eol"] or "").replace("-0", "-")
    for record in of("torch_npu", "python_matrix"):
        listed = matrix.torch[record["torch"]].pythons_documented
        assert [str(one) for one in listed] == record["pythons_documented"]


def test_cross_table(matrix: Matrix) -> None:
    """The newest cross table is followed; older revisions of it say the same or less."""
    for record in of("torch_npu", "cross_compat"):
        span = record["product_version"]
        for row in matrix.torch_npu.values():
            if row.product is None or row.basis == "inferred" or not row.cann_compatible:
                continue
            inside = (
                VersionLine(span).contains(row.product) if span.endswith(".X") else str(row.product) == span
            )
            if inside:
                stated = {str(one) for one in row.cann_compatible}
                assert {
                    text for text in record["cann_compatible"] if text in stated or text.endswith(".X")
                } <= stated


def test_known_breaks_and_attested_environments(matrix: Matrix) -> None:
    symptoms = {line for one in matrix.breaks for line in one.symptoms}
    breaks = [record for record in of("torch_npu", "known_break") if record["torch_npu"]]
    # The other record is an installation without toolkit: no versions clash, the checks of CANN name it.
    assert [set(record["symptom"]) <= symptoms for record in breaks] == [True]
    attested = Counter(str(one.torch_npu) for one in matrix.attested)
    assert attested == Counter(record["torch_npu"] for record in of("torch_npu", "attested_environment"))


def test_chips(matrix: Matrix) -> None:
    for record in of("chips", "soc"):
        if record["name"] in UNNAMED_SOCS:
            continue
        name = "Ascend910B (first generation)" if record["name"] == "Ascend910B" else record["name"]
        chip = matrix.find_chip(name)
        assert chip is not None, name
        assert chip.family == family_of(record)
        if record["memory_bytes"] and name != "Ascend910B4-1":  # the device is trusted there
            assert chip.memory == record["memory_bytes"] // 2**20


def test_families_products_and_their_numbers(matrix: Matrix) -> None:
    for record in of("chips", "family"):
        family = matrix.families[family_of(record)]
        assert set(family.pci) == {f"{vendor_[2:]}:{device[2:]}" for vendor_, device in record["pci"]}
        for product in record["products"]:
            name = product.split(" (PCIe")[0]
            found = matrix.find_product(name)
            assert found is not None, name
            assert found.family == family.name
        for soc in record["soc_examples"]:
            assert matrix.find_chip(soc) is not None
    boards = {board for one in matrix.products.values() for board in one.board_ids}
    for record in of("chips", "board_ids"):
        assert set(record["board_ids"]) <= boards, record["name"]
    known = {pci for one in matrix.families.values() for pci in one.pci}
    for record in of("chips", "pci"):
        # 0xd807, 0xd808 and 0xa126 have no family in any source.
        if record["family"] is not None:
            assert f"19e5:{record['device'][2:]}" in known


def test_operating_systems(matrix: Matrix) -> None:
    for record in of("chips", "os_support"):
        listed = matrix.os[family_of(record)]
        systems = {(one.id, arch) for one in listed.systems for arch in one.arch}
        for text in record["os"]:
            arch = "aarch64" if text.endswith("aarch64") else "x86_64"
            assert (text.split("_")[0].lower(), arch) in systems, text
    minimum = {(one.product, str(one.driver)) for one_os in matrix.os.values() for one in one_os.minimum}
    for record in of("chips", "os_minimum_hdk"):
        product = matrix.find_product(record["product"])
        assert product is not None
        assert (product.name, record["min_driver"]) in minimum


def test_projects(matrix: Matrix) -> None:
    names = {"DL": "MindX DL", "MindSpore": "MindSpore"}
    for record in of("downstream", "pairing", "branch_pins", "deployer_match"):
        project, _, short = record["project"].partition(": ")
        if short in ("Torch-npu", "CANN->NPU"):
            continue  # the same facts as the pairings; where they differ, contradictions.yaml tells
        row = matrix.downstream[names.get(short, project)]
        version = record["version"].removeprefix("branch ")
        found = [one for one in row.releases if one.version == version]
        assert found, (project, version)
        assert record["cann"] in {str(one.cann) if one.cann is not None else None for one in found}


def test_what_the_deployer_pairs_agrees_or_is_a_contradiction(matrix: Matrix) -> None:
    contradicted = {"2.1.0.post11", "2.3.1.post5", "2.4.0.post3", "2.6.0.post6"}
    for record in of("downstream", "deployer_match"):
        if record["torch_npu"] and record["torch_npu"] not in contradicted:
            row = matrix.torch_npu[record["torch_npu"]]
            assert record["cann"] in {str(one) for one in row.cann}, record


def test_artefacts() -> None:
    known = {(file.filename, file.url): file for one in shipped_artefacts().sets for file in one.files}
    left_out = Counter[str]()
    for record in records("artefacts"):
        if "<version>" in record["filename"]:
            left_out["name pattern"] += 1  # stands in package_names.yaml
            continue
        url = re.sub(r"^(%20)+", "", record["url"]) if record["url"] else None
        file = known[record["filename"], url]
        assert file.sha256 == record["sha256"]
    assert left_out == {"name pattern": 2}


def test_images() -> None:
    tags = {(one.repository, tag) for one in shipped_artefacts().images for tag in one.tags}
    for record in of("cann", "release"):
        for tag in record["image_tags"]:
            assert (record["image_repository"], tag) in tags
    for record in of("torch_npu", "container_image"):
        assert (record["image"], record["image_tag"]) in tags
    for record in of("cann", "image"):
        if record["tag"] is not None:
            assert record["tag"] in {tag for _, tag in tags}
