"""A profile: the variables that a stack of a lock, its purposes and a site's own wishes lead to."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import Message, say
from ascendenv.lock.digest import stack_digest
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ascendenv.lock.model import Stack
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.matrix.rows.profiles import BaseLayer
    from ascendenv.matrix.rows.variables import Variable
    from ascendenv.matrix.variables import Catalogue
    from ascendenv.versions import Version

__all__ = ["PREFIX", "Profile", "profile_of"]

PREFIX = "/usr/local/Ascend"
"""Where the vendor's packages put Ascend software."""
_FIRST_NEW_ABI = (2, 7)
"""From this torch on the wheels for x86_64 are built with the new C++ ABI; those for aarch64 always were."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """`values` by name in the order in which they are exported; `lists` are the folders that stand first in a list.

    `foreign` are the patterns (`*` for any text) of list entries that belong to some CANN or ATB and have to go; `notes`
    tell what was left out or renamed, and why.
    """

    title: str
    digest: str
    matrix: str
    values: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    foreign: tuple[str, ...]
    notes: tuple[Message, ...] = ()

    @property
    def own_folders(self) -> tuple[str, ...]:
        """The folders of all lists that no pattern of `foreign` covers, each once, in the order of their names."""
        found = {folder for folders in self.lists.values() for folder in folders}
        return tuple(sorted(one for one in found if not any(fnmatchcase(one, some) for some in self.foreign)))


def profile_of(
    stack: Stack,
    catalogue: Catalogue,
    *,
    arch: Arch,
    purposes: Sequence[str] = (),
    overrides: Mapping[str, str] | None = None,
    prefix: str = PREFIX,
) -> Profile:
    """The profile of `stack`: base, then purposes, then the variables of the lock, then `overrides`; the last one counts.

    Without `purposes` the one that the lock names counts. Raises UnusableInput for a stack without CANN or a purpose
    that does not exist.
    """
    toolkit = stack.value("toolkit")
    if toolkit is None:
        raise UnusableInput(say("the stack {name} has no CANN, so there is nothing to set", name=stack.name))
    cann = vendor(toolkit)
    layers = [one for one in catalogue.layers(cann) if stack.value(one.needs) is not None]
    values, lists = _base(layers, _places(stack, cann, arch, prefix))
    named = tuple(purposes) or tuple(one for one in (stack.part("profile").value("purpose"),) if one)
    notes: list[Message] = []
    for name in named:
        for key, value in _settings(catalogue, name).items():
            if (fitting := _fitting(key, catalogue.variables, stack, cann, notes)) is not None:
                values[fitting] = value
    values |= _wished(stack)
    values |= overrides or {}
    _take_lists(values, lists)
    values["ASCENDENV_LOCK"] = stack_digest(stack)
    return Profile(
        title=" ".join((stack.name, *named)),
        digest=stack_digest(stack),
        matrix=stack.matrix or "",
        values=values,
        lists=lists,
        foreign=tuple(dict.fromkeys(one for layer in catalogue.layers(cann) for one in layer.foreign)),
        notes=tuple(notes),
    )


def _places(stack: Stack, cann: Version, arch: Arch, prefix: str) -> dict[str, str]:
    torch = stack.value("torch")
    new = arch == "aarch64" or torch is None or pep440(torch).release >= _FIRST_NEW_ABI
    return {"prefix": prefix, "version": str(cann), "arch": arch, "abi": "1" if new else "0"}


def _base(
    layers: Sequence[BaseLayer], places: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """What the scripts leave behind: a later script puts its folders before those of an earlier one."""
    values: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for layer in layers:
        known = {**places, "root": layer.root.format(**places)}
        for one in layer.exports:
            if one.value is None:
                own = tuple(folder.format(**known) for folder in one.first)
                lists[one.name] = (*own, *lists.get(one.name, ()))
            else:
                values[one.name] = one.value.format(**known)
    return values, lists


def _settings(catalogue: Catalogue, name: str) -> Mapping[str, str]:
    if name not in catalogue.purposes:
        names = ", ".join(sorted(catalogue.purposes))
        raise UnusableInput(
            say("there is no profile called {name}", name=repr(name)),
            hint=say("the profiles are: {names}", names=names),
        )
    return catalogue.purposes[name].settings


def _fitting(
    name: str, known: Mapping[str, Variable], stack: Stack, cann: Version, notes: list[Message]
) -> str | None:
    """The name that this CANN has for the variable; None where CANN or chip do not know it."""
    row = known[name]
    newer = known.get(row.replaced_by or "")
    renamed = row.replaced_from is None or row.replaced_from.contains(cann)
    if newer is not None and newer.kind == row.kind and renamed:
        notes.append(say("{old} is called {new} here", old=name, new=newer.name))
        return newer.name
    if row.cann is not None and not row.cann.contains(cann):
        notes.append(say("{name} is left out: CANN {version} does not know it", name=name, version=cann))
        return None
    if row.families and stack.family is not None and stack.family not in row.families:
        notes.append(say("{name} is left out: it is not for {chip}", name=name, chip=stack.family))
        return None
    return name


def _wished(stack: Stack) -> dict[str, str]:
    part = stack.part("profile")
    return {name[4:]: text for name, text in part.values if name.startswith("env.")}


def _take_lists(values: dict[str, str], lists: dict[str, tuple[str, ...]]) -> None:
    """A site's own value of a list variable stands before the vendor's folders instead of replacing them."""
    for name in [one for one in values if one in lists]:
        own = tuple(folder for folder in values.pop(name).split(":") if folder)
        lists[name] = (*own, *lists[name])
