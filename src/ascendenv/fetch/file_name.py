"""What a file's name says: which package of which version, for which chips and architecture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.matrix.model import Matrix

__all__ = ["Said", "clean_name", "read_name"]

_PLACES = {
    "chip": r"[0-9A-Za-z]+",
    "version": r"[0-9][0-9A-Za-z._+-]*?",
    "arch": r"aarch64|x86_64|x86-64",
    "hdk_arch": r"aarch64|x86_64|x86-64",
    "os": r"[0-9A-Za-z][0-9A-Za-z._]*",
    "format": r"run|zip",
}
_COPY = re.compile(r" ?\(\d+\)(?=\.[0-9A-Za-z]+(\.[0-9A-Za-z]+)?$)")
_LONGEST = 255


@dataclass(frozen=True)
class Said:
    """What was told about a file; None is not told. `package` is the package, or `pip` for a wheel of `distribution`."""

    package: str | None = None
    version: str | None = None
    family: str | None = None
    arch: str | None = None
    distribution: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was told."""
        return self == Said()


def clean_name(name: str) -> str:
    """The name without the number that browsers put into the names of further copies: `a (1).run`."""
    return _COPY.sub("", name)


def read_name(name: str, matrix: Matrix) -> Said:
    """What the name says by the patterns of the matrix, or as the name of a wheel; nothing for any other name."""
    if len(name) > _LONGEST:
        return Said()
    if name.endswith(".whl"):
        return _wheel(name)
    for pattern, package, families in _patterns(matrix):
        match = pattern.fullmatch(name)
        found = _said(match.groupdict(), package, families, matrix) if match is not None else None
        if found is not None:
            return found
    return Said()


def _said(values: Mapping[str, str], package: str, families: tuple[str, ...], matrix: Matrix) -> Said | None:
    family = families[0] if len(families) == 1 else None
    if "chip" in values:
        family = next(
            (
                one.name
                for one in matrix.families.values()
                if (one.package_suffix or "").lower() == values["chip"].lower()
                and (not families or one.name in families)
            ),
            None,
        )
        if family is None:
            return None
    try:
        vendor(values["version"])
    except InvalidVersion:
        return None
    arch = values.get("arch") or values.get("hdk_arch")
    return Said(package, values["version"], family, arch.replace("-", "_") if arch else None)


def _wheel(name: str) -> Said:
    try:
        distribution, version, _, tags = parse_wheel_filename(name)
    except InvalidWheelFilename:
        return Said()
    machines = {arch for tag in tags for arch in ("aarch64", "x86_64") if tag.platform.endswith(arch)}
    arch = machines.pop() if len(machines) == 1 else None
    return Said("pip", str(version), None, arch, str(distribution))


@lru_cache(maxsize=4)
def _patterns(matrix: Matrix) -> tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...]:
    rows = [(one.pattern, str(one.package), one.families) for one in matrix.package_names]
    rows += [(one.pattern, one.package, one.families) for one in matrix.file_names]
    return tuple((_compiled(pattern), package, families) for pattern, package, families in rows)


def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern with its places as groups; the system's file names are taken in any case of letters."""
    parts = re.split(r"\{(\w+)\}", pattern)
    fixed = (re.escape(one) for one in parts[::2])
    places = [f"(?P<{one}>{_PLACES[one]})" for one in parts[1::2]]
    return re.compile(
        "".join(text + place for text, place in zip(fixed, [*places, ""], strict=True)), re.IGNORECASE
    )
