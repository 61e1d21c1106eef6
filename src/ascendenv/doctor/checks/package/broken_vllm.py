"""A vllm, or a plugin, that Python finds only as an empty folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.vllm import is_shadowed
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("vllm-project/vllm-ascend#527", "vllm-project/vllm-ascend#5497", "vllm-project/vllm-ascend#3403")


class BrokenVllm(Check):
    """Python finds a folder called vllm instead of the package, or a package without its files."""

    id = "PKG006"
    causes = ("broken-vllm-package",)
    rank = 8

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Names that the top of vllm must have and has not: `unknown location` means a folder without files."""
        for signal in _symptoms(signals):
            located = is_shadowed(signal)
            package = signal.get("module").split(".")[0] or "vllm"
            yield self.finding(
                confidence=Confidence.CERTAIN if located else Confidence.LIKELY,
                title=say(
                    "Python does not find the installed {package}, only a folder of that name",
                    package=package,
                ),
                observed=described(signal),
                expected=say("the package in site-packages, or an editable install of a whole checkout"),
                why=say(
                    "a folder called {package} in the current directory or on PYTHONPATH is taken first; an install that "
                    "was interrupted, or an editable install whose checkout was moved, looks the same",
                    package=package,
                ),
                evidence=[signal.evidence],
                fix=_fix(package),
                sources=SOURCES,
            )


def _symptoms(signals: Signals) -> Iterator[Signal]:
    for signal in signals.of("missing-name"):
        if signal.get("module").split(".")[0] in {"vllm", "vllm_ascend"} and is_shadowed(signal):
            yield signal
    for signal in signals.of("missing-attribute"):
        if signal.get("module") in {"vllm", "vllm_ascend"}:
            yield signal
    for signal in signals.of("missing-module"):
        if signal.get("module") == "vllm" and signals.of("plugin-load-failed", "framework-frame"):
            yield signal


def _fix(package: str) -> tuple[Fix, ...]:
    return (
        Fix(
            f"cd / && python3 -c 'import {package}; print({package}.__path__)'",
            say(
                "if this works, the folder that you started from is in the way: start elsewhere or rename it"
            ),
        ),
        Fix(
            f"pip show -f {package.replace('_', '-')} | head -20",
            say("does the package have files at its place?"),
        ),
        Fix(
            f"pip install --force-reinstall --no-deps {package.replace('_', '-')}==VERSION",
            say("the release that goes with the other half of vllm and vllm-ascend"),
        ),
    )
