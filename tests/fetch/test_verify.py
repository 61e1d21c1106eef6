"""A bundle is checked to the last bit, as a folder and as an archive; damage is named by the file that has it."""

from __future__ import annotations

import io
import json
import random
import shutil
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from tests.fetch.builders import QUICK, lock_of, names_below, row, wheel
from tests.fetch.server import Reply, running

from ascendenv.errors import UnusableInput
from ascendenv.fetch.archive import write_archive
from ascendenv.fetch.bundle import open_bundle
from ascendenv.fetch.fetching import Order, fetch
from ascendenv.fetch.manifest import BadManifest, Manifest, manifest_text, read_manifest
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.verify import check_bundle

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs/schemas/bundle.schema.json").read_text())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with one file of each kind."""
    root = tmp_path_factory.mktemp("made") / "bundle"
    with running() as server:
        bodies = {name: random.Random(name).randbytes(3000) for name in ("driver", "six", "attrs")}
        urls = {name: server.serve(f"/{name}", Reply(body)) for name, body in bodies.items()}
        lock = lock_of(
            row(
                bodies["driver"],
                urls["driver"],
                component="driver",
                name="driver",
                file="d.run",
                holds=("x.run",),
            ),
            wheel(bodies["six"], urls["six"]),
            wheel(bodies["attrs"], urls["attrs"], name="attrs", version="1"),
        )
        fetch(Order(lock=lock, root=root, patience=QUICK), Silent())
    return root


@pytest.fixture
def bundle(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "b")
    return tmp_path / "b"


def listed(root: Path) -> list[str]:
    return sorted(name for name in names_below(root) if not name.startswith((".", "objects/")))


def test_a_whole_bundle_has_no_flaw(bundle: Path) -> None:
    checked = check_bundle(bundle)

    assert checked.flaws == ()
    assert checked.files == len(listed(bundle))


@pytest.mark.parametrize("seed", range(60))
def test_one_flipped_bit_anywhere_is_found_and_its_file_named(bundle: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = listed(bundle)
    path = bundle / names[seed % len(names)]
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data) * 8)
    data[at // 8] ^= 1 << at % 8
    path.chmod(0o644)
    path.write_bytes(data)

    name = path.relative_to(bundle).as_posix()
    if name == "manifest.json":
        with pytest.raises(BadManifest, match=r"manifest\.json"):
            check_bundle(bundle)
    else:
        assert [one.path for one in check_bundle(bundle).flaws] == [name]


@pytest.mark.parametrize("name", ["hdk/d.run", "simple/six/index.html", "SHA256SUMS", "index.html"])
@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        (lambda path: path.unlink(), {"missing"}),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), {"size", "page"}),
        (lambda path: path.write_bytes(b""), {"size", "page"}),
    ],
)
def test_other_damage_is_named(
    bundle: Path, name: str, change: Callable[[Path], object], kinds: set[str]
) -> None:
    (bundle / name).chmod(0o644)
    change(bundle / name)

    (flaw,) = check_bundle(bundle).flaws
    assert flaw.path == name
    assert flaw.kind in kinds


def test_files_that_are_not_listed_are_told_apart(bundle: Path) -> None:
    (bundle / "hdk" / "strange.run").write_bytes(b"x")

    (flaw,) = check_bundle(bundle).flaws
    assert (flaw.path, flaw.kind) == ("hdk/strange.run", "unlisted")


