"""Which NNAL is in use: its C++ string ABI and its release."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["abi_in_use", "fits_release", "trees_in"]

_TREE = re.compile(r"(?P<root>/[^:\s]*?)/atb/cxx_abi_(?P<abi>[01])(?=/|$)")


def abi_in_use(facts: HostFacts, signals: Signals) -> int | None:
    """The ABI (0 or 1) of the ATB tree that is loaded or named; None where nothing tells or two are named."""
    if (told := known(facts.nnal_cxx_abi)) is not None:
        return told
    named = {int(one.get("abi")) for one in signals.of("nnal-abi-loaded")}
    named = named or {abi for _, abi in trees_in(known(facts.environment) or {})}
    return named.pop() if len(named) == 1 else None


def trees_in(environment: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
    """Root and ABI of each ATB tree that the variables name, in their order."""
    values = (environment.get(name, "") for name in ("ATB_HOME_PATH", "LD_LIBRARY_PATH"))
    found = (match for value in values for part in value.split(":") if (match := _TREE.search(part)))
    return tuple(dict.fromkeys((match["root"], int(match["abi"])) for match in found))


def fits_release(facts: HostFacts, matrix: Matrix) -> bool | None:
    """Whether NNAL and CANN are of one release; None where one of both is not known."""
    nnal, cann = known(facts.nnal), known(facts.cann)
    if nnal is None or cann is None:
        return None
    row = matrix.find_cann(cann)
    called = (cann, *((row.version, *row.aliases) if row is not None else ()))
    return any(nnal == one or nnal.belongs_to(one) or cann.belongs_to(nnal) for one in called)
