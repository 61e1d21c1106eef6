"""From a lock to a bundle, over a real server."""

from __future__ import annotations

import random
import subprocess
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.fetch.builders import QUICK, Heard, lock_of, names_below, row, tree_of, wheel
from tests.fetch.server import Reply

from ascendenv.errors import UnusableInput
from ascendenv.fetch.bundle import open_bundle
from ascendenv.fetch.fetching import Order, fetch, rows_of
from ascendenv.fetch.goal import Places
from ascendenv.fetch.indexes import Indexes
from ascendenv.fetch.manifest import BadManifest
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.verify import check_bundle, wanting
from ascendenv.lock.digest import digest
from ascendenv.lock.lock_file import read_lock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fetch.server import Server

    from ascendenv.fetch.fetching import Fetched
    from ascendenv.lock.model import Artefact, Lock

BODIES = {
    name: random.Random(name).randbytes(40_000) for name in ("driver", "toolkit", "wheel", "python", "other")
}


def run(lock: Lock, root: Path, **values: Any) -> Fetched:
    return fetch(Order(lock=lock, root=root, patience=QUICK, **values), Silent())


def rows(server: Server) -> tuple[Artefact, ...]:
    def served(name: str) -> str:
        return server.serve(f"/{name}", Reply(BODIES[name]))

    return (
        row(
            BODIES["driver"],
            served("driver"),
            component="driver",
            name="driver",
            file="driver.run",
            arch="aarch64",
        ),
        row(BODIES["toolkit"], served("toolkit"), file="toolkit.run", arch="aarch64"),
        row(
            BODIES["python"],
            served("python"),
            component="interpreter",
            name="python",
            file="py.tgz",
            verified="spec",
        ),
        wheel(BODIES["wheel"], served("wheel"), name="torch-npu", version="2.9.0+x"),
    )


def test_a_bundle_has_everything(server: Server, tmp_path: Path) -> None:
    lock = lock_of(*rows(server))

    fetched = run(lock, tmp_path / "b")

    place = f"locks/{digest(lock)[7:23]}"
    assert {name for name in names_below(tmp_path / "b") if not name.startswith("objects/")} == {
        ".ascendenv.lock",
        "manifest.json",
        "SHA256SUMS",
        "index.html",
        "hdk/driver.run",
        "cann/toolkit.run",
        "python/py.tgz",
        "pip/torch_npu-2.9.0+x-py3-none-any.whl",
        "simple/index.html",
        "simple/torch-npu/index.html",
        f"{place}/ascendenv.lock",
        f"{place}/default-aarch64.requirements.txt",
        f"{place}/default-aarch64.constraints.txt",
    }
    assert not fetched.failed + fetched.unobtainable + fetched.unverified
    assert read_lock(tmp_path / "b" / place / "ascendenv.lock") == lock
    assert not check_bundle(tmp_path / "b").flaws
    assert open_bundle(tmp_path / "b").manifest == fetched.bundle.manifest


def test_names_are_the_same_bytes_as_objects(server: Server, tmp_path: Path) -> None:
    run(lock_of(*rows(server)), tmp_path)

    for one in open_bundle(tmp_path).manifest.files:
        assert (tmp_path / one.path).samefile(tmp_path / "objects/sha256" / one.sha256[:2] / one.sha256)
        assert (tmp_path / one.path).stat().st_mode & 0o777 == 0o444


