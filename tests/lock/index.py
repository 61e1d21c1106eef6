"""A package index on loopback with small wheels that say what real ones say: names, versions, tags and requirements."""

from __future__ import annotations

import io
import tarfile
import threading
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["Index", "Wheel", "index_in", "serving", "source_in", "wheel_in"]

ANY = "py3-none-any"


@dataclass(frozen=True)
class Wheel:
    """One wheel; `index` is the index it lies on, `simple` or `cpu`."""

    name: str
    version: str
    tag: str = ANY
    requires: tuple[str, ...] = ()
    index: str = "simple"


@dataclass
class Index:
    """A served index: its address, and the paths that were asked for."""

    url: str
    asked: list[str] = field(default_factory=list)

    @property
    def simple(self) -> str:
        return f"{self.url}/simple"

    @property
    def cpu(self) -> str:
        return f"{self.url}/cpu"


def wheel_in(folder: Path, wheel: Wheel) -> Path:
    """The file of that wheel, always with the same bytes."""
    stem = wheel.name.replace("-", "_")
    path = folder / f"{stem}-{wheel.version}-{wheel.tag}.whl"
    info = f"{stem}-{wheel.version}.dist-info"
    lines = [f"Metadata-Version: 2.1\nName: {wheel.name}\nVersion: {wheel.version}\n"]
    lines += [f"Requires-Dist: {one}\n" for one in wheel.requires]
    head = f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: {wheel.tag}\n"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as stream:
        for name, text in (("METADATA", "".join(lines)), ("WHEEL", head), ("RECORD", "")):
            stream.writestr(zipfile.ZipInfo(f"{info}/{name}"), text)
    return path


def source_in(folder: Path, name: str, version: str) -> Path:
    """A source distribution whose metadata can be read without building it."""
    path = folder / f"{name}-{version}.tar.gz"
    texts = {
        "PKG-INFO": f"Metadata-Version: 2.2\nName: {name}\nVersion: {version}\n",
        "pyproject.toml": f'[project]\nname = "{name}"\nversion = "{version}"\n',
    }
    with tarfile.open(path, "w:gz") as stream:
        for file, text in texts.items():
            member = tarfile.TarInfo(f"{name}-{version}/{file}")
            member.size = len(text)
            stream.addfile(member, io.BytesIO(text.encode()))
    return path


def index_in(folder: Path, wheels: Sequence[Wheel]) -> None:
    """A PEP 503 index of these wheels below `folder`, as a web server offers it."""
    for wheel in wheels:
        own = folder / wheel.index / wheel.name.replace("_", "-")
        path = wheel_in(own, wheel)
        page = own / "index.html"
        before = page.read_text() if page.exists() else "<!DOCTYPE html>\n"
        link = path.name.replace("+", "%2B")
        digest = sha256(path.read_bytes()).hexdigest()
        page.write_text(f'{before}<a href="{link}#sha256={digest}">{path.name}</a><br>\n')


class _Handler(SimpleHTTPRequestHandler):
    index: Index

    def do_GET(self) -> None:
        self.index.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests clean."""


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # the default of 5 makes a client that asks for many files at once wait a second


@contextmanager
def serving(folder: Path) -> Iterator[Index]:
    """The folder on a port of loopback."""
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    index = Index(f"http://127.0.0.1:{server.server_port}")
    _Handler.index = index
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
