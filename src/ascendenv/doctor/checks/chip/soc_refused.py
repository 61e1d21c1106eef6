"""CHP001: a program refuses the chip that it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.chip.families import NEWER, NOT_SERVED, family_named, family_of_box
from ascendenv.doctor.checks.chip.newer import image_of, newer_release
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

_FIRST = "910A"
_PARTLY_SERVED = "310P"
"""The family that most programs for large models serve in part, or by a build of its own."""
NAMED = ("soc-refused", "soc-unknown-to-kernels")
LOOSE = "soc-not-supported-told"
UNNAMED = ("soc-refused-unnamed", "soc-refused-in-code")


class SocRefused(Check):
    """A program says that it does not support this chip."""

    id = "CHP001"
    causes = ("chip-needs-newer-release", "chip-unsupported", "image-wrong-chip")
    rank = 12

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Too old a program for a new chip, a chip that is not served at all, or a build for another chip."""
        symptoms = signals.of(*NAMED, LOOSE, *UNNAMED)
        if not symptoms:
            return
        refusal = _refusal(matrix, facts, symptoms)
        yield from weigh(
            self,
            _ordered(matrix, facts, refusal),
            observed=say("{chip} is refused", chip=refusal.chip)
            if refusal.chip
            else say("the program does not support this chip"),
            evidence=[one.evidence for one in symptoms],
            sources=(
                "Ascend/pytorch: torch_npu/csrc/core/npu/NpuVariables.cpp",
                "vllm-ascend: vllm_ascend/utils.py",
            ),
            sure=Confidence.CERTAIN if refusal.named else Confidence.LIKELY,
        )


@dataclass(frozen=True)
class Refusal:
    """Which chip was refused: its name and family, empty and None where the text does not tell."""

    chip: str
    family: str | None
    named: bool
    built_for: str | None


def _refusal(matrix: Matrix, facts: HostFacts, symptoms: tuple[Signal, ...]) -> Refusal:
    box = family_of_box(matrix, facts)
    for one in symptoms:
        family = one.get("family") or _refused_family(matrix, one.get("soc"))
        if family is not None and one.id != LOOSE:
            return Refusal(_shown(one, family), family, named=True, built_for=_built_for(matrix, facts))
        if family is not None:
            return Refusal(_shown(one, family), family, named=False, built_for=None)
    return Refusal(box or "", box, named=False, built_for=_built_for(matrix, facts))


def _refused_family(matrix: Matrix, soc: str) -> str | None:
    """The family that a list of SoCs means: there `ascend910` is the first one, while npu-smi calls an A3 so."""
    return _FIRST if soc.lower() == "ascend910" else family_named(matrix, soc)


def _shown(signal: Signal, family: str) -> str:
    number = signal.get("number")
    return f"soc_version {number} ({family})" if number else signal.get("soc") or family


def _built_for(matrix: Matrix, facts: HostFacts) -> str | None:
    """The family that the installed wheel or named image is for."""
    if not facts.signals:
        return None
    for one in facts.signals.of("wheel-built-for", "image-named"):
        name = one.get("built_for") or one.get("family")
        if name and (family := family_named(matrix, name)):
            return family
    return None


def _ordered(matrix: Matrix, facts: HostFacts, refusal: Refusal) -> tuple[Hypothesis, ...]:
    newer, unserved = _newer(matrix, facts, refusal), _unserved(refusal)
    other = _other_image(matrix, refusal)
    if refusal.family == _PARTLY_SERVED and not other.supported:
        return unserved, other, newer
    return (other, newer, unserved) if other.supported else (newer, unserved, other)


def _newer(matrix: Matrix, facts: HostFacts, refusal: Refusal) -> Hypothesis:
    supported: bool | None = None
    if refusal.family in NOT_SERVED:
        supported = False
    elif refusal.family in NEWER or (refusal.family and refusal.named and refusal.family != _PARTLY_SERVED):
        supported = True
    return Hypothesis(
        "chip-needs-newer-release",
        say("The chip is newer than this release of the software"),
        supported,
        say("the list of chips inside this release was written before the chip came out"),
        ask=say("which chip does npu-smi info show, and since which release is it on the list?"),
        fix=newer_release(matrix, facts, refusal.family),
    )


def _unserved(refusal: Refusal) -> Hypothesis:
    supported: bool | None = None
    if refusal.family in NOT_SERVED:
        supported = True
    elif refusal.family in NEWER:
        supported = False
    return Hypothesis(
        "chip-unsupported",
        say("This software does not support the chip"),
        supported,
        say(
            "the first generation 910 (910A, 910ProB, plain 910B with DDR), 310 and 310B are not served by it"
        ),
        ask=say("is it a 910, 910ProB, 310 or 310B, that is, does npu-smi show a DDR column beside HBM?"),
        fix=(
            Fix(
                "npu-smi info", say("910B1 to 910B4 have HBM only; 910A, 910ProB and plain 910B have DDR too")
            ),
            Fix(note=say("use a chip that the software lists, or a framework that serves this one")),
        ),
    )


def _other_image(matrix: Matrix, refusal: Refusal) -> Hypothesis:
    differs = (
        refusal.built_for is not None and refusal.family is not None and refusal.built_for != refusal.family
    )
    fits = refusal.built_for is not None and refusal.built_for == refusal.family
    return Hypothesis(
        "image-wrong-chip",
        say("The image or wheel was built for another chip"),
        True if differs and refusal.family not in NOT_SERVED else False if fits else None,
        say("kernels and the device type are fixed when the image is built"),
        ask=say("is the image tag the one of this chip (-a3, -310p, -950dt, none for 910B)?"),
        fix=image_of(matrix, refusal.family) if refusal.family else (),
    )
