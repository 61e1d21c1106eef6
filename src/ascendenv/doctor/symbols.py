"""What the symbol tables say about missing functions, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.signals.exports import who_calls, who_exports
from ascendenv.versions import Version, pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.exports import Callers, Exporters

__all__ = ["TorchFit", "about_callers", "about_symbol", "oldest_cann", "torch_fit"]


@dataclass(frozen=True)
class TorchFit:
    """Which torch releases have all of some symbols that were missing; `symbols` are those that the tables know."""

    symbols: tuple[Exporters, ...]

    @property
    def torch(self) -> tuple[Version, ...]:
        """The releases that have all of them, the oldest first."""
        return tuple(one for one in self.known if all(one in symbol.torch for symbol in self.symbols))

    @property
    def known(self) -> tuple[Version, ...]:
        """The releases of which all of them are known."""
        first, *rest = self.symbols
        return tuple(one for one in first.known if all(one in symbol.known for symbol in rest))

    @property
    def torch_npu(self) -> tuple[Version, ...]:
        """The torch_npu versions that need all of them."""
        first, *rest = self.symbols
        return tuple(one for one in first.torch_npu if all(one in symbol.torch_npu for symbol in rest))

    def has(self, torch: Version) -> bool | None:
        """Whether that torch has all of them; of one that was not read, what both of its neighbours say, else None."""
        release = pep440(torch.base)
        near = [max((one for one in self.known if one <= release), default=None)]
        near.append(min((one for one in self.known if one >= release), default=None))
        answers = {one in self.torch for one in near}
        return answers.pop() if None not in near and len(answers) == 1 else None

    @property
    def is_everywhere(self) -> bool:
        """Whether every known release has all of them."""
        return self.torch == self.known

    def releases(self) -> Message:
        """A sentence that tells which torch releases have them."""
        what, having, known = self._what(), self.torch, self.known
        if not having:
            return say("no release of torch has {what}: libraries of several releases are mixed", what=what)
        first, last = having[0], having[-1]
        if self.is_everywhere:
            return self._everywhere(what)
        if first == last:
            return say("of the releases of torch only {version} has {what}", version=first, what=what)
        if first == known[0]:
            following = known[known.index(last) + 1 :]
            if following:
                return say(
                    "torch has {what} up to {last}, no longer from {next} on",
                    what=what,
                    last=last,
                    next=following[0],
                )
        elif last == known[-1]:
            return say("torch has {what} from {first} on only", what=what, first=first)
        return say("torch has {what} from {first} to {last} only", what=what, first=first, last=last)

    def askers(self) -> Message:
        """A phrase that tells which torch_npu asks for them."""
        asking = self.torch_npu
        if not asking:
            return say("no one release of torch_npu asks for all of them")
        if len(asking) == 1:
            return say("torch_npu {version} asks for it", version=asking[0])
        return say("torch_npu {first} to {last} ask for it", first=asking[0], last=asking[-1])

    def _what(self) -> Message:
        if len(self.symbols) == 1:
            return say("this function")
        return say("all {count} missing functions", count=len(self.symbols))

    def _everywhere(self, what: Message) -> Message:
        first, last = self.known[0], self.known[-1]
        forms = {symbol.string_abi for symbol in self.symbols}
        if "old" in forms:
            return say(
                "only torch built with the old form of std::string has {what}: on the package index the wheels up to {last}",
                what=what,
                last=last,
            )
        if "new" in forms:
            return say(
                "only torch built with the new form of std::string has {what}: on the package index the wheels from {first} on",
                what=what,
                first=first,
            )
        return say(
            "every torch from {first} to {last} has {what}, so the torch that is loaded is not whole",
            what=what,
            first=first,
            last=last,
        )


def torch_fit(symbols: Iterable[str]) -> TorchFit | None:
    """What the tables say about these missing symbols of torch; None when they know none of them."""
    found = tuple(one for one in map(who_exports, dict.fromkeys(symbols)) if one is not None)
    return TorchFit(found) if found else None


def oldest_cann(matrix: Matrix, functions: Iterable[str]) -> tuple[str, Version] | None:
    """The function that asks for the newest CANN, and the oldest CANN that a torch_npu bound to it is made for."""
    found = [
        (min(releases), name)
        for name in dict.fromkeys(functions)
        if (callers := who_calls(name)) is not None and (releases := _made_for(matrix, callers.bound_by))
    ]
    if not found:
        return None
    cann, name = max(found)
    return name, cann


def _made_for(matrix: Matrix, torch_npu: Iterable[Version]) -> list[Version]:
    rows = [row for version in torch_npu if (row := matrix.find_torch_npu(version)) is not None]
    return [row.cann[0] for row in rows if row.cann and isinstance(row.cann[0], Version)]


def about_symbol(symbol: str, matrix: Matrix) -> Sequence[Message]:
    """All that the tables know of a symbol or function; empty when it is in none of them."""
    fit = torch_fit([symbol])
    if fit is not None:
        return [fit.releases(), fit.askers()]
    callers = who_calls(symbol)
    return about_callers(callers, matrix) if callers is not None else []


def about_callers(callers: Callers, matrix: Matrix) -> list[Message]:
    """Who calls a function of CANN, and which CANN they are made for."""
    found = []
    if callers.bound_by:
        found.append(
            say(
                "torch_npu {first} is the oldest that cannot be loaded without it, {last} the newest",
                first=callers.bound_by[0],
                last=callers.bound_by[-1],
            )
        )
    if callers.looked_up_by:
        found.append(
            say(
                "torch_npu {first} is the oldest that asks for it while it runs, {last} the newest",
                first=callers.looked_up_by[0],
                last=callers.looked_up_by[-1],
            )
        )
    if releases := _made_for(matrix, callers.bound_by or callers.looked_up_by):
        found.append(say("they are made for CANN {cann} and newer", cann=min(releases)))
    return found
