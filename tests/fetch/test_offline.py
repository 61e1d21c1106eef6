"""The proof of a bundle: with the network off, pip gets the pip set of the target platform from it, hashes required."""

from __future__ import annotations

import os
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from tests.fetch.builders import QUICK, lock_of

from ascendenv.errors import HostFailed
from ascendenv.fetch.fetching import Order, fetch
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.verify import check_bundle
from ascendenv.lock.pip_set import PipQuestion, resolve_pip_set

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ascendenv.lock.model import Lock

pytestmark = pytest.mark.slow

WANTED = ("pyyaml==6.0.2", "numpy==1.26.4", "jinja2", "torch-npu==2.9.0")
LARGE = frozenset({"torch", "sympy", "networkx", "mpmath"})
offline = pytest.mark.skipif(os.geteuid() != 0, reason="a network namespace of its own needs root")


@pytest.fixture(scope="module")
def lock() -> Lock:
    """Real wheels for aarch64 and Python 3.11, chosen by uv; without torch itself, which is large."""
    question = PipQuestion(
        stack="default",
        arch="aarch64",
        python="3.11",
        requirements=WANTED,
        platform="manylinux_2_28",
    )
    try:
        found = resolve_pip_set(question)
    except HostFailed as error:
        pytest.skip(f"no package index: {error}")
    return lock_of(*(one for one in found if one.name not in LARGE))


@pytest.fixture(scope="module")
def bundle(lock: Lock, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("offline") / "bundle"
    fetched = fetch(Order(lock=lock, root=root, patience=QUICK), Silent())
    assert not fetched.failed + fetched.unobtainable
    assert not check_bundle(root).flaws
    return root


def pip_download(bundle: Path, target: Path, *source: str, prefix: tuple[str, ...] = ()) -> list[str]:
    (requirements,) = bundle.glob("locks/*/default-aarch64.requirements.txt")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    subprocess.run(
        [
            *prefix,
            *(
                sys.executable,
                "-m",
                "pip",
                "download",
                "--no-deps",
                "--require-hashes",
                "-r",
                str(requirements),
            ),
            *("--dest", str(target), "--only-binary=:all:", "--python-version", "3.11", "--no-cache-dir"),
            *(
                "--platform",
                "manylinux_2_28_aarch64",
                "--platform",
                "manylinux2014_aarch64",
                "--retries",
                "0",
            ),
            *source,
        ],
        check=True,
        capture_output=True,
        env={**clean, "PIP_CONFIG_FILE": os.devnull},
    )
    return sorted(path.name for path in target.iterdir())


def wheels_of(lock: Lock) -> list[str]:
    return sorted(one.file or "" for one in lock.artefacts())


@offline
@pytest.mark.root
@pytest.mark.parametrize(
    "source", [("--no-index", "--find-links", "{bundle}"), ("--index-url", "file://{bundle}/simple")]
)
def test_with_the_network_off(lock: Lock, bundle: Path, tmp_path: Path, source: tuple[str, ...]) -> None:
    words = tuple(one.format(bundle=bundle) for one in source)

    found = pip_download(bundle, tmp_path / "out", *words, prefix=("unshare", "--net"))

    assert found == wheels_of(lock)
    assert any("aarch64" in one for one in found)


@offline
@pytest.mark.root
def test_a_bundle_with_another_wheel_in_it_is_refused_by_pip(
    lock: Lock, bundle: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(bundle), str(copy)], check=True)
    (wheel,) = copy.glob("pip/jinja2-*.whl")
    wheel.chmod(0o644)
    wheel.write_bytes(wheel.read_bytes() + b"\0")

    with pytest.raises(subprocess.CalledProcessError) as caught:
        pip_download(
            copy, tmp_path / "out", "--no-index", "--find-links", str(copy), prefix=("unshare", "--net")
        )

    assert b"DO NOT MATCH THE HASHES" in caught.value.stderr
    assert [one.path for one in check_bundle(copy).flaws] == [f"pip/{wheel.name}"]


@pytest.fixture
def served(bundle: Path) -> Iterator[str]:
    """The bundle behind the plainest web server there is."""

    class Quiet(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(bundle))

        def log_message(self, *_: Any) -> None:
            pass

    httpd = ThreadingHTTPServer(("localhost", 0), Quiet)
    thread = Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{httpd.server_address[1]}"
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.mark.parametrize(
    "source", [("--no-index", "--find-links", "{url}/"), ("--index-url", "{url}/simple/")]
)
def test_any_web_server_can_serve_it(
    lock: Lock, bundle: Path, served: str, tmp_path: Path, source: tuple[str, ...]
) -> None:
    words = tuple(one.format(url=served) for one in source)

    assert pip_download(bundle, tmp_path / "out", *words) == wheels_of(lock)
