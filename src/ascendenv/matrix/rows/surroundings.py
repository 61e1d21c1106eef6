"""What stands around the stack: operating systems, projects that build on it, machines that ran it."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic and `decode` read the annotations)
from dataclasses import dataclass, field
from typing import Literal

from ascendenv.matrix.fields import (  # noqa: TC001  (pydantic and `decode` read the annotations)
    PythonRange,
    PythonVersion,
    VendorRange,
    VendorSpan,
    VendorVersion,
)
from ascendenv.matrix.rows.base import Arch, Row, Sourced

__all__ = ["Attested", "OsMinimum", "OsSupport", "OsSystem", "Used", "UsedBy"]


@dataclass(frozen=True, kw_only=True)
class OsSystem(Sourced):
    """An operating system release and the architectures for which it is listed; `id` as in os-release."""

    id: str
    release: str
    arch: tuple[Arch, ...] = ()
    products: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OsMinimum(Sourced):
    """The oldest driver and firmware that a product needs on an operating system."""

    product: str
    id: str
    release: str
    arch: tuple[Arch, ...]
    driver: VendorVersion
    firmware: VendorVersion


@dataclass(frozen=True, kw_only=True)
class OsSupport(Row):
    """The operating systems of one chip family. The lists are not complete: absence proves nothing."""

    family: str
    systems: tuple[OsSystem, ...] = ()
    minimum: tuple[OsMinimum, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Used(Sourced):
    """One release of a project that builds on the stack, and what it asks for."""

    version: str
    kind: Literal["release", "branch", "image", "guide"] = "release"
    cann: VendorVersion | None = None
    cann_compatible: tuple[VendorSpan, ...] = ()
    hdk: str | None = None
    torch: PythonVersion | None = None
    torch_npu: PythonVersion | None = None
    torch_npu_product: VendorSpan | None = None
    torch_npu_products: tuple[VendorSpan, ...] = ()
    triton_ascend: PythonVersion | None = None
    python: PythonRange | None = None
    families: tuple[str, ...] = ()
    vllm: str | None = None
    mindspore: str | None = None
    torchvision: PythonVersion | None = None
    torchaudio: PythonVersion | None = None
    base_images: Mapping[str, str] = field(default_factory=dict)
    released: str | None = None


@dataclass(frozen=True, kw_only=True)
class UsedBy(Row):
    """A project that builds on the stack, newest release first."""

    project: str
    package: str | None = None
    releases: tuple[Used, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Attested(Sourced):
    """One real machine that somebody described: it ran this set, which does not prove that everything worked."""

    torch_npu: PythonVersion
    torch: PythonVersion
    cann: VendorRange | None = None
    chip: str | None = None
    hdk: str | None = None
