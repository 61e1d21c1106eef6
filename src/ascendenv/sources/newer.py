"""How a stack that is in use stands against the matrix: newer recommended sets, and what is at the end of its life."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal

from ascendenv.matrix.fit import hdk_cell
from ascendenv.matrix.level import Level
from ascendenv.matrix.model import installable
from ascendenv.matrix.pick import fulfilling
from ascendenv.matrix.relations import judge
from ascendenv.matrix.wishes import Wishes
from ascendenv.versions import VersionRange

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.matrix.given import Given
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.stack import Stack
    from ascendenv.versions import Version

__all__ = ["Age", "EndOfLife", "Newer", "Role", "age_of"]

Role = Literal["newest", "same torch", "same CANN"]
_COMPONENTS = ("driver", "firmware", "cann", "torch", "torch_npu", "python")


@dataclass(frozen=True)
class EndOfLife:
    """A component that nobody mends any more, or from `since` on will not (`is_over` False); None where no day is told."""

    component: str
    version: str
    since: str | None
    is_over: bool
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Newer:
    """A newer recommended set: what it is among the newer ones, and what changes, as component, before and after.

    `driver_can_stay` where the driver in use is another one and carries the set, too, though it is not the one paired.
    """

    stack: Stack
    roles: tuple[Role, ...]
    changes: tuple[tuple[str, str, str], ...]
    driver_can_stay: bool = False


@dataclass(frozen=True)
class Age:
    """What the matrix says of a stack in use; `newer` newest first, `level` None where nothing could be judged."""

    given: Given
    level: Level | None
    ends: tuple[EndOfLife, ...]
    newer: tuple[Newer, ...]

    @property
    def is_outdated(self) -> bool:
        """Whether there is something newer, or something is over."""
        return bool(self.newer) or any(one.is_over for one in self.ends)


def age_of(matrix: Matrix, given: Given, *, today: str) -> Age:
    """How old the stack is on that day. It must name CANN, torch or torch_npu."""
    judgement = judge(matrix, given, today=today)
    found = _with_roles(list(_newer(matrix, given, today)), given)
    return Age(
        given,
        judgement.verdict if judgement.relations else None,
        tuple(_ends(matrix, given, today)),
        tuple(_set(matrix, given, stack, roles) for stack, roles in found),
    )


def _set(matrix: Matrix, given: Given, stack: Stack, roles: tuple[Role, ...]) -> Newer:
    changes = tuple(_changes(given, stack))
    can_stay = any(name == "driver" for name, _, _ in changes) and _carries(matrix, given, stack.cann)
    return Newer(stack, roles, changes, can_stay)


def _ends(matrix: Matrix, given: Given, today: str) -> Iterator[EndOfLife]:
    torch_npu = matrix.find_torch_npu(given.torch_npu) if given.torch_npu is not None else None
    cann = matrix.find_cann(given.cann) if given.cann is not None else None
    torch = given.torch or (torch_npu.torch if torch_npu is not None else None)
    line = matrix.find_torch(torch) if torch is not None else None
    for name, version, row in (("torch", line and line.torch, line), ("cann", given.cann, cann)):
        life = row.lifecycle if row is not None else None
        if row is None or life is None:
            continue
        is_over = life.state(today) == "eol"
        announced = life.next_from if life.next_status == "eol" else None
        if is_over or announced is not None:
            yield EndOfLife(name, str(version), life.eol or announced, is_over, row.sources)


def _newer(matrix: Matrix, given: Given, today: str) -> Iterator[Stack]:
    """Recommended sets of which no part is older and one is newer, newest first."""
    wishes = Wishes(
        chip=given.chip,
        product=given.product,
        arch=given.arch,
        cann=VersionRange(f">={given.cann}", "vendor") if given.cann is not None else None,
        torch=_from(given.torch),
        torch_npu=_from(given.torch_npu),
    )
    for stack in fulfilling(matrix, wishes, today=today):
        if stack.level < Level.RECOMMENDED or stack.end_of_life:
            return
        if _is_newer(stack, given):
            yield _keeping(matrix, stack, given)


def _from(version: Version | None) -> VersionRange | None:
    return None if version is None else VersionRange(f">={version.public}", "pep440")


def _is_newer(stack: Stack, given: Given) -> bool:
    pairs = [
        (stack.cann, given.cann),
        (stack.torch, given.torch and _bare(given.torch)),
        (stack.torch_npu, given.torch_npu and _bare(given.torch_npu)),
    ]
    return any(own is not None and new > own for new, own in pairs)


def _bare(version: Version) -> Version:
    return replace(version, text=version.public)


def _keeping(matrix: Matrix, stack: Stack, given: Given) -> Stack:
    """The set with the Python that is in use, where there are wheels for it."""
    release = matrix.find_torch_npu(stack.torch_npu)
    if given.python is not None and release is not None and installable(release, given.python, given.arch):
        return replace(stack, python=given.python)
    return stack


def _carries(matrix: Matrix, given: Given, cann: Version) -> bool:
    """Whether CANN's table says yes to the driver in use, or to the HDK release that it belongs to."""
    row = matrix.find_cann(cann)
    if row is None or given.driver is None:
        return False
    chip = matrix.find_chip(given.chip) if given.chip is not None else None
    product = matrix.find_product(given.product) if given.product is not None else None
    family = chip.family if chip is not None else product.family if product is not None else None
    hdk = matrix.find_hdk(given.driver)
    names = (given.driver, *((hdk.hdk,) if hdk is not None else ()))
    cells = (
        hdk_cell(row, one, family=family, product=product.name if product is not None else None)
        for one in names
    )
    cell = next((one for one in cells if one is not None), None)
    return cell is not None and Level.named(cell.level) >= Level.COMPATIBLE


def _with_roles(stacks: Sequence[Stack], given: Given) -> list[tuple[Stack, tuple[Role, ...]]]:
    """The sets with what makes them worth a look: the newest of all, with the same torch, and with the same CANN."""
    torch = given.torch or given.torch_npu
    groups: dict[Role, list[Stack]] = {
        "newest": list(stacks),
        "same torch": [one for one in stacks if torch is not None and one.torch.base == torch.base],
        "same CANN": [one for one in stacks if given.cann is not None and one.cann == given.cann],
    }
    best = {role: max(some, key=_newness) for role, some in groups.items() if some}
    ordered = sorted(stacks, key=_newness, reverse=True)
    return [(one, tuple(role for role, other in best.items() if other is one)) for one in ordered]


def _newness(stack: Stack) -> tuple[Version, Version]:
    return stack.cann, stack.torch_npu


def _changes(given: Given, stack: Stack) -> Iterator[tuple[str, str, str]]:
    known = {one.name for one in fields(given)}
    for name in _COMPONENTS:
        before: Version | None = getattr(given, name) if name in known else None
        after: Version | None = getattr(stack, name)
        if before is not None and after is not None and not _is_same(before, after):
            yield name, str(before), str(after)


def _is_same(before: Version, after: Version) -> bool:
    return before == after or (before.scheme == "pep440" and before.public == after.public)