def test_the_list_is_one_that_sha256sum_reads(server: Server, tmp_path: Path) -> None:
    run(lock_of(*rows(server)), tmp_path)

    subprocess.run(
        ["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True
    )


def test_a_second_run_asks_nobody_and_changes_nothing(server: Server, tmp_path: Path) -> None:
    lock = lock_of(
        *rows(server),
        row(None, server.serve("/n", Reply(b"nn")), file="n.run", component="nnal", name="nnal"),
    )
    run(lock, tmp_path)
    before = {
        path: path.stat().st_mtime_ns
        for path in tmp_path.rglob("*")
        if path.is_file() and path.name[0] != "."
    }
    asked = len(server.requests)

    run(lock, tmp_path)

    assert len(server.requests) == asked
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_two_locks_share_what_they_have_in_common(server: Server, tmp_path: Path) -> None:
    first = rows(server)
    second = (first[1], wheel(BODIES["other"], server.serve("/other", Reply(BODIES["other"]))))
    run(lock_of(*first), tmp_path)

    run(lock_of(*second, stack="canary"), tmp_path)

    assert len(server.asked("/toolkit")) == 1
    assert [one.stacks for one in open_bundle(tmp_path).manifest.locks] in (
        [("default",), ("canary",)],
        [("canary",), ("default",)],
    )
    assert not check_bundle(tmp_path).flaws
    assert not wanting(open_bundle(tmp_path).manifest, first + second)


def test_files_of_one_name_and_different_bytes_lie_side_by_side(server: Server, tmp_path: Path) -> None:
    one = wheel(BODIES["wheel"], server.serve("/1", Reply(BODIES["wheel"])))
    two = wheel(BODIES["other"], server.serve("/2", Reply(BODIES["other"])))

    run(lock_of(one), tmp_path)
    bundle = run(lock_of(two, stack="canary"), tmp_path).bundle

    paths = {bundle.path_of(one), bundle.path_of(two)}
    assert len(paths) == 2
    assert {path.name for path in paths if path} == {"six-1.17.0-py3-none-any.whl"}
    assert not check_bundle(tmp_path).flaws
    page = (tmp_path / "simple/six/index.html").read_text()
    assert page.count("six-1.17.0-py3-none-any.whl</a>") == 2


def test_pruning_leaves_what_one_lock_needs(server: Server, tmp_path: Path) -> None:
    first = rows(server)
    run(lock_of(*first), tmp_path / "both")
    run(lock_of(first[1]), tmp_path / "one")

    fetched = run(lock_of(first[1]), tmp_path / "both", prune=True)

    assert fetched.removed == 3
    assert tree_of(tmp_path / "both") == tree_of(tmp_path / "one")


def test_files_without_an_address_are_told_and_the_others_come(server: Server, tmp_path: Path) -> None:
    missing = row(None, component="firmware", name="firmware", version="7.7", file="fw.run", arch=None)
    broken = row(BODIES["other"], server.url("/absent"), component="ops", name="ops", file="ops.run")

    fetched = run(lock_of(*rows(server), missing, broken), tmp_path)

    assert [one.goal.first for one in fetched.unobtainable] == [missing]
    assert [one.goal.first for one in fetched.failed] == [broken]
    assert len(fetched.bundle.manifest.files) == 4
    assert not check_bundle(tmp_path).flaws


def test_what_only_a_server_vouches_for_is_marked(server: Server, tmp_path: Path) -> None:
    lock = lock_of(row(None, server.serve("/x", Reply(BODIES["other"])), file="x.run"))

    fetched = run(lock, tmp_path)

    (found,) = fetched.bundle.manifest.files
    assert (found.verified, found.consent) == ("none", True)
    assert found.sha256 == sha256(BODIES["other"]).hexdigest()
    assert fetched.bundle.path_of(lock.artefacts()[0]) == tmp_path / "cann/x.run"
    assert len(fetched.unverified) == 1


@pytest.mark.parametrize(
    ("verified", "known", "expected"),
    [
        ("deployer", True, ("vendor-hash", False)),
        ("package index", True, ("vendor-hash", False)),
        ("vendor signature", True, ("cms", False)),
        ("spec", True, ("site", False)),
        ("unverified", True, ("site", True)),
        ("unverified", False, ("none", True)),
    ],
)
def test_the_manifest_says_whose_word_a_hash_is(
    server: Server, tmp_path: Path, verified: str, known: bool, expected: tuple[str, bool]
) -> None:
    url = server.serve("/x", Reply(BODIES["other"]))
    one = row(BODIES["other"] if known else None, url, verified=verified)

    (found,) = run(lock_of(one), tmp_path).bundle.manifest.files

    assert (found.verified, found.consent) == expected


def test_mirrors_come_first_and_the_vendor_last(server: Server, tmp_path: Path) -> None:
    one = row(BODIES["driver"], "https://vendor.invalid/store/CANN%209/driver.run", file="driver.run")
    places = Places(
        [
            ("https://vendor.invalid/store/", server.url("/gone/{path}")),
            ("https://vendor.invalid/", server.url("/flat/{file}")),
            ("https://other.invalid/", server.url("/never/{file}")),
        ]
    )
    server.serve("/flat/driver.run", Reply(BODIES["driver"]))

    fetched = run(lock_of(one), tmp_path, places=places)

    assert not fetched.failed
    assert [one.path for one in server.requests] == ["/gone/CANN%209/driver.run", "/flat/driver.run"]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("https://m/{path}", "https://m/a/b%20c.run"),
        ("https://m/{file}", "https://m/b c.run"),
        ("https://m/{sha256}", f"https://m/{sha256(b'x').hexdigest()}"),
    ],
)
def test_templates_of_mirrors(template: str, expected: str) -> None:
    one = row(b"x", "https://v/a/b%20c.run", file="b c.run")

    assert Places([("https://v/", template)]).addresses(one) == (expected, *one.urls)
    assert Places([("https://v/", "https://m/{sha256}")]).addresses(row(None, "https://v/a")) == (
        "https://v/a",
    )


def test_the_header_that_a_server_wants_is_data(server: Server, tmp_path: Path) -> None:
    places = Places((), {"localhost": "https://vendor.example/"})

    run(lock_of(row(BODIES["other"], server.serve("/x", Reply(BODIES["other"])))), tmp_path, places=places)

    assert server.requests[0].headers["Referer"] == "https://vendor.example/"
    assert places.referer(row(None, "https://elsewhere.invalid/x")) is None
    assert places.referer(row(None, "https://localhost/x", referer="https://own/")) == "https://own/"


