"""No binary of an operator is found for this chip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_same_cann
from ascendenv.doctor.checks.cann.roots import is_sourced
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.doctor.observed import looked_at
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["KernelsNotFound"]

_INSTALLED = ("binary_info_config", "installed", "未安装")


class KernelsNotFound(Check):
    """No binary of an operator is found for this chip."""

    id = "CAN010"
    causes = (
        "cann-kernels-missing",
        "cann-kernels-wrong-chip",
        "opp-files-unreadable",
        "custom-ops-missing",
        "cann-env-not-sourced",
    )
    consequence_of = ("CAN011", "CAN012", "CAN013", "CHP004")
    rank = 5

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The kernels package is absent, of another chip, hidden, or the operator belongs to a framework."""
        seen = signals.of("kernels-not-found", "kernels-told-missing")
        codes = signals.of("operator-call-failed")
        if not seen and not codes:
            yield from self._looked_at(signals, facts, matrix)
            return
        operators = (one.get("op") or one.get("type") or one.get("unsupported") for one in (*seen, *codes))
        names = dict.fromkeys(name for name in operators if name)
        yield from weigh(
            self,
            Scene(signals, facts, matrix).hypotheses(),
            observed=say("no ready binary is found for: {operators}", operators=", ".join(names) or "?"),
            evidence=[one.evidence for one in (*seen, *codes)],
            sources=["opbase: nnopbase of CANN", "vllm-project/vllm-ascend#237"],
        )

    def _looked_at(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Nothing failed yet, but the toolkit in use has no binaries for this chip: warn."""
        if not looked_at(facts) or not facts.torch_npu or not facts.cann:
            return
        scene = Scene(signals, facts, matrix)
        for one in (scene.missing(), scene.wrong_chip()):
            if one.supported:
                yield self.finding(
                    cause=one.cause,
                    title=one.title,
                    observed=say(
                        "CANN {cann} has operator binaries for: {chips}",
                        cann=facts.cann,
                        chips=", ".join(sorted(scene.families_present())) or say("no chip"),
                    ),
                    why=one.because,
                    severity=Severity.WARNING,
                    confidence=Confidence.LIKELY,
                    evidence=facts.seen("ops", "chip")[:6],
                    fix=one.fix,
                    sources=["opbase: nnopbase of CANN"],
                )


@dataclass(frozen=True)
class Scene:
    """What is known about the box on which no kernel was found."""

    signals: Signals
    facts: HostFacts
    matrix: Matrix

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The explanations; a text about an installed package speaks for a missing one, others for a wrong chip."""
        first = (self.missing(), self.wrong_chip())
        whats = " ".join(one.evidence.text for one in self.signals.of("kernels-not-found"))
        ordered = first if any(word in whats for word in _INSTALLED) else first[::-1]
        return (self.custom(), *ordered, self.unreadable(), self.not_sourced())

    def missing(self) -> Hypothesis:
        """No kernels package at all."""
        return Hypothesis(
            "cann-kernels-missing",
            say("The kernels (ops) package of CANN is not installed"),
            supported=self.has_none(),
            because=say(
                "The toolkit alone holds no operator binaries; they come with a package for each chip family."
            ),
            ask=say(
                "is there a folder for this chip: ls $ASCEND_OPP_PATH/built-in/op_impl/ai_core/tbe/kernel"
            ),
            fix=self.installation(),
        )

    def wrong_chip(self) -> Hypothesis:
        """A kernels package of another chip family."""
        return Hypothesis(
            "cann-kernels-wrong-chip",
            say("The installed kernels (ops) package or image is for another chip"),
            supported=self.chips_differ(),
            because=say("Each package or image holds the binaries of one chip family only."),
            ask=say(
                "do folder and chip agree: ls $ASCEND_OPP_PATH/built-in/op_impl/ai_core/tbe/kernel; npu-smi info"
            ),
            fix=self.installation(),
            evidence=self.lines(
                "ops-package-chip", "kernel-folder-full", "kernel-folder-lean", "image-named"
            ),
        )

    def unreadable(self) -> Hypothesis:
        """The files are there and this user may not read them."""
        return Hypothesis(
            "opp-files-unreadable",
            say("This user may not read the operator files"),
            supported=True if self.signals.of("opp-file-unreadable") else None,
            ask=say("does it work as root, and who owns: ls -l $ASCEND_OPP_PATH/vendors/config.ini"),
            fix=(Fix("chmod -R o+rX $ASCEND_OPP_PATH", needs_root=True),),
            evidence=self.lines("opp-file-unreadable"),
        )

    def custom(self) -> Hypothesis:
        """The operator is not CANN's own."""
        return Hypothesis(
            "custom-ops-missing",
            say("The binaries of the framework's own operators are not installed for this chip"),
            supported=bool(self.signals.of("framework-operator-missing", "framework-kernel-missing")),
            because=say("The operator belongs to a framework and not to CANN."),
            ask=say("does this name its package: echo $ASCEND_CUSTOM_OPP_PATH"),
            fix=(
                Fix(
                    "echo $ASCEND_CUSTOM_OPP_PATH",
                    say("must name the operator package of the framework; build it again for this chip"),
                ),
            ),
        )

    def not_sourced(self) -> Hypothesis:
        """ASCEND_OPP_PATH names nothing."""
        sourced = is_sourced(known(self.facts.environment))
        return Hypothesis(
            "cann-env-not-sourced",
            say("set_env.sh of the CANN toolkit was not sourced in this shell"),
            supported=None if sourced is None else not sourced,
            ask=say("is it set: echo $ASCEND_OPP_PATH"),
            fix=(source_cann(known(self.facts.cann)),),
        )

    def has_none(self) -> bool | None:
        """False where a kernels package was seen, True where the box was seen to have none."""
        ops = known(self.facts.ops)
        if ops is not None:
            return not ops
        told = self.signals.of("kernels-told-missing")
        chip = self.matrix.find_chip(known(self.facts.chip) or "")
        lean = self.families(one.get("family") for one in self.signals.of("kernel-folder-lean"))
        own = lean if chip is None else lean & {chip.family}
        return True if told or (own and not self.families_present() - lean) else None

    def chips_differ(self) -> bool | None:
        """Whether what is installed is for another family than the chip; None when one of both was not seen."""
        chip = self.matrix.find_chip(known(self.facts.chip) or "")
        lean = self.families(one.get("family") for one in self.signals.of("kernel-folder-lean"))
        present = self.families_present() - lean
        if chip is None or not present:
            return None
        return chip.family not in present

    def families_present(self) -> set[str]:
        """The chip families for which kernels were seen."""
        named = [one.chip for one in known(self.facts.ops) or () if one.chip]
        for one in self.signals.of("ops-package-chip", "kernel-folder-full"):
            named.extend(one.fields.values())
        named.extend(one.get("family") for one in self.signals.of("image-named"))
        return self.families(named)

    def families(self, names: Iterable[str]) -> set[str]:
        """The chip families behind these names; what is no name of one is left out."""
        short = (name.lower().removeprefix("ascend") for name in names if name)
        return {family.name for name in short if (family := self.matrix.family(name)) is not None}

    def installation(self) -> tuple[Fix, ...]:
        """The steps that install the operators of this chip."""
        return install_same_cann(self.matrix, self.facts)

    def lines(self, *ids: str) -> tuple[Evidence, ...]:
        """The lines of the signals with these ids."""
        return tuple(one.evidence for one in self.signals.of(*ids))
