"""How often the doctor names the right root cause on real failure reports.

    python -m tests.bench.bench_doctor [FOLDER]

FOLDER holds case-*.json and healthy/*.json (default: ../shared/cases beside the checkout). A case counts as named when
the first finding's cause is the case's or one that the case calls plausible from the same evidence.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.engine import diagnose
from ascendenv.doctor.finding import Severity
from ascendenv.facts.text import facts_of
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascendenv.doctor.finding import Finding

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "cases"
BOTH, LOG, REPORT = "log and report", "log only", "report only"


@dataclass(frozen=True)
class Case:
    """One failure report: its texts, the cause, and what else may be named first."""

    name: str
    log: str | None
    report: str | None
    cause: str
    plausible: frozenset[str]

    @property
    def kind(self) -> str:
        return LOG if self.report is None else REPORT if self.log is None else BOTH


@dataclass
class Score:
    """Counts over cases."""

    cases: int = 0
    exact: int = 0
    first: int = 0
    third: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, case: Case, causes: list[str]) -> None:
        self.cases += 1
        self.exact += causes[:1] == [case.cause]
        accepted = case.plausible | {case.cause}
        self.first += bool(accepted.intersection(causes[:1]))
        self.third += bool(accepted.intersection(causes[:3]))
        if not accepted.intersection(causes[:1]):
            self.missed.append(f"{case.name}  {case.cause}  <- {', '.join(causes[:3]) or 'nothing'}")


def load_cases(folder: Path) -> list[Case]:
    """The cases of `folder` that have a log or a report."""
    cases = []
    for path in sorted(folder.glob("case-*.json")):
        record: dict[str, Any] = json.loads(path.read_text())
        log, report = record["log"], record["collect_env"]
        plausible = set(record.get("also_plausible") or ())
        if report is None:
            plausible |= set(record.get("log_only_plausible") or ())
        if log or report:
            cases.append(Case(path.stem, log, report, record["cause"], frozenset(plausible)))
    return cases


def findings_of(log: bytes | str | None, report: bytes | str | None) -> tuple[Finding, ...]:
    """What the doctor finds."""
    return diagnose(facts_of(report=report, log=log), shipped_matrix(), catalogue()).findings


def score(cases: Iterable[Case], disturb: Callable[[str], bytes | str] = str) -> dict[str, Score]:
    """Scores in all, by kind of input and by cause."""
    scores: dict[str, Score] = defaultdict(Score)
    for case in cases:
        log = None if case.log is None else disturb(case.log)
        causes = [one.cause for one in findings_of(log, case.report)]
        for key in ("all", case.kind, f"  {case.cause}"):
            scores[key].add(case, causes)
    return scores


def _prefix(template: str) -> Callable[[str], str]:
    return lambda text: "\n".join(template.format(n=n) + line for n, line in enumerate(text.splitlines()))


def _colour(text: str) -> str:
    return "\n".join(f"\x1b[31m{line[:7]}\x1b[0m{line[7:]}" for line in text.splitlines())


def _other_paths(text: str) -> str:
    return text.replace("/usr/local/", "/opt/site/").replace("/home/", "/mnt/users/")


def _noise(text: str) -> str:
    dice = random.Random(7)
    lines = [
        f"step {n} loss={dice.random():.4f} lr=1e-05 grad_norm={dice.random():.3f}" for n in range(20000)
    ]
    return "\n".join([*lines[:10000], text, *lines[10000:]])


DISTURBANCES: dict[str, Callable[[str], bytes | str]] = {
    "rank prefixes": _prefix("[rank{n}]: "),
    "engine prefixes": _prefix("(EngineCore_DP0 pid={n}) ERROR 12-16 01:53:33 [core.py:845] "),
    "mpirun tags": _prefix("[1,{n}]<stderr>:"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "ANSI colours": _colour,
    "other paths": _other_paths,
    "gzip": lambda text: gzip.compress(text.encode()),
    "noise": _noise,
    "UTF-16": lambda text: text.encode("utf-16"),
}


def main(folder: Path) -> int:
    """Print the tables; 0 when the bars of the design are met."""
    cases = load_cases(folder)
    scores = score(cases)
    _print_scores(scores)
    plain = scores["all"]
    met = plain.first >= 0.90 * plain.cases and plain.third >= 0.97 * plain.cases
    with_log = [case for case in cases if case.log]
    base = score(with_log)["all"].first
    print("\ndisturbed logs: cases named first, against the same logs undisturbed")
    for name, disturb in DISTURBANCES.items():
        named = score(with_log, disturb)["all"].first
        met = met and named >= 0.95 * base
        print(f"  {name:16} {named:4} / {base}")
    wrong = _healthy_errors(folder)
    print(f"\nerror findings on healthy reports: {len(wrong)}")
    for line in wrong:
        print(f"  {line}")
    return 0 if met and not wrong else 1


def _print_scores(scores: dict[str, Score]) -> None:
    print(f"{'':34} cases  exact  top-1  top-3")
    for key in sorted(scores, key=lambda name: (name.startswith(" "), name)):
        one = scores[key]
        share = "" if key.startswith(" ") else f"   {one.first / one.cases:.1%} / {one.third / one.cases:.1%}"
        print(f"{key:34} {one.cases:5} {one.exact:6} {one.first:6} {one.third:6}{share}")
    print("\nnot named first")
    for line in scores["all"].missed:
        print(f"  {line}")


def _healthy_errors(folder: Path) -> list[str]:
    wrong: list[str] = []
    for path in sorted((folder / "healthy").glob("*.json")):
        record = json.loads(path.read_text())
        wrong.extend(
            f"{path.stem}  {one.id} {one.cause}: {one.title}"
            for one in findings_of(record.get("log"), record.get("collect_env"))
            if one.severity is Severity.ERROR
        )
    return wrong


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
