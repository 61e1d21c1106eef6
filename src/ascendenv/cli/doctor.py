"""`ascendenv doctor`: names the root cause of a broken machine, with proof and fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.doctor_output import Answer, DoctorFormat, FailOn
from ascendenv.cli.inputs import Inputs
from ascendenv.cli.live_probe import LiveWish
from ascendenv.cli.options import Lang, Verbose
from ascendenv.errors import UnusableInput
from ascendenv.language import active_language, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascendenv.doctor.check import Check
    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.doctor.waivers import Review

__all__ = ["HELP", "doctor"]

HELP = say("Find the root cause of a broken machine, a report or an error log, with proof and fix.")

_INPUT = str(say("What to look at (default: this machine)"))
_LIVE = str(say("The live probe"))
_CHECKS = str(say("Which findings count"))
_OUTPUT = str(say("The answer"))


def doctor(
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="FILE|-",
            help=str(say("Error output: a traceback, plog, kernel log.")),
            rich_help_panel=_INPUT,
        ),
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(
            "--report",
            metavar="FILE|-",
            help=str(say("A pasted report: collect_env, npu-smi, pip list, env, in any mixture.")),
            rich_help_panel=_INPUT,
        ),
    ] = None,
    snapshot: Annotated[
        str | None,
        typer.Option(
            "--snapshot",
            metavar="FILE|-",
            help=str(say("What `ascendenv collect` saved on another machine.")),
            rich_help_panel=_INPUT,
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(
            "--python",
            metavar="PATH",
            help=str(say("The Python interpreter to look into.")),
            rich_help_panel=_INPUT,
        ),
    ] = None,
    pid: Annotated[
        int | None,
        typer.Option(
            "--pid",
            metavar="PID",
            help=str(say("A running process whose environment and libraries count.")),
            rich_help_panel=_INPUT,
        ),
    ] = None,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help=str(say("Import torch and torch_npu in that interpreter and compute a little.")),
            rich_help_panel=_LIVE,
        ),
    ] = False,
    live_device: Annotated[
        str | None,
        typer.Option(
            "--live-device",
            metavar="npu:0|cpu",
            help=str(say("Where to compute: one card that nobody uses, or cpu; none unless named.")),
            rich_help_panel=_LIVE,
        ),
    ] = None,
    live_seconds: Annotated[
        int | None,
        typer.Option(
            "--live-seconds",
            metavar="SECONDS",
            min=1,
            help=str(say("Time limit of the live probe; default 300.")),
            rich_help_panel=_LIVE,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="ID",
            help=str(say("Only these checks: id, family letters or cause.")),
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="ID",
            help=str(say("Not these checks: id, family letters or cause.")),
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    waivers: Annotated[
        str | None,
        typer.Option(
            "--waivers",
            metavar="FILE",
            help=str(say("Findings that were accepted, with reason and last day (YAML).")),
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="DATE",
            help=str(say("Judge waivers as of this day, e.g. 2026-11-29; default today.")),
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option(
            "--fail-on",
            metavar="SEVERITY",
            help=str(say("The exit code is 1 from this on: error (default), warning or never.")),
            show_default=False,
            rich_help_panel=_CHECKS,
        ),
    ] = FailOn.ERROR,
    format_: Annotated[
        DoctorFormat,
        typer.Option(
            "--format",
            metavar="FORM",
            help=str(say("text, json, junit, sarif, prometheus or html; default text.")),
            show_default=False,
            rich_help_panel=_OUTPUT,
        ),
    ] = DoctorFormat.TEXT,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|-",
            help=str(say("Where to write; - is standard output.")),
            show_default=False,
            rich_help_panel=_OUTPUT,
        ),
    ] = "-",
    share: Annotated[
        bool,
        typer.Option(
            "--share",
            help=str(say("Replace hosts, users, addresses, serial numbers and secrets by pseudonyms.")),
            rich_help_panel=_OUTPUT,
        ),
    ] = False,
    list_: Annotated[
        bool,
        typer.Option("--list", help=str(say("List the checks and stop.")), rich_help_panel=_OUTPUT),
    ] = False,
    verbose: Verbose = False,
    lang: Lang = None,
) -> None:
    """Judge this box, or what a log, a report or a snapshot tell about another one."""
    wish = LiveWish(wanted=live, device=live_device, seconds=live_seconds)
    given = Inputs(log=log, report=report, snapshot=snapshot, python=python, pid=pid, live=wish)
    read_later = given.read if list_ else given.begin()

    from ascendenv.cli.matrix_input import day_of
    from ascendenv.cli.sharing import personal_in
    from ascendenv.doctor.catalogue import catalogue
    from ascendenv.doctor.engine import diagnose
    from ascendenv.doctor.selection import select as select_checks
    from ascendenv.doctor.waivers import Review
    from ascendenv.matrix.store import shipped_matrix

    checks = select_checks(catalogue(), select or (), ignore or ())
    if list_:
        _print_list(checks, as_json=format_ is DoctorFormat.JSON)
        return
    day = "" if at is None else day_of(at)
    accepted = None if waivers is None else _accepted(waivers, day_of(at))
    if share and format_ is DoctorFormat.TEXT:
        raise UnusableInput(say("--share needs a form to be passed on: --format json or html"))
    read = read_later()
    diagnosis = diagnose(read.facts, shipped_matrix(), checks)
    answer = Answer(
        review=Review(diagnosis) if accepted is None else accepted(diagnosis),
        checks=checks,
        form=format_,
        fail_on=fail_on,
        verbose=verbose,
        day=day,
        personal=personal_in(read.facts, read.records) if share else None,
        files=given.files(),
    )
    answer.give(output)
    raise typer.Exit(answer.exit_code())


def _accepted(path: str, day: str) -> Callable[[Diagnosis], Review]:
    """What applies the waivers of that file as of that day; the file is read at once, so that mistakes show first."""
    from datetime import date

    from ascendenv.cli.waiver_file import read_waivers
    from ascendenv.doctor.catalogue import catalogue
    from ascendenv.doctor.waivers import review

    waivers = read_waivers(path, catalogue())
    today = date.fromisoformat(day)
    return lambda diagnosis: review(diagnosis, waivers, today)


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