def test_the_manifest_follows_its_published_form(bundle: Path) -> None:
    document = json.loads((bundle / "manifest.json").read_bytes())

    jsonschema.validate(document, SCHEMA)
    assert {one["path"] for one in document["files"]} == {
        "hdk/d.run",
        "pip/six-1.17.0-py3-none-any.whl",
        "pip/attrs-1-py3-none-any.whl",
    }


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "this is not JSON"),
        (b"[]", "this is no manifest of a bundle"),
        (b"{}", "schema_version"),
        (b'{"schema_version": 2}', "the bundle has form 2, and this ascendenv reads up to 1"),
        (b"[" * 100_000, "this is not JSON"),
        (manifest_text(Manifest()).replace(b"ascendenv-bundle", b"other"), "kind"),
        (manifest_text(Manifest()) + b" ", "changed after it was written"),
        (manifest_text(Manifest()).replace(b'"files": []', b'"files": [{"path": "../x"}]'), r"files\.0"),
    ],
)
def test_what_is_no_manifest_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadManifest, match=reason):
        read_manifest(data, "manifest.json")


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a//b", "a/./b", "", "a\\b", "a\nb"])
def test_paths_stay_inside_the_bundle(bundle: Path, path: str) -> None:
    text = (bundle / "manifest.json").read_text()
    changed = text.replace('"path": "hdk/d.run"', f'"path": {json.dumps(path)}')

    with pytest.raises(BadManifest, match=r"files\.0\.path is not what it should be"):
        read_manifest(changed.encode(), "m")


def test_there_may_be_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(b"no tar at all")

    with pytest.raises(BadManifest, match="no manifest here"):
        check_bundle(tmp_path)
    with pytest.raises(UnusableInput, match=r"this is no archive|no manifest here"):
        check_bundle(tmp_path / "x.tar")


def archived(bundle: Path, target: Path) -> Path:
    write_archive(bundle, open_bundle(bundle).manifest, target)
    return target


def test_an_archive_is_the_same_to_the_byte_and_holds_each_file_once(bundle: Path, tmp_path: Path) -> None:
    one, two = archived(bundle, tmp_path / "1.tar"), archived(bundle, tmp_path / "2.tar")

    assert one.read_bytes() == two.read_bytes()
    with tarfile.open(one) as archive:
        members = archive.getmembers()
    assert members[0].name == "ascendenv-bundle/manifest.json"
    assert sorted(one.name for one in members) == [f"ascendenv-bundle/{name}" for name in listed(bundle)]
    assert {(m.mtime, m.uid, m.gid, m.uname, m.mode) for m in members} == {(0, 0, 0, "", 0o644)}
    assert not check_bundle(one).flaws
    assert not list(tmp_path.glob(".*"))


def test_an_archive_unpacks_into_a_bundle(bundle: Path, tmp_path: Path) -> None:
    with tarfile.open(archived(bundle, tmp_path / "1.tar")) as archive:
        archive.extractall(tmp_path / "out", filter="data")

    assert not check_bundle(tmp_path / "out" / "ascendenv-bundle").flaws


@pytest.mark.parametrize("seed", range(20))
def test_a_flipped_bit_in_an_archive_is_found(bundle: Path, tmp_path: Path, seed: int) -> None:
    path = archived(bundle, tmp_path / "1.tar")
    with tarfile.open(path) as archive:
        members = [one for one in archive.getmembers() if not one.name.endswith("manifest.json")]
    member = random.Random(seed).choice(members)
    data = bytearray(path.read_bytes())
    data[member.offset_data + random.Random(seed).randrange(member.size)] ^= 4
    path.write_bytes(data)

    assert [one.path for one in check_bundle(path).flaws] == [member.name.removeprefix("ascendenv-bundle/")]


@pytest.mark.parametrize("keep", [0, 100, 512, 5000, 10_240, 15_000])
def test_an_archive_whose_end_is_missing_is_not_whole(bundle: Path, tmp_path: Path, keep: int) -> None:
    path = archived(bundle, tmp_path / "1.tar")
    path.write_bytes(path.read_bytes()[:keep])

    try:
        flaws = check_bundle(path).flaws
    except UnusableInput:
        return
    assert flaws


def test_an_archive_is_whole_or_not_there(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bundle / "pip" / "six-1.17.0-py3-none-any.whl").unlink()

    with pytest.raises(FileNotFoundError):
        archived(bundle, tmp_path / "1.tar")
    assert not list(tmp_path.glob("*1.tar*"))


def test_an_archive_with_a_large_name_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w") as archive:
        data = manifest_text(Manifest())
        member = tarfile.TarInfo("ascendenv-bundle/manifest.json")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
        archive.addfile(tarfile.TarInfo("ascendenv-bundle/" + "x" * 300))

    kinds = {one.kind for one in check_bundle(path).flaws}
    assert kinds == {"missing", "unlisted"}
