"""The vendor's packages of a stack: which files they are, where they lie, and whether somebody published their hash."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ascendenv.lock.model import UNVERIFIED, Artefact
from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.lock.model import Component
    from ascendenv.matrix.artefacts import Artefacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.artefacts import Artefact as Known
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.versions import Version

__all__ = ["VendorFiles", "merged"]

_OPS = ("ops", "kernels")
"""The package with a chip's operators; it was called kernels before CANN 8.5.0."""


class VendorFiles:
    """The files of driver, firmware and CANN for the chip family of a stack."""

    def __init__(self, matrix: Matrix, known: Artefacts, family: str | None) -> None:
        self._matrix = matrix
        self._known = known
        self._family = family

    def hdk(
        self, driver: Version | None, firmware: Version | None, release: str | None, arch: Arch
    ) -> Iterator[Artefact]:
        """Driver and firmware of that HDK release: in one archive where it has a hash, else one by one."""
        if driver is not None and (bundle := self._bundle(driver, firmware, release, arch)) is not None:
            yield bundle
            return
        if driver is not None:
            yield self._file("driver", driver, release or str(driver), arch)
        if firmware is not None:
            yield self._file("firmware", firmware, release or "", arch)

    def cann(self, versions: dict[Component, Version], arch: Arch) -> Iterator[Artefact]:
        """Toolkit, ops and NNAL in those versions."""
        for component, version in versions.items():
            yield self._file(component, version, str(version), arch)

    def has_nnal(self, cann: Version, arch: Arch) -> bool:
        """Whether that CANN comes with an NNAL."""
        named = self._matrix.package_name("nnal", cann, family=self._family, arch=arch)
        return named is not None or bool(self._known.find("cann", str(cann), "nnal", arch=arch))

    def _bundle(
        self, driver: Version, firmware: Version | None, release: str | None, arch: Arch
    ) -> Artefact | None:
        """The archive of exactly this driver with its own firmware."""
        hdk = self._matrix.hdk.get(release or "")
        pair = hdk.pair_for(self._family) if hdk is not None else None
        if hdk is None or pair is None or (pair.driver, pair.firmware) != (driver, firmware):
            return None
        found = self._known.find("hdk", hdk.name, "bundle", family=self._family, arch=arch)
        known = next((one for one in found if one.sha256 is not None and _is(one.version, driver)), None)
        if known is None:
            return None
        inside = (("driver", driver), ("firmware", firmware))
        names = [self._name(package, version, arch) for package, version in inside if version is not None]
        return replace(_artefact("hdk", known), holds=tuple(name for name in names if name is not None))

    def _file(self, component: Component, version: Version, release: str, arch: Arch) -> Artefact:
        """The file of that package as far as known: without address where no source has one."""
        where = "hdk" if component in ("driver", "firmware") else "cann"
        for package in _OPS if component == "ops" else (component,):
            found = self._known.find(where, release, package, family=self._family, arch=arch)
            fitting = (one for one in found if _is(one.version, version) and self._is_own(component, one))
            known = next(fitting, None)
            if known is not None:
                name = self._name(component, version, arch)
                holds = (name,) if known.format == "zip" and name is not None else ()
                return replace(_artefact(component, known), holds=holds)
        return Artefact(
            component=component,
            name=component,
            version=str(version),
            verified=UNVERIFIED,
            file=self._name(component, version, arch),
            arch=None if component == "firmware" else arch,
        )

    def _is_own(self, component: Component, known: Known) -> bool:
        """Whether the file is for this chip; those of all chips count only where all chips share the package."""
        return known.family == self._family if component in ("driver", "firmware", "ops") else True

    def _name(self, package: str, version: Version, arch: Arch) -> str | None:
        name = self._matrix.package_name(package, version, family=self._family, arch=arch)
        return None if name is None or "<" in name else name


def merged(by_arch: dict[Arch, Iterable[Artefact]]) -> tuple[Artefact, ...]:
    """The files of all architectures in a fixed order; what all of them take stands once."""
    files = {arch: set(some) for arch, some in by_arch.items()}
    shared = set.intersection(*files.values()) if files else set()
    own = {replace(one, arch=arch) for arch, some in files.items() for one in some - shared}
    return tuple(
        sorted(shared | own, key=lambda one: (one.component, one.name, one.arch or "", one.file or ""))
    )


def _artefact(component: Component, known: Known) -> Artefact:
    verified = known.verified_by if known.sha256 is not None else None
    return Artefact(
        component=component,
        name=known.package,
        version=known.version,
        verified=verified or UNVERIFIED,
        file=known.filename,
        arch=known.arch,
        size=known.size,
        sha256=known.sha256,
        urls=() if known.url is None else (known.url,),
        referer=known.referer,
    )


def _is(text: str, version: Version) -> bool:
    try:
        return vendor(text) == version
    except InvalidVersion:
        return text == str(version)
