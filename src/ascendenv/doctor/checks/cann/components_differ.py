"""A component of the toolkit demands another release of its neighbour."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_same_cann
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import CannComponent, HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = ["ComponentsDiffer", "meets"]

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
_BOUND = re.compile(r"(>=|<=|==|>|<)?\s*(\d+(?:\.\d+)*)")
_NAMES = {"opp_kernel": ("opp_kernel", "ops"), "ops": ("ops", "opp_kernel")}
"""Components that changed their name with the layout of 8.5."""


class ComponentsDiffer(Check):
    """Components of the toolkit in use demand other releases of each other."""

    id = "CAN023"
    causes = ("cann-versions-mixed",)
    consequence_of = ("CAN021",)
    rank = 2

    def check(
        self, cann_components: tuple[CannComponent, ...], facts: HostFacts, matrix: Matrix
    ) -> Iterator[Finding]:
        """What the `version.info` of one component requires of another, against what that one is."""
        unmet = list(_unmet(cann_components))
        if not unmet:
            return
        asking, asked, spec = unmet[0]
        yield self.finding(
            title=say("Components of the CANN toolkit are of different releases"),
            observed=say(
                "{asking} {version} demands {asked} {spec}, and finds {found}",
                asking=asking.name,
                version=asking.version,
                asked=asked.name,
                spec=spec,
                found=asked.version,
            ),
            expected=say("all components from one package set"),
            why=say(
                "installers only warn when a neighbour does not fit, so a partial upgrade leaves two releases behind"
            ),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            evidence=[
                line
                for line in facts.seen("cann_components")
                if any(f"/{one.name}/" in line.where for pair in unmet for one in pair[:2])
            ],
            fix=install_same_cann(matrix, facts),
            sources=["hicann/runtime: scripts/package, ver_check.sh", "leideng/CANN-8.1.RC1: version.info"],
        )


def _unmet(components: tuple[CannComponent, ...]) -> Iterator[tuple[CannComponent, CannComponent, str]]:
    """(who demands, of whom, what) for each demand that is not met inside one tree."""
    by_name = {(one.root, one.name): one for one in components}
    for asking in components:
        for name, spec in asking.requires.items():
            for known in _NAMES.get(name, (name,)):
                asked = by_name.get((asking.root, known))
                if asked is not None and meets(asked.version, spec) is False:
                    yield asking, asked, spec


def meets(version: str, spec: str) -> bool | None:
    """Whether a component's version meets a demand: a prefix such as `7.7`, or bounds such as `>=7.6, <=7.7`.

    Bounds compare as many numbers as they have, so that 7.7.0.1.238 is within `<=7.7`. None where one is no number.
    """
    found = _NUMBERS.match(version)
    bounds = [_BOUND.fullmatch(part.strip()) for part in spec.split(",")]
    if found is None or not bounds or any(bound is None for bound in bounds):
        return None
    numbers = [int(part) for part in found.group().split(".")]
    return all(_within(numbers, bound[1] or "==", bound[2]) for bound in bounds if bound is not None)


def _within(numbers: list[int], operator: str, text: str) -> bool:
    bound = [int(part) for part in text.split(".")]
    mine = (numbers + [0] * len(bound))[: len(bound)]
    if operator == "==":
        return mine == bound
    if operator.startswith(">"):
        return mine > bound or (operator == ">=" and mine == bound)
    return mine < bound or (operator == "<=" and mine == bound)
