"""A lock made from what a working machine runs, and the list of what could not be known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from ascendenv.errors import NothingChecked
from ascendenv.facts.unknown import Unknown, known
from ascendenv.language import say
from ascendenv.lock.compose import level_name, reasons_of
from ascendenv.lock.model import Part, Stack
from ascendenv.lock.vendor_files import VendorFiles
from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.relations import judge
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.lock.compose import Known
    from ascendenv.lock.model import Artefact, Component
    from ascendenv.matrix.relations import Judgement
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.versions import Version

__all__ = ["Adopted", "adopted"]

_TELLING = ("driver", "cann", "torch_npu")
"""A machine of which none of these is known runs no stack."""
_WANTED = ("chip", "driver", "firmware", "cann", "nnal", "python", "torch", "torch_npu", "packages")


@dataclass(frozen=True)
class Adopted:
    """The stack of a machine without its wheels, and what could not be known of it."""

    stack: Stack
    unknown: tuple[Message, ...]

    def with_wheels(self, wheels: tuple[Artefact, ...], unknown: tuple[Message, ...]) -> Adopted:
        """The same with the wheels of its Python environment, and what could not be known of those."""
        told = (*self.unknown, *unknown)
        parts = tuple(
            replace(one, artefacts=wheels) if one.name == "python" else one for one in self.stack.parts
        )
        stack = replace(self.stack, parts=parts, unknown=tuple(one.text() for one in told))
        return Adopted(stack, told)


def adopted(facts: HostFacts, name: str, world: Known) -> Adopted:
    """The stack that the machine of these facts runs; raises NothingChecked where it runs none."""
    arch = known(facts.arch)
    given = _given(facts)
    if arch not in ("aarch64", "x86_64") or not any(getattr(given, one) for one in _TELLING):
        raise NothingChecked(
            say("no stack was seen there that could become a lock"),
            hint=say("collect on a machine with a driver, CANN or torch_npu: `ascendenv collect -o FILE`"),
        )
    judgement = judge(world.matrix, given)
    stack = _stack(name, world, given, cast("Arch", arch), known(facts.nnal))
    stack = replace(stack, level=level_name(judgement.verdict), reasons=tuple(reasons_of([judgement])))
    unknown = tuple(dict.fromkeys([*_unknown(facts, given), *_doubts(judgement), *_nameless(stack)]))
    return Adopted(stack, ()).with_wheels((), unknown)


def _given(facts: HostFacts) -> Given:
    os = known(facts.os)
    return Given(
        chip=known(facts.chip),
        driver=known(facts.driver) or known(facts.driver_on_disk),
        firmware=known(facts.firmware) or known(facts.firmware_on_disk),
        cann=known(facts.cann),
        ops=_ops(facts),
        torch=known(facts.torch),
        torch_npu=known(facts.torch_npu),
        python=known(facts.python),
        arch=known(facts.arch),
        os=f"{os.id} {os.version}" if os is not None and os.version is not None else None,
    )


def _ops(facts: HostFacts) -> Version | None:
    """The version of the ops package, where there is only one."""
    versions = {one.version for one in known(facts.ops) or () if one.version is not None}
    return next(iter(versions)) if len(versions) == 1 else None


def _stack(name: str, world: Known, given: Given, arch: Arch, nnal: Version | None) -> Stack:
    matrix = world.matrix
    chip = matrix.find_chip(given.chip) if given.chip is not None else None
    family = chip.family if chip is not None else None
    hdk = matrix.find_hdk(given.driver) if given.driver is not None else None
    vendor = VendorFiles(matrix, world.artefacts, family)
    packages: Mapping[Component, Version | None] = {"toolkit": given.cann, "ops": given.ops, "nnal": nnal}
    cann = {component: version for component, version in packages.items() if version is not None}
    torch = pep440(given.torch.public) if given.torch is not None else None  # its wheel tells the build
    hdk_files = vendor.hdk(given.driver, given.firmware, hdk.name if hdk is not None else None, arch)
    parts = (
        Part(
            name="hdk",
            values=_values({"driver": given.driver, "firmware": given.firmware}),
            artefacts=tuple(hdk_files),
        ),
        Part(name="cann", values=_values(cann), artefacts=tuple(vendor.cann(cann, arch))),
        Part(
            name="python",
            values=_values({"python": given.python, "torch": torch, "torch_npu": given.torch_npu}),
        ),
    )
    return Stack(
        name=name,
        arch=(arch,),
        parts=parts,
        chip=chip.name if chip is not None else None,
        family=family,
        os=given.os,
        release=hdk.name if hdk is not None else None,
        matrix=world.digest,
    )


def _values(
    versions: Mapping[str, Version | None] | Mapping[Component, Version],
) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(version)) for name, version in versions.items() if version is not None)


def _unknown(facts: HostFacts, given: Given) -> Iterator[Message]:
    for name in _WANTED:
        fact = getattr(facts, name)
        if isinstance(fact, Unknown) and getattr(given, name, None) is None:
            yield say("{what}: {reason}", what=name, reason=fact.reason)
    for name in ("driver", "firmware"):
        runs, lies = known(getattr(facts, name)), known(getattr(facts, f"{name}_on_disk"))
        if runs is None and lies is not None:
            yield say("{what} {version} lies on disk; whether it runs was not seen", what=name, version=lies)
        elif runs is not None and lies is not None and runs != lies:
            yield say("{what} {runs} runs, and {lies} lies on disk", what=name, runs=runs, lies=lies)
    if given.ops is None:
        yield say("the ops package: none was seen, or several")
    packages = known(facts.packages)
    if packages is not None and not packages.complete:
        yield say("the Python packages: only some of them were seen")


def _doubts(judgement: Judgement) -> Iterator[Message]:
    """What the matrix says against the set, which runs all the same."""
    for one in judgement.relations:
        if one.level < Level.COMPATIBLE:
            yield say("{parts}: {why}", parts=" + ".join(one.between), why=one.why)
    yield from judgement.unknown


def _nameless(stack: Stack) -> Iterator[Message]:
    for one in stack.artefacts():
        if one.sha256 is None:
            yield say("{file}: no source publishes its hash", file=one.file or f"{one.name} {one.version}")
