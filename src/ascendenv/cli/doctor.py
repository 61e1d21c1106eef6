"""`ascendenv doctor`: names the root cause of a broken machine, with proof and fix."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang, Verbose
from ascendenv.errors import ExitCode, NothingChecked, UnusableInput
from ascendenv.language import active_language, say

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.facts.model import HostFacts

__all__ = ["HELP", "doctor"]

HELP = say("Find the root cause of a broken machine, a report or an error log, with proof and fix.")


class DoctorFormat(str, Enum):
    """The forms of a diagnosis."""

    TEXT = "text"
    JSON = "json"


class FailOn(str, Enum):
    """The severity from which on a finding makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


def doctor(
    log: Annotated[
        str | None, typer.Option("--log", metavar="FILE|-", help=str(say("Error output: a traceback, plog, kernel log.")))
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(
            "--report",
            metavar="FILE|-",
            help=str(say("A pasted report: collect_env, npu-smi, pip list, env, in any mixture.")),
        ),
    ] = None,
    format_: Annotated[DoctorFormat, typer.Option("--format", help=str(say("Form of the answer.")))] = DoctorFormat.TEXT,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help=str(say("Severity from which on the exit code is 1.")))
    ] = FailOn.ERROR,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="ID", help=str(say("Only these checks: id, family letters or cause."))),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="ID", help=str(say("Not these checks: id, family letters or cause."))),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help=str(say("List the checks and stop.")))] = False,
    verbose: Verbose = False,
    lang: Lang = None,
) -> None:
    """Judge this box, or what `--log` and `--report` tell about another one."""
    from ascendenv.doctor.catalogue import catalogue
    from ascendenv.doctor.engine import diagnose
    from ascendenv.doctor.selection import select as select_checks
    from ascendenv.matrix.store import shipped_matrix

    checks = select_checks(catalogue(), select or (), ignore or ())
    if list_:
        _print_list(checks, as_json=format_ is DoctorFormat.JSON)
        return
    diagnosis = diagnose(_facts(log, report), shipped_matrix(), checks)
    _show(diagnosis, format_, verbose=verbose)
    raise typer.Exit(_exit_code(diagnosis, fail_on))


def _facts(log: str | None, report: str | None) -> HostFacts:
    from ascendenv.cli.inputs import open_input
    from ascendenv.facts.text import has_ascend_trace, merge, read_log, read_report

    if log == "-" and report == "-":
        raise UnusableInput(say("only one of --log and --report can be read from standard input"))
    parts: list[HostFacts] = []
    if report is not None:
        with open_input(report, "--report") as stream:
            parts.append(read_report(stream.read()))
    if log is not None:
        with open_input(log, "--log") as stream:
            parts.append(read_log(stream))
    if not parts:
        raise UnusableInput(
            say("nothing was given to look at"),
            hint=say("give a log with --log FILE or a report with --report FILE; - reads standard input"),
        )
    facts = parts[0] if len(parts) == 1 else merge(*parts)
    if not has_ascend_trace(facts):
        raise NothingChecked(
            say("this says nothing about an Ascend machine"),
            where=" ".join(name for name in (report, log) if name),
            hint=say("give the output of `npu-smi info`, `pip list` and the whole error text"),
        )
    return facts


def _show(diagnosis: Diagnosis, format_: DoctorFormat, *, verbose: bool) -> None:
    if format_ is DoctorFormat.JSON:
        import json

        from ascendenv.report.record import record_of

        print(json.dumps(record_of(diagnosis), ensure_ascii=False, indent=2))
        return
    from ascendenv.report.text import print_diagnosis

    print_diagnosis(diagnosis, sys.stdout, verbose=verbose)


def _exit_code(diagnosis: Diagnosis, fail_on: FailOn) -> ExitCode:
    from ascendenv.doctor.finding import Severity
    from ascendenv.doctor.verdict import verdict_of

    threshold = {FailOn.ERROR: Severity.ERROR, FailOn.WARNING: Severity.WARNING, FailOn.NEVER: None}[fail_on]
    if threshold is not None and any(one.severity >= threshold for one in diagnosis.findings):
        return ExitCode.FINDINGS
    return ExitCode.NOTHING_CHECKED if verdict_of(diagnosis) == "unknown" else ExitCode.GOOD


def _print_list(checks: tuple[type[Check], ...], *, as_json: bool) -> None:
    from ascendenv.doctor.page import page_of

    rows = [(one.id, page_of(one, active_language()).title, one.causes) for one in checks]
    if as_json:
        import json

        listed = [{"id": id_, "title": title, "causes": list(causes)} for id_, title, causes in rows]
        print(json.dumps({"schema_version": 1, "checks": listed}, ensure_ascii=False, indent=2))
        return
    for id_, title, causes in rows:
        print(f"{id_}  {title}")
        print(f"        {', '.join(causes)}")
