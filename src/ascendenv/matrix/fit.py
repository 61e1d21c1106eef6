"""How well two rows go together: the reading of single cells of the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.matrix.level import Level
from ascendenv.versions import Version, VersionLine, vendor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.matrix.rows.releases import CannRelease, HdkCell, TorchNpuRelease

__all__ = ["cann_level", "covers", "hdk_cell", "oldest_cann", "stated_level"]


def covers(span: Version | VersionLine, version: Version) -> bool:
    """Whether `version` is that release, a build of it, or lies in that line."""
    return span.contains(version) if isinstance(span, VersionLine) else version.belongs_to(span)


def hdk_cell(
    cann: CannRelease, driver: Version, *, family: str | None = None, product: str | None = None
) -> HdkCell | None:
    """The cell of CANN's table for that driver or HDK; the narrowest where several hold, None where none does."""
    found = [
        cell
        for cell in cann.hdk_cells
        if covers(cell.hdk, driver)
        and (not cell.families or family is None or family in cell.families)
        and (not cell.products or product is None or product in cell.products)
    ]
    return max(found, key=_narrowness) if found else None


def _narrowness(cell: HdkCell) -> tuple[bool, bool, bool, Level]:
    exact = isinstance(cell.hdk, Version)
    return (bool(cell.products), bool(cell.families), exact, Level.named(cell.level))


def cann_level(release: TorchNpuRelease, cann: Version, row: CannRelease | None) -> Level:
    """How `release` goes with that CANN, by the tables alone.

    A CANN older than all that `release` was ever stated for is broken: the wheel calls functions that came later.
    A newer one is unknown.
    """
    level = stated_level(release, cann, row)
    if level >= Level.COMPATIBLE or release.basis == "inferred":
        return level
    oldest = oldest_cann(release)
    is_older = oldest is not None and cann < oldest
    return Level.BROKEN if is_older else level


def stated_level(release: TorchNpuRelease, cann: Version, row: CannRelease | None) -> Level:
    """RECOMMENDED or COMPATIBLE where a table says so, else UNKNOWN.

    An alpha or beta counts as the release that it leads to, at most as compatible; a community name such as
    8.0.0.beta1 is no beta but an alias.
    """
    versions = (cann, row.version, *row.aliases) if row is not None else (cann,)
    if cann.is_alpha and (row is None or row.version.is_alpha):
        return min(_stated(release, (*versions, vendor(cann.base))), Level.COMPATIBLE)
    return _stated(release, versions)


def _stated(release: TorchNpuRelease, versions: tuple[Version, ...]) -> Level:
    if _any_covers(release.cann, versions):
        return Level.COMPATIBLE if release.basis == "inferred" else Level.RECOMMENDED
    return Level.COMPATIBLE if _any_covers(release.cann_compatible, versions) else Level.UNKNOWN


def oldest_cann(release: TorchNpuRelease) -> Version | None:
    """The oldest CANN that `release` was stated for; a line counts from its first version on."""
    spans = release.cann + release.cann_compatible
    return min((_start(span) for span in spans), default=None)


def _start(span: Version | VersionLine) -> Version:
    return vendor(".".join(map(str, span.release)) + ".dev0") if isinstance(span, VersionLine) else span


def _any_covers(spans: Iterable[Version | VersionLine], versions: Iterable[Version]) -> bool:
    # A search asks this tens of thousands of times, hence no generator.
    for span in spans:
        for version in versions:
            if covers(span, version):
                return True
    return False
