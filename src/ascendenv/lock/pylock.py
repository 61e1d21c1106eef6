"""What uv found: a pylock.toml (PEP 751) for one architecture, as files of the lock."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from ascendenv.errors import HostFailed
from ascendenv.language import say
from ascendenv.lock.model import Artefact
from ascendenv.lock.wheel_choice import best_wheel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ascendenv.matrix.rows.base import Arch

__all__ = ["artefacts_of", "preferences"]


@dataclass(frozen=True)
class _File:
    url: str
    size: int | None
    sha256: str | None

    @property
    def file(self) -> str:
        return unquote(urlsplit(self.url).path.rpartition("/")[2])


def artefacts_of(
    content: Mapping[str, object],
    *,
    arch: Arch,
    python: str,
    platform: str | None,
    sources: Collection[str] = (),
) -> tuple[Artefact, ...]:
    """The file of every package that the target takes: its wheel, or its source where it is one of `sources`.

    Raises HostFailed where one has none with a hash.
    """
    packages = content.get("packages")
    found = [one for one in packages if isinstance(one, dict)] if isinstance(packages, list) else []
    artefacts = []
    for one in found:
        name, version = canonicalize_name(str(one.get("name"))), str(one.get("version"))
        files = {
            each.file: each for each in _files(one.get("sdist") if name in sources else one.get("wheels"))
        }
        file = (
            next(iter(files), None)
            if name in sources
            else best_wheel(files, arch=arch, python=python, platform=platform)
        )
        if file is None or files[file].sha256 is None:
            words = say(
                "there is no wheel with a hash for {name} {version} on {arch}",
                name=name,
                version=version,
                arch=arch,
            )
            raise HostFailed(words)
        bound = name not in sources and _is_bound(file)
        artefacts.append(_artefact(name, version, files[file], arch if bound else None))
    return tuple(artefacts)


def preferences(versions: Mapping[str, str]) -> str:
    """A pylock that names versions to keep where nothing speaks against them."""
    blocks = ['lock-version = "1.0"\ncreated-by = "ascendenv"\n']
    blocks += [
        f'[[packages]]\nname = "{name}"\nversion = "{version}"\n' for name, version in versions.items()
    ]
    return "\n".join(blocks)


def _artefact(name: str, version: str, found: _File, arch: Arch | None) -> Artefact:
    return Artefact(
        component="pip",
        name=name,
        version=version,
        verified="package index",
        file=found.file,
        arch=arch,
        size=found.size if found.size is not None else _size(found.url),
        sha256=found.sha256,
        urls=(_without_user(found.url),),
    )


def _files(listed: object) -> Iterator[_File]:
    for one in listed if isinstance(listed, list) else [listed]:
        if isinstance(one, dict) and isinstance(one.get("url"), str):
            hashes, size = one.get("hashes"), one.get("size")
            sha256 = hashes.get("sha256") if isinstance(hashes, dict) else None
            yield _File(one["url"], size if isinstance(size, int) else None, sha256)


def _is_bound(file: str) -> bool:
    """Whether a wheel is for one architecture only."""
    try:
        *_, tags = parse_wheel_filename(file)
    except InvalidWheelFilename:
        return True
    return any(tag.platform != "any" for tag in tags)


def _without_user(url: str) -> str:
    """The address without the name and password that an index may be asked with."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _size(url: str) -> int | None:
    parts = urlsplit(url)
    path = Path(unquote(parts.path))
    return path.stat().st_size if parts.scheme == "file" and path.is_file() else None
