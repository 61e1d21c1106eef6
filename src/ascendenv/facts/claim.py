"""What one line says about one fact, and how much that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import (
        CannComponent,
        CannInstall,
        Confinement,
        DeviceNode,
        DeviceOwner,
        Disk,
        DriverInfo,
        Holder,
        Interpreter,
        KernelState,
        Link,
        Npu,
        NpuPort,
        NpuProcess,
        OpsPackage,
        OsRelease,
        Package,
        PciFunction,
        RuntimeLibrary,
        Unseen,
        User,
    )
    from ascendenv.versions import Version

    Value: TypeAlias = (
        "Version | str | bool | int | float | tuple[str, str] | OsRelease | User | Npu | NpuProcess | DriverInfo"
        " | DeviceNode | NpuPort | CannInstall | OpsPackage | Package | PciFunction | KernelState | Holder | Link"
        " | Interpreter | DeviceOwner | Confinement | CannComponent | Disk | Unseen | RuntimeLibrary | None"
    )

__all__ = ["Claim", "Weight"]


class Weight(IntEnum):
    """How a value became known; the higher outranks the lower."""

    HINT = 0
    """Something that happens to stand in a path or a prompt."""
    STATED = 1
    """Written down by a person, or fixed by the name of an image."""
    LISTED = 2
    """Printed by a tool that looks things up: pip, env, a collect_env script."""
    MEASURED = 3
    """Told by the thing itself: a version record, npu-smi, the imported module."""


@dataclass(frozen=True)
class Claim:
    """`value` for the field `fact` of `HostFacts`.

    For a field that is a collection, `value` is one element of it, or None where the collection was shown and is empty
    (`packages`: is complete). Elements of `environment` are pairs of name and value.
    """

    fact: str
    value: Value
    weight: Weight
    line: Evidence
