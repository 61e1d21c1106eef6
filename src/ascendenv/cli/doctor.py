"""`ascendenv doctor`: names the root cause of a broken machine, with proof and fix."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.inputs import Inputs
from ascendenv.cli.options import Lang, Verbose
from ascendenv.errors import ExitCode
from ascendenv.language import active_language, say

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.engine import Diagnosis

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
        str | None,
        typer.Option(
            "--log", metavar="FILE|-", help=str(say("Error output: a traceback, plog, kernel log."))
        ),
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(
            "--report",
            metavar="FILE|-",
            help=str(say("A pasted report: collect_env, npu-smi, pip list, env, in any mixture.")),
        ),
    ] = None,
    snapshot: Annotated[
        str | None,
        typer.Option(
            "--snapshot",
            metavar="FILE|-",
            help=str(say("What `ascendenv collect` saved on another machine.")),
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option("--python", metavar="PATH", help=str(say("The Python interpreter to look into."))),
    ] = None,
    pid: Annotated[
        int | None,
        typer.Option("--pid", help=str(say("A running process whose environment and libraries count."))),
    ] = None,
    format_: Annotated[
        DoctorFormat, typer.Option("--format", help=str(say("Form of the answer.")))
    ] = DoctorFormat.TEXT,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help=str(say("Severity from which on the exit code is 1.")))
    ] = FailOn.ERROR,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select", metavar="ID", help=str(say("Only these checks: id, family letters or cause."))
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore", metavar="ID", help=str(say("Not these checks: id, family letters or cause."))
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help=str(say("List the checks and stop.")))] = False,
    verbose: Verbose = False,
    lang: Lang = None,
) -> None:
    """Judge this box, or what a log, a report or a snapshot tell about another one."""
    from ascendenv.doctor.catalogue import catalogue
    from ascendenv.doctor.engine import diagnose
    from ascendenv.doctor.selection import select as select_checks
    from ascendenv.matrix.store import shipped_matrix

    checks = select_checks(catalogue(), select or (), ignore or ())
    if list_:
        _print_list(checks, as_json=format_ is DoctorFormat.JSON)
        return
    given = Inputs(log=log, report=report, snapshot=snapshot, python=python, pid=pid)
    diagnosis = diagnose(given.facts(), shipped_matrix(), checks)
    _show(diagnosis, format_, verbose=verbose)
    raise typer.Exit(_exit_code(diagnosis, fail_on))


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
