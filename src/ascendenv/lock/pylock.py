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
    from collections.abc import Iterator, Mapping

    from ascendenv.matrix.rows.base import Arch

__all__ = ["artefacts_of", "preferences"]


@dataclass(frozen=True)
class _Wheel:
    url: str
    size: int | None
    sha256: str | None

    @property
    def file(self) -> str:
        return unquote(urlsplit(self.url).path.rpartition("/")[2])


def artefacts_of(
    content: Mapping[str, object], *, arch: Arch, python: str, platform: str | None
) -> tuple[Artefact, ...]:
    """The wheel of every package that the target takes; raises HostFailed where one has no wheel or no hash."""
    packages = content.get("packages")
    found = packages if isinstance(packages, list) else []
    return tuple(_artefact(one, arch, python, platform) for one in found if isinstance(one, dict))


def preferences(versions: Mapping[str, str]) -> str:
    """A pylock that names versions to keep where nothing speaks against them."""
    blocks = ['lock-version = "1.0"\ncreated-by = "ascendenv"\n']
    blocks += [
        f'[[packages]]\nname = "{name}"\nversion = "{version}"\n' for name, version in versions.items()
    ]
    return "\n".join(blocks)


def _artefact(package: Mapping[str, object], arch: Arch, python: str, platform: str | None) -> Artefact:
    name = canonicalize_name(str(package.get("name")))
    version = str(package.get("version"))
    wheels = {one.file: one for one in _wheels(package.get("wheels"))}
    file = best_wheel(wheels, arch=arch, python=python, platform=platform)
    if file is None or wheels[file].sha256 is None:
        raise HostFailed(
            say(
                "there is no wheel with a hash for {name} {version} on {arch}",
                name=name,
                version=version,
                arch=arch,
            )
        )
    wheel = wheels[file]
    return Artefact(
        component="pip",
        name=name,
        version=version,
        verified="package index",
        file=file,
        arch=arch if _is_bound(file) else None,
        size=wheel.size if wheel.size is not None else _size(wheel.url),
        sha256=wheel.sha256,
        urls=(_without_user(wheel.url),),
    )


def _wheels(wheels: object) -> Iterator[_Wheel]:
    for one in wheels if isinstance(wheels, list) else ():
        if isinstance(one, dict) and isinstance(one.get("url"), str):
            hashes, size = one.get("hashes"), one.get("size")
            sha256 = hashes.get("sha256") if isinstance(hashes, dict) else None
            yield _Wheel(one["url"], size if isinstance(size, int) else None, sha256)


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
