"""What the checks of a run are called, for formats that list them all: JUnit, SARIF, HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.page import page_of
from ascendenv.language import active_language

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.doctor.check import Check

__all__ = ["Rule", "rules_of"]


@dataclass(frozen=True)
class Rule:
    """A check in the words of its page; `page` is Markdown."""

    id: str
    title: str
    summary: str
    page: str
    causes: tuple[str, ...]

    @property
    def family(self) -> str:
        """The letters of its id, e.g. `TOR`."""
        return self.id.rstrip("0123456789")


def rules_of(checks: Iterable[type[Check]]) -> tuple[Rule, ...]:
    """The rules of `checks`, in their order, in the active language."""
    return tuple(_rule(check) for check in checks)


def _rule(check: type[Check]) -> Rule:
    page = page_of(check, active_language())
    return Rule(check.id, page.title, page.summary, page.body, check.causes)
