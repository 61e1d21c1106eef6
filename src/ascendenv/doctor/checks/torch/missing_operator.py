"""A framework that calls an operator or function which this torch_npu does not have yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.vllm import pair_of, row_of, torch_pair_of
from ascendenv.doctor.checks.torch.clues import (
    pair_steps,
    taken_from_site,
)
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding, Fix
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.surroundings import Used
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

SOURCES = ("vllm-project/vllm-ascend#143", "vllm-project/vllm-ascend#379", "Ascend/pytorch#60")
ELSEWHERE = frozenset({"_autoload", "_C", "npu", "__version__", "__file__"})
"""Names whose absence means that torch_npu itself was not loaded."""


class MissingOperator(Check):
    """A framework or script calls something that this torch_npu does not have."""

    id = "TOR003"
    causes = ("torch-npu-too-old-for-framework",)
    rank = 6

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
        torch_npu: Version | None = None,
    ) -> Iterator[Finding]:
        """Missing attributes, operators and modules of torch_npu, and a build other than the framework's row names."""
        row = row_of(matrix, pair_of(packages).plugin)
        of_torch_npu = list(_missing_of_torch_npu(signals)) if signals else []
        of_torch = list(_missing_of_torch(signals)) if signals else []
        newer = _newer(torch_npu, row)
        if not of_torch_npu and not of_torch and newer is None:
            return
        fix = torch_pair_of(matrix, row, facts) or pair_steps(matrix, facts, keep_torch_npu=False)
        for signal, name in of_torch_npu:
            yield self._seen(signal, _observed(name, torch_npu), row, fix)
        for signal in of_torch:
            yield self._seen_in_torch(signal, fix)
        if newer is not None:
            yield self._from_row(newer, facts, fix)

    def _seen(self, signal: Signal, observed: Message, row: Used | None, fix: tuple[Fix, ...]) -> Finding:
        return self.finding(
            confidence=Confidence.LIKELY,
            title=say("torch_npu is too old for the program that uses it"),
            observed=observed,
            expected=_expected(row),
            why=say(
                "operators arrive with torch_npu releases, .post and development builds among them; the caller was "
                "written for a newer one"
            ),
            evidence=[signal.evidence],
            fix=fix,
            sources=SOURCES,
        )

    def _seen_in_torch(self, signal: Signal, fix: tuple[Fix, ...]) -> Finding:
        name = f"{signal.get('module')}.{signal.get('attribute') or signal.get('name')}"
        return self.finding(
            confidence=Confidence.POSSIBLE,
            title=say("torch is older than a package that uses it expects"),
            observed=say("torch has no {name}", name=name),
            expected=say("packages of the time of this torch release, or the newer torch and torch_npu pair"),
            evidence=[signal.evidence],
            fix=fix,
            sources=SOURCES,
            rank=0,
        )

    def _from_row(self, row: Used, facts: HostFacts, fix: tuple[Fix, ...]) -> Finding:
        return self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("torch_npu is not the build that the framework's release names"),
            observed=say(
                "torch_npu {torch_npu} with vllm-ascend {plugin}",
                torch_npu=facts.torch_npu,
                plugin=row.version,
            ),
            expected=_expected(row),
            why=say("operators that the framework calls may be missing in another build"),
            evidence=facts.seen("torch_npu"),
            fix=fix,
            sources=row.sources,
        )


def _newer(torch_npu: Version | None, row: Used | None) -> Used | None:
    """The row, if it names a newer torch_npu; a release candidate is none of the builds that rows name."""
    if row is None or row.torch_npu is None or torch_npu is None or torch_npu.public == row.torch_npu.public:
        return None
    is_behind = torch_npu < row.torch_npu or (torch_npu.is_prerelease and ".dev" not in str(torch_npu))
    return row if is_behind else None


def _expected(row: Used | None) -> Message:
    if row is None or row.torch_npu is None:
        return say("the torch_npu that the framework's release names")
    return say(
        "torch_npu {torch_npu}, which vllm-ascend {plugin} names", torch_npu=row.torch_npu, plugin=row.version
    )


def _missing_of_torch_npu(signals: Signals) -> Iterator[tuple[Signal, str]]:
    for signal in signals.of("missing-attribute"):
        module, attribute = signal.get("module"), signal.get("attribute")
        own = _is_torch_npu(module) and attribute not in ELSEWHERE
        if own or _is_operator_table(signal) or (module == "torch" and attribute.startswith("npu_")):
            yield signal, f"{module}.{attribute}"
    for signal in signals.of("operator-told-missing", "operator-name-alone"):
        yield signal, f"torch_npu.{signal.get('attribute') or signal.get('named')}"
    for signal in signals.of("missing-name"):
        if _is_torch_npu(signal.get("module")) and "unknown location" not in signal.evidence.text:
            yield signal, f"{signal.get('module')}.{signal.get('name')}"
    for signal in signals.of("missing-module"):
        module = signal.get("module")
        if module == "torchnpugen" or _is_submodule(module, signals):
            yield signal, module


def _is_operator_table(signal: Signal) -> bool:
    return signal.get("module") == "npu" and "_OpNamespace" in signal.evidence.text


def _is_torch_npu(module: str) -> bool:
    """Whether the module is torch_npu's; its graph compiler torchair is judged elsewhere."""
    return (
        module.split(".", maxsplit=1)[0] == "torch_npu" or module.startswith("torch.npu")
    ) and "torchair" not in module


def _is_submodule(module: str, signals: Signals) -> bool:
    if not module.startswith("torch_npu.") or module == "torch_npu._C" or "torchair" in module:
        return False
    return taken_from_site(signals) is not False


def _missing_of_torch(signals: Signals) -> Iterator[Signal]:
    for signal in signals.of("missing-attribute", "missing-name"):
        module = signal.get("module")
        name = signal.get("attribute") or signal.get("name")
        ours = module.split(".")[0] == "torch" and "cuda" not in module and not _is_torch_npu(module)
        if ours and name not in {"npu", "cuda", "version"} and not name.startswith("npu_"):
            yield signal


def _observed(name: str, torch_npu: Version | None) -> Message:
    if torch_npu is None:
        return say("torch_npu has no {name}", name=name)
    return say("torch_npu {torch_npu} has no {name}", torch_npu=torch_npu, name=name)
