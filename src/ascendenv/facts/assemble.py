"""Claims put together: for each fact the best-founded value, or why there is none."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from ascendenv.facts.chips import chip_family
from ascendenv.facts.model import (
    CannComponent,
    CannInstall,
    DeviceNode,
    DeviceOwner,
    Disk,
    Holder,
    HostFacts,
    Link,
    Npu,
    NpuPort,
    NpuProcess,
    OpsPackage,
    OsRelease,
    Package,
    Packages,
    PciFunction,
    RuntimeLibrary,
    Unseen,
    User,
)
from ascendenv.facts.toolkit import resolve, used_root
from ascendenv.facts.unknown import NOT_GIVEN, Unknown
from ascendenv.language import say
from ascendenv.versions import Version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from ascendenv.facts.claim import Claim
    from ascendenv.facts.evidence import Evidence

    Outcome: TypeAlias = "tuple[object, tuple[Evidence, ...]]"

__all__ = ["assembled"]

_MOST_LINES = 64  # a table of a thousand cards is not quoted in full


def assembled(claims: Iterable[Claim]) -> HostFacts:
    """The facts that follow from `claims`; where two of equal weight disagree, the fact is unknown."""
    by_fact: dict[str, list[Claim]] = {}
    for claim in claims:
        by_fact.setdefault(claim.fact, []).append(claim)
    values: dict[str, object] = {}
    provenance: dict[str, tuple[Evidence, ...]] = {}
    for fact, given in by_fact.items():
        collect = _COLLECTIONS.get(fact, _strongest)
        values[fact], provenance[fact] = collect(given)
    _decide_toolkit(values, provenance)
    return HostFacts(**cast("Any", values), provenance=MappingProxyType(provenance))


def _decide_toolkit(values: dict[str, object], provenance: dict[str, tuple[Evidence, ...]]) -> None:
    """Sets `cann` and marks the install in use. A record that was printed outranks what people say."""
    installs = cast("tuple[CannInstall, ...]", values.get("cann_installs", ()))
    environment = cast("Mapping[str, str]", values.get("environment", {}))
    told = cast("Version | Unknown", values.get("cann", NOT_GIVEN))
    if not installs and not used_root(environment):
        return
    found, values["cann"] = resolve(installs, environment, told)
    if found:
        values["cann_installs"] = found
    if values["cann"] is not told:
        provenance["cann"] = (*_toolkit_lines(provenance), *provenance.get("cann_installs", ()))


def _toolkit_lines(provenance: Mapping[str, tuple[Evidence, ...]]) -> Iterator[Evidence]:
    """The lines of the environment that tell which toolkit is in use."""
    for line in provenance.get("environment", ()):
        if any(name in line.text for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT", "LD_LIBRARY_PATH")):
            yield line


def _strongest(claims: Sequence[Claim]) -> Outcome:
    weight = max(claim.weight for claim in claims)
    best = [claim for claim in claims if claim.weight == weight]
    values = _distinct(best)
    if len(values) > 1:
        shown = ", ".join(dict.fromkeys(_shown(value) for value in values))
        return Unknown(say("the input names several: {values}", values=shown)), _lines(best)
    return values[0], _lines(best)


def _distinct(claims: Sequence[Claim]) -> list[object]:
    """The different values; of two versions of which one only says more than the other, the longer."""
    values: list[object] = []
    for claim in claims:
        for place, value in enumerate(values):
            if value == claim.value or _says_more(value, claim.value):
                break
            if _says_more(claim.value, value):
                values[place] = claim.value
                break
        else:
            values.append(claim.value)
    return values


def _says_more(longer: object, shorter: object) -> bool:
    """Whether one value is the other with more told: 3.10.14 and 3.10, 2.9.0+cpu and 2.9.0, Ascend910B3 and 910B."""
    if isinstance(longer, Version) and isinstance(shorter, Version):
        return _extends(str(longer), str(shorter))
    if isinstance(longer, OsRelease) and isinstance(shorter, OsRelease):
        if longer.id != shorter.id:
            return False
        return longer.version == shorter.version or _extends(longer.version or "", shorter.version or "")
    if isinstance(longer, User) and isinstance(shorter, User):
        return None in (shorter.uid, shorter.name) and shorter.uid in (None, longer.uid)
    if isinstance(longer, str) and isinstance(shorter, str):
        return chip_family(longer) == shorter or longer.startswith((f"{shorter}_", f"{shorter}."))
    return False


def _extends(longer: str, shorter: str) -> bool:
    rest = longer.lower().removeprefix(shorter.lower())
    return bool(rest) and (not shorter or (len(rest) < len(longer) and rest[0] in ".+"))


def _shown(value: object) -> str:
    return str(getattr(value, "text", value))


def _lines(claims: Sequence[Claim]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(claim.line for claim in claims))[:_MOST_LINES]


def _collected(kind: type, key: Callable[[Any], object]) -> Callable[[Sequence[Claim]], Outcome]:
    """Puts elements in one tuple; of two with the same key the one told later stays."""

    def collect(claims: Sequence[Claim]) -> Outcome:
        elements = {key(claim.value): claim.value for claim in claims if isinstance(claim.value, kind)}
        return tuple(elements.values()), _lines(claims)

    return collect


def _ports(claims: Sequence[Claim]) -> Outcome:
    """Link, address and switch of a port come from different commands."""
    by_device: dict[int, NpuPort] = {}
    for port in (claim.value for claim in claims):
        if isinstance(port, NpuPort):
            told = {name: value for name, value in vars(port).items() if value is not None}
            by_device[port.device] = replace(by_device.get(port.device, port), **told)
    return tuple(by_device.values()), _lines(claims)


def _packages(claims: Sequence[Claim]) -> Outcome:
    by_name: dict[str, Package] = {}
    for claim in sorted(claims, key=lambda claim: claim.weight):
        if isinstance(claim.value, Package):
            by_name[claim.value.name] = claim.value
    complete = any(claim.value is None for claim in claims)
    return Packages(MappingProxyType(by_name), complete=complete), _lines(claims)


def _environment(claims: Sequence[Claim]) -> Outcome:
    variables: dict[str, str] = {}
    for claim in sorted(claims, key=lambda claim: claim.weight):
        if isinstance(claim.value, tuple):
            name, value = claim.value
            before = variables.get(name, "")
            variables[name] = value.replace(f"${{{name}}}", before).replace(f"${name}", before)
    return MappingProxyType(variables), _lines(claims)


def _names(claims: Sequence[Claim]) -> Outcome:
    return frozenset(claim.value for claim in claims if isinstance(claim.value, str)), _lines(claims)


_COLLECTIONS: Mapping[str, Callable[[Sequence[Claim]], Outcome]] = {
    "npus": _collected(Npu, lambda npu: (npu.npu_id, npu.chip_id, npu.bus_id)),
    "npu_processes": _collected(NpuProcess, lambda one: (one.npu_id, one.pid)),
    "device_nodes": _collected(DeviceNode, lambda node: node.path),
    "ports": _ports,
    "ops": _collected(OpsPackage, lambda package: package),
    "cann_installs": _collected(CannInstall, lambda install: (install.version, install.path)),
    "mounts": _collected(str, lambda path: path),
    "mapped_libraries": _collected(str, lambda path: path),
    "picked_libraries": _collected(str, lambda path: path),
    "pci": _collected(PciFunction, lambda function: function.address),
    "ub_devices": _collected(str, lambda name: name),
    "holders": _collected(Holder, lambda holder: holder.pid),
    "device_owners": _collected(DeviceOwner, lambda owner: owner.device),
    "disks": _collected(Disk, lambda disk: disk.path),
    "runtime_libraries": _collected(RuntimeLibrary, lambda library: library.path),
    "unseen": _collected(Unseen, lambda part: part.what),
    "cann_components": _collected(CannComponent, lambda component: (component.root, component.name)),
    "evidence_tools": _collected(str, lambda path: path),
    "cann_links": _collected(Link, lambda link: link.path),
    "kernel_modules": _names,
    "cann_platforms": _names,
    "packages": _packages,
    "environment": _environment,
}
