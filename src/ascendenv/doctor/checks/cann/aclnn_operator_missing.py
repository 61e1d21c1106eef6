"""An aclnn operator that a program calls is in no library of this CANN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_wanted_cann
from ascendenv.doctor.checks.cann.roots import is_sourced
from ascendenv.doctor.checks.cann.standing import Standing, standing_of
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["AclnnOperatorMissing"]


class AclnnOperatorMissing(Check):
    """An aclnn operator that a program calls is in no library of this CANN."""

    id = "CAN012"
    causes = ("custom-ops-missing", "cann-too-old", "torch-npu-cann-mismatch", "cann-env-not-sourced")
    consequence_of = ("CAN001", "CAN013")
    rank = 6

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The operator is a framework's own, or newer than this CANN."""
        seen = signals.of("aclnn-operator-missing")
        if not seen:
            return
        names = dict.fromkeys(one.get("operator") for one in seen if one.get("operator"))
        yield from weigh(
            self,
            Scene(signals, facts, matrix).hypotheses(),
            observed=say("not in libopapi.so: {operators}", operators=", ".join(names) or "?"),
            evidence=[one.evidence for one in seen],
            sources=["Ascend/op-plugin: op_api_common.h", "vllm-project/vllm-ascend#5056"],
        )


@dataclass(frozen=True)
class Scene:
    """What is known about the box on which the operator is missing."""

    signals: Signals
    facts: HostFacts
    matrix: Matrix

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The explanations, the framework's operator first where a framework calls."""
        pair = (self.custom(), self.too_old())
        ordered = pair if self.signals.of("framework-frame", "framework-operator-missing") else pair[::-1]
        return (*ordered, self.not_sourced())

    def custom(self) -> Hypothesis:
        """The operator is built by the framework."""
        return Hypothesis(
            "custom-ops-missing",
            say("The framework's own operator package is not built, not installed or not found"),
            supported=True if self.signals.of("framework-operator-missing") else None,
            because=say(
                "The operator is not part of CANN: the framework builds it and registers it with ASCEND_CUSTOM_OPP_PATH."
            ),
            ask=say("does this name its package: echo $ASCEND_CUSTOM_OPP_PATH; ls $ASCEND_OPP_PATH/vendors"),
            fix=(
                Fix(
                    "source <framework>/_cann_ops_custom/vendors/*/bin/set_env.bash",
                    say("sets ASCEND_CUSTOM_OPP_PATH; the folder lies inside the installed framework"),
                ),
                Fix(
                    "pip install --force-reinstall --no-deps --no-build-isolation <framework>",
                    say(
                        "builds the operators again; CANN must be sourced and SOC_VERSION must name this chip"
                    ),
                ),
            ),
        )

    def too_old(self) -> Hypothesis:
        """The operator came with a later CANN."""
        standing = standing_of(self.matrix, self.facts)
        own = self.signals.of("framework-operator-missing")
        refuted = standing is Standing.NEWER or (standing is Standing.FITS and own)
        return Hypothesis(
            "cann-too-old",
            say("The CANN toolkit is older than the program that calls this operator"),
            supported=True if standing is Standing.OLDER else False if refuted else None,
            because=say("Operators are added with each CANN release, and torch_npu calls them by name."),
            ask=say("which CANN is in use: cat $ASCEND_HOME_PATH/*-linux/ascend_toolkit_install.info"),
            fix=install_wanted_cann(self.matrix, self.facts),
        )

    def not_sourced(self) -> Hypothesis:
        """libopapi.so itself is not found."""
        sourced = is_sourced(known(self.facts.environment))
        return Hypothesis(
            "cann-env-not-sourced",
            say("set_env.sh of the CANN toolkit was not sourced in this process"),
            supported=None if sourced is None else not sourced,
            ask=say("is libopapi.so found: ls $ASCEND_HOME_PATH/lib64/libopapi.so"),
            fix=(source_cann(known(self.facts.cann)),),
        )
