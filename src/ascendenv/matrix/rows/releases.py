"""Releases: HDK, CANN, torch_npu and the torch it is made for."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic and `decode` read the annotations)
from dataclasses import dataclass, field
from typing import Literal

from ascendenv.matrix.fields import (  # noqa: TC001  (pydantic and `decode` read the annotations)
    PythonRange,
    PythonVersion,
    VendorSpan,
    VendorVersion,
    YesNo,
)
from ascendenv.matrix.rows.base import Arch, LevelName, Lifecycle, Row, Sourced
from ascendenv.versions import Version  # noqa: TC001  (pydantic and `decode` read the annotations)

__all__ = [
    "CannRelease",
    "FirmwareSpan",
    "HdkCell",
    "HdkPair",
    "HdkRelease",
    "TorchLine",
    "TorchNpuRelease",
]


@dataclass(frozen=True, kw_only=True)
class HdkCell(Sourced):
    """Whether a CANN release works with an HDK release or line; without families and products it holds for all."""

    hdk: VendorSpan
    level: LevelName
    families: tuple[str, ...] = ()
    products: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CannRelease(Sourced):
    """A CANN release. `chips` are the families that it has ops packages for, as far as told."""

    version: VendorVersion
    channel: Literal["release", "beta", "alpha"]
    layout: Literal["ascend-toolkit", "cann"]
    aliases: tuple[VendorVersion, ...] = ()
    released: str | None = None
    hdk_cells: tuple[HdkCell, ...] = ()
    python: PythonRange | None = None
    arch: tuple[Arch, ...] = ()
    chips: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    ops: tuple[VendorVersion, ...] = ()
    torch_npu_product: VendorSpan | None = None
    lifecycle: Lifecycle | None = None

    @property
    def recommended_hdk(self) -> tuple[HdkCell, ...]:
        """The HDK releases that this CANN is paired with."""
        return tuple(cell for cell in self.hdk_cells if cell.level == "recommended")


@dataclass(frozen=True)
class FirmwareSpan(Row):
    """An inclusive range of firmware versions, as a driver's version.info declares it."""

    low: VendorVersion
    high: VendorVersion

    def contains(self, firmware: Version) -> bool:
        """Whether `firmware` lies inside."""
        return self.low <= firmware <= self.high


@dataclass(frozen=True, kw_only=True)
class HdkPair(Sourced):
    """The driver and the firmware that one HDK release has for some families; None where not seen."""

    families: tuple[str, ...] = ()
    driver: VendorVersion | None = None
    firmware: VendorVersion | None = None
    builds: tuple[VendorVersion, ...] = ()
    accepts_firmware: tuple[FirmwareSpan, ...] = ()
    accepts_driver: tuple[VendorSpan, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HdkRelease(Sourced):
    """An HDK release: a name, and the driver and firmware versions behind it."""

    hdk: VendorVersion
    pairs: tuple[HdkPair, ...] = ()
    products: tuple[str, ...] = ()
    inner_version: str | None = None

    @property
    def name(self) -> str:
        """The name of the release, which is not the version of its driver."""
        return str(self.hdk)

    @property
    def driver(self) -> Version | None:
        """The version of its driver, of the first family where they differ."""
        return next((pair.driver for pair in self.pairs if pair.driver is not None), None)

    @property
    def firmware(self) -> Mapping[str, Version]:
        """Family -> firmware version, where it was seen."""
        return {
            family: pair.firmware
            for pair in self.pairs
            if pair.firmware is not None
            for family in pair.families
        }

    @property
    def families(self) -> tuple[str, ...]:
        """The chip families that this release was seen on or named for."""
        return tuple(dict.fromkeys(family for pair in self.pairs for family in pair.families))

    @property
    def ranges(self) -> tuple[FirmwareSpan, ...]:
        """The firmware ranges that its driver declares."""
        return tuple(span for pair in self.pairs for span in pair.accepts_firmware)

    def pair_for(self, family: str | None) -> HdkPair | None:
        """The pair for that family; the only or first one where the family is not known."""
        if family is None:
            return self.pairs[0] if self.pairs else None
        return next((pair for pair in self.pairs if family in pair.families), None)


@dataclass(frozen=True, kw_only=True)
class TorchNpuRelease(Sourced):
    """A torch_npu release: its CANN, the wheels that exist, and what they demand.

    `cann` is what it is made for, `cann_compatible` what it is stated to work with. Wheels map an architecture to
    Python tags, pins to the requirement text. `basis` tells how well the pair with CANN is known.
    """

    version: PythonVersion
    torch: PythonVersion
    basis: Literal["official", "attested", "inferred", "unknown"]
    cann: tuple[VendorSpan, ...] = ()
    cann_compatible: tuple[VendorSpan, ...] = ()
    product: VendorVersion | None = None
    released: str | None = None
    on_index: YesNo = False
    pythons_documented: tuple[PythonVersion, ...] = ()
    wheels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    platforms: Mapping[str, str] = field(default_factory=dict)
    torch_pin: Mapping[str, str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    triton_ascend: PythonVersion | None = None
    lifecycle: Lifecycle | None = None


@dataclass(frozen=True, kw_only=True)
class TorchLine(Sourced):
    """One torch version: its life with torch_npu, and what the default index gives for it (`cpu` or `cuda` builds)."""

    torch: PythonVersion
    lifecycle: Lifecycle | None = None
    pythons_documented: tuple[PythonVersion, ...] = ()
    default_index: Mapping[str, Literal["cpu", "cuda"]] = field(default_factory=dict)
    torchvision: PythonVersion | None = None
    torchaudio: PythonVersion | None = None
