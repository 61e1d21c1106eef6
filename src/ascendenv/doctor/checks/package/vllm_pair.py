"""vllm and vllm-ascend of two releases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.vllm import Pair, is_shadowed, pair_of, row_of, torch_pair_of
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = (
    "vllm-project/vllm-ascend:docs/source/community/versioning_policy.md",
    "vllm-project/vllm-ascend#12404",
    "vllm-project/vllm-ascend#9305",
)
ABSENT_BY_DESIGN = ("vllm._", "vllm.vllm_flash_attn", "vllm_ascend.vllm_ascend_C", "vllm_ascend._C")
"""Compiled parts: vllm has none on NPUs, and those of the plugin are judged with the custom operators."""


class VllmPair(Check):
    """vllm and vllm-ascend are not of one release, or want different torch versions."""

    id = "PKG005"
    causes = ("vllm-plugin-mismatch",)
    rank = 6

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
    ) -> Iterator[Finding]:
        """Modules and names that the other half does not have, resolver conflicts, and versions that differ."""
        pair = pair_of(packages)
        fits = pair.fits(matrix)
        if signals:
            for signal in (*_missing_parts(signals), *signals.of("plugin-interface-differs")):
                why = say("one half of vllm and vllm-ascend expects what the other does not have")
                yield self._seen(signal, why, pair, matrix, facts)
            for signal in _torch_conflicts(signals):
                why = say("vllm and the plugin name different torch versions")
                severity = Severity.WARNING if signal.id == "pip-conflict" else Severity.ERROR
                yield replace(self._seen(signal, why, pair, matrix, facts), severity=severity)
        if fits is False:
            yield self._from_versions(pair, matrix, facts)

    def _seen(self, signal: Signal, why: Message, pair: Pair, matrix: Matrix, facts: HostFacts) -> Finding:
        return self.finding(
            confidence=Confidence.LIKELY,
            title=say("vllm and vllm-ascend do not belong together"),
            observed=described(signal),
            expected=_expected(pair, matrix),
            why=why,
            evidence=[signal.evidence],
            fix=_fix(pair, matrix, facts),
            sources=SOURCES,
        )

    def _from_versions(self, pair: Pair, matrix: Matrix, facts: HostFacts) -> Finding:
        return self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("vllm and vllm-ascend are of different releases"),
            observed=say("vllm {vllm} with vllm-ascend {plugin}", vllm=pair.vllm, plugin=pair.plugin),
            expected=_expected(pair, matrix),
            why=say("the plugin replaces inner parts of vllm, which change with every release"),
            evidence=facts.seen("packages")[:4],
            fix=_fix(pair, matrix, facts),
            sources=SOURCES,
        )


def _missing_parts(signals: Signals) -> Iterator[Signal]:
    for signal in signals.of("missing-module", "missing-name", "missing-attribute", "circular-import"):
        module = signal.get("module")
        inside = "." in module or signal.id in {"missing-name", "circular-import"}
        ours = module.split(".")[0] in {"vllm", "vllm_ascend"} and not module.startswith(ABSENT_BY_DESIGN)
        if (ours and inside and not is_shadowed(signal)) or (
            module == "_C" and "_OpNamespace" in signal.evidence.text
        ):
            yield signal


def _torch_conflicts(signals: Signals) -> Iterator[Signal]:
    """Resolver lines about two torch versions; what pip says after an install is expected where the plugin came last."""
    for signal in signals.of("pip-conflict"):
        if signal.get("package").startswith("vllm") and signal.get("requirement").startswith("torch"):
            yield signal
    needs = [one for one in signals.of("resolver-needs") if one.get("needs").startswith("torch")]
    if len({one.get("needs").removesuffix("+cpu") for one in needs}) > 1:
        yield from (one for one in needs if one.get("package").startswith("vllm"))
    yield from signals.of("vllm-needs-told")


def _expected(pair: Pair, matrix: Matrix) -> Message:
    row = row_of(matrix, pair.plugin)
    if row is None:
        return say("vllm and vllm-ascend of the same release, and the torch that the plugin names")
    return say(
        "vllm-ascend {plugin} goes with vllm {vllm}, torch {torch}, torch_npu {torch_npu}, CANN {cann}",
        plugin=row.version,
        vllm=row.vllm or say("of the same release"),
        torch=row.torch or "?",
        torch_npu=row.torch_npu or "?",
        cann=row.cann or "?",
    )


def _fix(pair: Pair, matrix: Matrix, facts: HostFacts) -> tuple[Fix, ...]:
    row = row_of(matrix, pair.plugin)
    plugin = row.version.lstrip("v") if row is not None else str(pair.plugin or "VERSION")
    wanted = (row.vllm or plugin).split("/")[0].lstrip("v") if row is not None else "VERSION"
    steps = [
        Fix("pip uninstall -y vllm vllm-ascend"),
        Fix(
            f"VLLM_TARGET_DEVICE=empty pip install vllm=={wanted} --no-binary vllm",
            say("without CUDA parts; vllm first"),
        ),
        Fix(
            f"pip install vllm-ascend=={plugin}",
            say(
                "the plugin last: it puts torch back to the version that torch_npu needs; pip's complaint that vllm "
                "wants another torch is harmless then"
            ),
        ),
    ]
    return (*steps, *torch_pair_of(matrix, row, facts))
