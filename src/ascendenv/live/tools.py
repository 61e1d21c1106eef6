"""The vendor's health report of the cards: read-only, and run only with --live."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.facts.model import HostFacts

__all__ = ["health_texts"]

SECONDS = 30.0
"""The report takes a second or two; a sick card can make it wait."""


def health_texts(facts: HostFacts, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(command, what it printed) of `asys health`, where this box has the tool.

    `ascend-dmi` is left alone: its tests load the cards.
    """
    from ascendenv.collect.probes.command import Command
    from ascendenv.collect.probes.system import System

    for path in known(facts.evidence_tools) or ():
        if os.path.basename(path) == "asys":  # noqa: PTH119
            answer = Command(System(), [path, "health"], SECONDS, dict(environ)).answer()
            text = f"{answer.get('stdout', '')}{answer.get('stderr', '')}"
            if text.strip():
                yield "asys health", text
            return
