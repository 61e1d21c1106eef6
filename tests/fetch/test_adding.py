"""Files that a site got itself: into the bundle, their hashes into the lock; nothing that is not what the lock wants."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.fetch.authority import Authority
from tests.fetch.builders import QUICK, lock_of, names_below, row, tree_of
from tests.fetch.runs import driver, run_file, zip_of

from ascendenv.errors import AscendenvError, UnusableInput
from ascendenv.fetch.adding import Addition, OtherBytes, add
from ascendenv.fetch.bundle import open_bundle
from ascendenv.fetch.fetching import Order, fetch
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.recognise import Unfit
from ascendenv.fetch.signature import BadSignature
from ascendenv.fetch.verify import check_bundle
from ascendenv.fetch.wanted import NotWanted
from ascendenv.lock.digest import digest
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.writing import write_all
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.lock.model import Artefact, Lock

NAME = "Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run"
ZIP = "Ascend-hdk-910b-npu_25.5.0_linux-aarch64.zip"
DRIVER = row(None, component="driver", name="driver", version="25.5.0", file=NAME, arch="aarch64")
BUNDLE = row(None, component="hdk", name="bundle", version="25.5.0", file=ZIP, arch="aarch64", holds=(NAME,))
TOOLKIT = row(run_file({"a": "b"}), file="Ascend-cann-toolkit_9.0.0_linux-aarch64.run", arch="aarch64")


class Site:
    """A project with a lock, a bundle, and a folder of downloads."""

    def __init__(self, folder: Path, *rows: Artefact, authority: Authority | None = None) -> None:
        self.lock_path = folder / "ascendenv.lock"
        self.root = folder / "bundle"
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True)
        self.authority = authority
        write_all(self.lock_path, lock_of(*rows))

    def got(self, name: str, data: bytes) -> Path:
        path = self.downloads / name
        path.write_bytes(data)
        return path

    def add(self, *paths: Path) -> Addition:
        roots = [self.authority.root.read_text()] if self.authority else []
        return add(paths, self.lock_path, self.root, shipped_matrix(), roots)

    @property
    def lock(self) -> Lock:
        return read_lock(self.lock_path)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


def test_a_file_fills_the_lock_and_the_bundle(tmp_path: Path) -> None:
    site = Site(tmp_path, DRIVER, TOOLKIT)
    before = digest(site.lock)
    path = site.got(NAME, driver())

    addition = site.add(path)

    (filled,) = [one for one in site.lock.artefacts() if one.component == "driver"]
    assert (filled.sha256, filled.size) == (sha256(driver()).hexdigest(), len(driver()))
    assert filled.verified == "unverified"
    assert addition.lock == site.lock
    assert addition.before == before != digest(site.lock)
    assert open_bundle(site.root).path_of(filled) == site.root / "hdk" / NAME
    assert path.read_bytes() == driver()
    assert not check_bundle(site.root).flaws
    (found,) = open_bundle(site.root).manifest.files
    assert (found.verified, found.consent) == ("site", True)


def test_the_requirements_beside_the_lock_follow_it(tmp_path: Path) -> None:
    site = Site(tmp_path, DRIVER)

    site.add(site.got(NAME, driver()))

    assert {path.name for path in tmp_path.glob("ascendenv.lock.d/*")} == {
        "default-aarch64.requirements.txt",
        "default-aarch64.constraints.txt",
    }


def test_every_stack_that_wants_the_file_is_filled(tmp_path: Path) -> None:
    site = Site(tmp_path)
    two = (*lock_of(DRIVER).stacks, *lock_of(DRIVER, TOOLKIT, stack="prod").stacks)
    lock = type(site.lock)(stacks=two)
    write_all(site.lock_path, lock)

    site.add(site.got(NAME, driver()))

    assert {one.sha256 for one in site.lock.artefacts() if one.component == "driver"} == {
        sha256(driver()).hexdigest()
    }


def test_a_signed_file_is_vouched_for(tmp_path: Path, authority: Authority) -> None:
    site = Site(tmp_path, DRIVER, authority=authority)
    path = site.got(NAME, driver())
    authority.sign(path)
    authority.revoked(path.with_name(f"{NAME}.crl"))

    (added,) = site.add(path).added

    assert added.signed is not None
    assert (added.signed.by, added.signed.lists_asked) == ("CN=signer", True)
    assert added.row.verified == "vendor signature"
    (found,) = open_bundle(site.root).manifest.files
    assert (found.verified, found.consent) == ("cms", False)


def test_a_signature_that_comes_later_is_taken_too(tmp_path: Path, authority: Authority) -> None:
    site = Site(tmp_path, DRIVER, authority=authority)
    path = site.got(NAME, driver())
    site.add(path)
    authority.sign(path)

    site.add(path)

    assert site.lock.artefacts()[0].verified == "vendor signature"
    assert [one.verified for one in open_bundle(site.root).manifest.files] == ["cms"]


def test_a_signature_inside_an_archive_is_checked(tmp_path: Path, authority: Authority) -> None:
    site = Site(tmp_path, BUNDLE, authority=authority)
    inner = tmp_path / ZIP
    inner.write_bytes(zip_of({NAME: driver()}))
    members = {
        ZIP: inner.read_bytes(),
        f"{ZIP}.cms": authority.sign(inner).read_bytes(),
        f"{ZIP}.crl": authority.revoked(tmp_path / "list.crl").read_bytes(),
    }

    (added,) = site.add(site.got(ZIP, zip_of(members))).added

    assert added.row.verified == "vendor signature"
    changed = {**members, ZIP: zip_of({NAME: driver() + b"!"})}
    other = Site(tmp_path / "other", BUNDLE, authority=authority)
    with pytest.raises(BadSignature, match="not of this file"):
        other.add(other.got(ZIP, zip_of(changed)))


def test_a_neighbour_that_nobody_signed_is_not_vouched_for(tmp_path: Path, authority: Authority) -> None:
    site = Site(tmp_path, BUNDLE, authority=authority)
    inner = tmp_path / NAME
    inner.write_bytes(driver())
    members = {NAME: driver(), f"{NAME}.cms": authority.sign(inner).read_bytes(), "other.run": b"#!/bin/sh\n"}

    (added,) = site.add(site.got(ZIP, zip_of(members))).added

    assert added.signed is None
    assert added.row.verified == "unverified"


@pytest.mark.parametrize("beside", [b"", b"rubbish"])
def test_a_bad_signature_keeps_the_file_out(tmp_path: Path, authority: Authority, beside: bytes) -> None:
    site = Site(tmp_path, DRIVER, authority=authority)
    path = site.got(NAME, driver())
    path.with_name(f"{NAME}.cms").write_bytes(beside)
    before = tree_of(tmp_path)

    with pytest.raises(BadSignature):
        site.add(path)

    assert {name: data for name, data in tree_of(tmp_path).items() if ".ascendenv.lock" not in name} == before


def test_a_file_that_the_lock_knows_is_compared(tmp_path: Path) -> None:
    site = Site(tmp_path, TOOLKIT)

    (added,) = site.add(site.got(str(TOOLKIT.file), run_file({"a": "b"}))).added

    assert added.row == TOOLKIT
    assert site.lock == lock_of(TOOLKIT)
    assert [one.verified for one in open_bundle(site.root).manifest.files] == ["vendor-hash"]


def test_other_bytes_than_those_of_the_lock_are_refused_and_both_are_named(tmp_path: Path) -> None:
    site = Site(tmp_path, TOOLKIT)
    other = run_file({"a": "c"})

    with pytest.raises(OtherBytes) as caught:
        site.add(site.got(str(TOOLKIT.file), other))

    assert sha256(other).hexdigest() in str(caught.value)
    assert str(TOOLKIT.sha256) in str(caught.value)
    assert not list(open_bundle(site.root).store.objects())


def test_a_folder_is_searched_and_the_rest_is_left_out(tmp_path: Path) -> None:
    site = Site(tmp_path, DRIVER)
    site.got(NAME, driver())
    site.got("holiday.jpg", b"\xff\xd8")
    site.got("Ascend-hdk-910b-npu-driver_25.3.rc1_linux-aarch64.run", driver("25.3.rc1"))
    site.got("broken.zip", b"PK\x03\x04")
    site.got(".hidden", b"x")
    site.got("old.cms", b"x")

    addition = site.add(site.downloads)

    assert [one.path.name for one in addition.added] == [NAME]
    assert [path.name for path, _ in addition.skipped] == [
        "Ascend-hdk-910b-npu-driver_25.3.rc1_linux-aarch64.run",
        "broken.zip",
        "holiday.jpg",
    ]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("Ascend-hdk-910b-npu-driver_25.3.rc1_linux-aarch64.run", driver("25.3.rc1"), NotWanted),
        (NAME, driver()[:-9], Unfit),
        (NAME, driver("25.3.rc1"), Unfit),
        ("holiday.jpg", b"x", NotWanted),
    ],
)
def test_a_file_that_is_named_must_be_right(
    tmp_path: Path, name: str, data: bytes, error: type[AscendenvError]
) -> None:
    site = Site(tmp_path, DRIVER)
    before = site.lock

    with pytest.raises(error):
        site.add(site.got(name, data))

    assert site.lock == before
    assert not open_bundle(site.root).manifest.files


def test_a_wanted_file_that_is_damaged_is_not_overlooked_in_a_folder(tmp_path: Path) -> None:
    site = Site(tmp_path, DRIVER)
    site.got(NAME, driver()[:-9])

    with pytest.raises(Unfit, match="9 bytes are missing"):
        site.add(site.downloads)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    site = Site(tmp_path, DRIVER)

    with pytest.raises(UnusableInput, match="no such file"):
        site.add(tmp_path / "absent")


def test_a_row_without_a_name_gets_one(tmp_path: Path) -> None:
    nameless = row(None, component="driver", name="driver", version="25.5.0", file="x", arch="aarch64")
    site = Site(tmp_path, nameless)
    write_all(site.lock_path, lock_of(replace(nameless, file=None)))

    site.add(site.got(NAME, driver()))

    assert site.lock.artefacts()[0].file == NAME


def test_a_browsers_copy_gets_the_name_of_the_lock(tmp_path: Path) -> None:
    site = Site(tmp_path, DRIVER)

    site.add(site.got(NAME.replace(".run", " (1).run"), driver()))

    assert (site.root / "hdk" / NAME).is_file()


def test_fetching_and_adding_make_one_bundle(tmp_path: Path) -> None:
    source = tmp_path / "toolkit"
    source.write_bytes(run_file({"a": "b"}))
    site = Site(tmp_path, DRIVER, replace(TOOLKIT, urls=(source.as_uri(),)))
    fetch(Order(lock=site.lock, root=site.root, patience=QUICK), Silent())
    site.add(site.got(NAME, driver()))

    fetched = fetch(Order(lock=site.lock, root=site.root, patience=QUICK), Silent())

    assert not fetched.unobtainable
    manifest = open_bundle(site.root).manifest
    assert [one.digest for one in manifest.locks] == [digest(site.lock)]
    assert {one.path for one in manifest.files} == {f"hdk/{NAME}", f"cann/{TOOLKIT.file}"}
    assert not check_bundle(site.root).flaws
    assert not [name for name in names_below(site.root) if ".new" in name or ".part" in name]
