"""CHP003: image, wheel or kernels were made for another chip than the one in this box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.chip.families import NOT_SERVED, family_named, family_of_box
from ascendenv.doctor.checks.chip.newer import image_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

STATED = "kernels-for-other-chip"
BUILT = ("wheel-built-for", "image-named", "soc-version-set")
BROKEN = ("kernels-not-found", "operator-binary-missing", "platform-info-missing", "soc-unknown-to-kernels")
WHEEL, OTHER_WHEELS = "vllm-ascend", ("A3", "310P", "950")
"""The package whose wheel on the index is for one family, and the families that need another one."""
UNMARKED = "910B"
"""The family of a vllm-ascend image whose tag names none."""


class BuiltForOtherChip(Check):
    """The image, wheel or kernels were built for another chip."""

    id = "CHP003"
    causes = ("image-wrong-chip",)
    consequence_of = ("CHP002",)
    rank = 12

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The program's own comparison proves it; otherwise what was built is compared with the card."""
        stated = signals.of(STATED)
        if stated:
            yield self._stated(matrix, stated)
            return
        box = family_of_box(matrix, facts)
        built_for = signals.of(*BUILT)
        for one in built_for:
            built = _family_of(matrix, one)
            if built is None or built == box or box in NOT_SERVED:
                continue
            if box is not None or one.id == "wheel-built-for":
                yield self._compared(matrix, facts, one, signals.of(*BROKEN))
                return
        yield from self._from_environment(matrix, facts, box)
        refused = signals.of("atb-setup-failed")
        if refused and box in OTHER_WHEELS:
            yield self._from_operator(matrix, facts, box, refused)
        packages = known(facts.packages)
        if not built_for and packages is not None and WHEEL in packages and box in OTHER_WHEELS:
            yield self._from_index(matrix, facts, box)

    def _from_operator(
        self, matrix: Matrix, facts: HostFacts, box: str, refused: tuple[Signal, ...]
    ) -> Finding:
        """ATB takes an operation apart for the chip; code of another family asks for what this one does not have."""
        return self.finding(
            title=say("Image or wheel were built for another chip"),
            observed=say(
                "{operation} cannot be set up on {chip}",
                operation=refused[0].get("operation"),
                chip=facts.chip,
            ),
            expected=say("a build for {chip}", chip=facts.chip),
            why=say(
                "ATB has other operations and shapes on each family; a release for another one asks for what is not there"
            ),
            confidence=Confidence.LIKELY,
            evidence=(*(one.evidence for one in refused), *facts.seen("chip")[:2]),
            fix=_fix(matrix, box, known(facts.chip) or ""),
            sources=("vllm-ascend: installation.md, an image of its own for 310P",),
        )

    def _from_index(self, matrix: Matrix, facts: HostFacts, box: str) -> Finding:
        """Nothing tells for which chip the wheel was built: advice to look."""
        return self.finding(
            title=say("The wheel of vllm-ascend may have been built for another chip"),
            observed=say("vllm-ascend on {chip}", chip=facts.chip),
            expected=say("a build for {chip}", chip=facts.chip),
            why=say("the wheel on the package index is built for 910B; images have one for each chip"),
            severity=Severity.INFO,
            confidence=Confidence.POSSIBLE,
            evidence=facts.seen("chip")[:2],
            fix=(
                Fix(
                    "python3 -c 'import vllm_ascend._build_info as b; print(vars(b))'",
                    say("names the chip that it was built for"),
                ),
                *_fix(matrix, box, known(facts.chip) or ""),
            ),
            sources=("vllm-ascend issue 6206",),
        )

    def _stated(self, matrix: Matrix, stated: tuple[Signal, ...]) -> Finding:
        device = stated[0].get("device")
        family = family_named(matrix, device)
        return self.finding(
            title=say("The kernels were built for another chip"),
            observed=say(
                "built for {built}, running on {device}", built=stated[0].get("built_for"), device=device
            ),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in stated],
            fix=_fix(matrix, family, device),
            sources=("vllm-ascend issues 2725, 5599, 6676",),
        )

    def _compared(
        self, matrix: Matrix, facts: HostFacts, built: Signal, broken: tuple[Signal, ...]
    ) -> Finding:
        box = family_of_box(matrix, facts)
        wheel = built.id == "wheel-built-for"
        return self.finding(
            title=say("Image or wheel were built for another chip"),
            observed=say("built for {built}", built=built.get("built_for") or _family_of(matrix, built)),
            expected=say("a build for {chip}", chip=facts.chip) if box else None,
            why=say("kernels and the device type are fixed when image or wheel are built"),
            severity=Severity.ERROR if wheel or broken else Severity.WARNING,
            confidence=Confidence.CERTAIN if wheel and box else Confidence.LIKELY,
            evidence=(built.evidence, *(one.evidence for one in broken), *facts.seen("chip")),
            fix=_fix(matrix, box, known(facts.chip) or ""),
            sources=("vllm-ascend issue 6206", "vllm-ascend: docs/source/installation.md"),
        )

    def _from_environment(self, matrix: Matrix, facts: HostFacts, box: str | None) -> Iterator[Finding]:
        environment = known(facts.environment) or {}
        soc = environment.get("SOC_VERSION", "")
        built = family_named(matrix, soc)
        if built is None or box is None or built == box or box in NOT_SERVED:
            return
        yield self.finding(
            title=say("Image or wheel were built for another chip"),
            observed=say("SOC_VERSION is {soc}", soc=soc),
            expected=say("a build for {chip}", chip=facts.chip),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            evidence=[
                line for line in facts.seen("environment", "chip") if "SOC_VERSION" in line.text or box
            ],
            fix=_fix(matrix, box, known(facts.chip) or ""),
            sources=("vllm-ascend: Dockerfile",),
        )


def _family_of(matrix: Matrix, signal: Signal) -> str | None:
    name = signal.get("built_for") or signal.get("family") or signal.get("soc")
    if not name and signal.id == "image-named" and "vllm-ascend" in signal.get("repository"):
        return UNMARKED
    return family_named(matrix, name)


def _fix(matrix: Matrix, family: str | None, chip: str) -> tuple[Fix, ...]:
    soc = chip.lower() if chip.lower().startswith("ascend") else "<soc of npu-smi info -t board -i 0 -c 0>"
    return (
        *(image_of(matrix, family) if family else ()),
        Fix(
            f"SOC_VERSION={soc} pip install -v -e . --no-build-isolation",
            say("or build the wheel again on this box, in its source folder"),
        ),
    )
