"""Variables or Python packages that only set_env.sh of the CANN toolkit provides are absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.roots import is_sourced
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import source_cann
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = ["CannEnvironmentNotSourced"]


_LOUD = (
    "cann-library-missing",
    "cann-variable-unset",
    "error-code",
    "undefined-symbol",
    "missing-library",
    "missing-module",
    "missing-attribute",
    "backend-load-failed",
)
"""Where one of these was seen, the kind of shell alone explains nothing."""


class CannEnvironmentNotSourced(Check):
    """The variables that set_env.sh of the CANN toolkit sets are absent from this process."""

    id = "CAN002"
    causes = ("cann-env-not-sourced",)
    consequence_of = ("CAN001", "CAN003", "CAN004", "ATB001", "ATB002", "ATB003")
    rank = 3

    def check(
        self,
        signals: Signals,
        cann: Version | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Iterator[Finding]:
        """A program says so, a framework finds no device type, or the shell is of a kind that sources nothing."""
        yield from self._named(signals, cann)
        sourced = is_sourced(environment)
        if not sourced:
            yield from self._no_device_type(signals, cann)
        if sourced is None:
            yield from self._shell(signals, cann)

    def _named(self, signals: Signals, cann: Version | None) -> Iterator[Finding]:
        packages = [one for one in signals.of("cann-python-package-missing") if _is_acl(one.fields)]
        for one in (*signals.of("cann-variable-unset"), *packages):
            yield self.finding(
                title=say("set_env.sh of the CANN toolkit was not sourced in this process"),
                observed=say("absent: {name}", name=one.get("variable") or "acl"),
                expected=say(
                    "set_env.sh sets ASCEND_HOME_PATH, ASCEND_OPP_PATH, LD_LIBRARY_PATH and PYTHONPATH"
                ),
                why=say("A child process that gets only a part of the variables fails in the same way."),
                evidence=[one.evidence],
                fix=[source_cann(cann)],
                sources=["Ascend/pytorch:torch_npu/__init__.py"],
            )

    def _no_device_type(self, signals: Signals, cann: Version | None) -> Iterator[Finding]:
        for one in signals.of("device-type-not-inferred"):
            yield self.finding(
                title=say("vllm finds no device, most often because CANN or NNAL is not sourced"),
                observed=say(
                    "vllm cannot infer the device type; the real reason is the import error of torch_npu"
                ),
                confidence=Confidence.POSSIBLE,
                evidence=[one.evidence],
                fix=[source_cann(cann), _look_at_the_import()],
                sources=["vllm-project/vllm-ascend:docs/source/faqs.md"],
                rank=0,
            )

    def _shell(self, signals: Signals, cann: Version | None) -> Iterator[Finding]:
        if signals.of(*_LOUD):
            return
        for one in signals.of("non-login-shell"):
            yield self.finding(
                title=say("This kind of shell does not source set_env.sh by itself"),
                observed=say("the report speaks of: {kind}", kind=one.get("kind")),
                severity=Severity.WARNING,
                confidence=Confidence.POSSIBLE,
                why=say(
                    "docker exec, ssh commands, cron and systemd skip ~/.bashrc, where the variables usually stand."
                ),
                evidence=[one.evidence],
                fix=[source_cann(cann)],
                rank=-5,
            )


def _is_acl(fields: Mapping[str, str]) -> bool:
    return "acl" in (fields.get("module", "").partition(".")[0], fields.get("absent"))


def _look_at_the_import() -> Fix:
    return Fix("python -c 'import torch_npu'", say("shows the import error that vllm hides"))