def test_one_stack_and_one_architecture(server: Server, tmp_path: Path) -> None:
    lock = lock_of(*rows(server))
    other = lock_of(
        row(BODIES["other"], server.serve("/o", Reply(BODIES["other"])), arch="x86_64"), stack="canary"
    )
    both = type(lock)(stacks=(*other.stacks, *lock.stacks))

    assert rows_of(Order(lock=both, root=tmp_path, stacks=("canary",))) == other.artefacts()
    assert rows_of(Order(lock=both, root=tmp_path, arch="x86_64")) == (
        other.artefacts()[0],
        *lock.artefacts()[2:],
    )
    with pytest.raises(UnusableInput, match="the lock has no stack prod"):
        rows_of(Order(lock=both, root=tmp_path, stacks=("prod",)))


def test_wheels_without_an_address_are_found_in_the_index_of_the_machine(
    server: Server, tmp_path: Path
) -> None:
    html = f'<a href="../../files/six-1.17.0-py3-none-any.whl#sha256={"0" * 64}">six</a>'.encode()
    server.serve("/simple/six/", Reply(html, headers={"Content-Type": "text/html"}))
    server.serve("/files/six-1.17.0-py3-none-any.whl", Reply(BODIES["wheel"]))
    json = b'{"files": [{"filename": "a_b-1-py3-none-any.whl", "url": "/files/a"}]}'
    server.serve("/simple/a-b/", Reply(json, headers={"Content-Type": "application/vnd.pypi.simple.v1+json"}))
    server.serve("/files/a", Reply(BODIES["other"]))
    lock = lock_of(
        wheel(BODIES["wheel"]), wheel(BODIES["other"], name="a-b", version="1"), wheel(b"?", name="c")
    )

    fetched = run(lock, tmp_path, indexes=Indexes((server.url("/simple"),)))

    assert [one.goal.name for one in fetched.brought if one.sha256] == lock_names(lock)[:2]
    (failed,) = fetched.failed
    assert "/simple/c/: the file is not there (404)" in str(failed.error)


def lock_names(lock: Lock) -> list[str]:
    return [one.file or "" for one in lock.artefacts()]


def test_wheels_are_found_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "six-1.17.0-py3-none-any.whl").write_bytes(BODIES["wheel"])
    indexes = Indexes((), (str(tmp_path / "wheels"), str(tmp_path / "absent")))

    fetched = run(lock_of(wheel(BODIES["wheel"]), wheel(b"?", name="c")), tmp_path / "b", indexes=indexes)

    assert fetched.brought[0].sha256
    error = fetched.failed[0].error
    assert error is not None
    assert "absent: there is no such folder" in str(error)
    assert "PIP_INDEX_URL" in str(error.hint)


def test_a_bundle_that_was_copied_is_gone_on_with(server: Server, tmp_path: Path) -> None:
    lock = lock_of(*rows(server))
    run(lock, tmp_path / "b")
    asked = len(server.requests)
    for path in (tmp_path / "b" / "objects").rglob("*"):
        if path.is_file():
            path.unlink()

    fetched = run(lock, tmp_path / "b")

    assert len(server.requests) == asked
    assert not fetched.failed


@pytest.mark.parametrize("linked", [True, False])
def test_damaged_files_are_repaired(server: Server, tmp_path: Path, linked: bool) -> None:
    lock = lock_of(*rows(server))
    run(lock, tmp_path)
    path = tmp_path / "cann/toolkit.run"
    if not linked:
        path.unlink()
    else:
        path.chmod(0o644)
    path.write_bytes(b"!" * 40_000)

    run(lock, tmp_path, repair=True)

    assert path.read_bytes() == BODIES["toolkit"]
    assert not check_bundle(tmp_path).flaws
    assert len(server.asked("/toolkit")) == (2 if linked else 1)


def test_without_hard_links_names_are_copies_and_stay(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    lock = lock_of(*rows(server))
    run(lock, tmp_path)
    path = tmp_path / "cann/toolkit.run"
    before = path.stat().st_mtime_ns, path.stat().st_ino

    run(lock, tmp_path)

    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
    assert not check_bundle(tmp_path).flaws


def test_a_damaged_manifest_is_named_and_its_files_are_used_again(server: Server, tmp_path: Path) -> None:
    lock = lock_of(*rows(server))
    run(lock, tmp_path)
    asked = len(server.requests)
    (tmp_path / "manifest.json").write_text("{")

    with pytest.raises(BadManifest) as caught:
        run(lock, tmp_path)
    assert "move" in str(caught.value.hint)
    (tmp_path / "manifest.json").unlink()
    run(lock, tmp_path)

    assert len(server.requests) == asked


def test_progress_hears_every_file(server: Server, tmp_path: Path) -> None:
    heard = Heard()

    fetch(Order(lock=lock_of(*rows(server)), root=tmp_path, patience=QUICK), heard)

    assert sorted(one[0] for one in heard.begun) == sorted(heard.ended)
    assert len(heard.ended) == 4
