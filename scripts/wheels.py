"""Reads single members of wheels that lie on the package index, with pip's own configuration, session and ranges.

pip resolves a requirement to a file and its hash, and reads parts of remote wheels itself (for their metadata); both
are used here, so that indexes, certificates and proxies of this machine hold and no address stands in the repository.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pip._internal.commands import create_command
from pip._internal.commands.download import DownloadCommand
from pip._internal.network.lazy_wheel import HTTPRangeRequestUnsupported, LazyZipOverHTTP

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Wheel", "WheelMissing", "find_wheel", "open_wheel", "save_member", "versions_of"]

PLATFORMS = {
    "aarch64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "x86_64": (
        "manylinux_2_28_x86_64",
        "manylinux_2_17_x86_64",
        "manylinux2014_x86_64",
        "manylinux1_x86_64",
    ),
}
LOCAL_HEADER = 64 * 1024
"""More bytes than a member's own header in front of its data has."""


class WheelMissing(LookupError):
    """The index has no such wheel for that Python and architecture."""


@dataclass(frozen=True)
class Wheel:
    """A file of the index: its name, address, and the SHA-256 that the index states for it."""

    name: str
    url: str
    sha256: str


def versions_of(project: str) -> list[str]:
    """The versions of `project` on the configured index that this Python can use, newest first."""
    listing = _pip("index", "versions", "--json", project)
    return [str(version) for version in json.loads(listing)["versions"]]


def find_wheel(requirement: str, arch: str, python: str = "311") -> Wheel:
    """The wheel that pip would take for `requirement` on `arch`; raises WheelMissing."""
    platforms = [part for name in PLATFORMS[arch] for part in ("--platform", name)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        try:
            _pip("install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--report", str(report),
                 "--target", folder, "--only-binary=:all:", "--implementation", "cp", "--abi", f"cp{python}",
                 "--python-version", python, *platforms, requirement)  # fmt: skip
        except subprocess.CalledProcessError as error:
            raise WheelMissing(f"{requirement} for {arch}: {error.stderr.strip()[-300:]}") from error
        (row,) = json.loads(report.read_text())["install"]
    url = str(row["download_info"]["url"])
    sha256 = str(row["download_info"]["archive_info"]["hashes"]["sha256"])
    return Wheel(unquote(url.rpartition("/")[2]), url, sha256)


@contextmanager
def open_wheel(wheel: Wheel) -> Iterator[zipfile.ZipFile]:
    """The wheel as a zip file of which only the parts that are read are transferred, where its host can do that."""
    command = create_command("download")
    assert isinstance(command, DownloadCommand)  # noqa: S101  (tells the type checker what the name means)
    options, _ = command.parse_args([])
    with command.main_context():
        try:
            remote = LazyZipOverHTTP(wheel.url, command.get_default_session(options))
        except HTTPRangeRequestUnsupported:
            with tempfile.TemporaryDirectory() as folder:
                _pip("download", "--no-deps", "--quiet", "--dest", folder, wheel.url)
                with zipfile.ZipFile(next(Path(folder).iterdir())) as archive:
                    yield archive
            return
        with zipfile.ZipFile(remote) as archive:
            yield archive


def save_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    """Write one member to `target`; its whole data is asked for at once."""
    if archive.fp is not None:
        archive.fp.seek(member.header_offset)
        archive.fp.read(min(member.compress_size + LOCAL_HEADER, archive.start_dir - member.header_offset))
    with archive.open(member) as source, target.open("wb") as stream:
        while block := source.read(1 << 20):
            stream.write(block)


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
