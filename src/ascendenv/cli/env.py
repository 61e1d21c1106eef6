"""`ascendenv env`: what environment variables mean, profiles of them, and what is wrong in an environment."""

from __future__ import annotations

from typing import Annotated

import typer

from ascendenv.cli.env_input import (
    is_profile,
    own_arch,
    profile_from,
    read_environment,
    seen_environment,
)
from ascendenv.cli.env_options import (
    PREFIX,
    ArchName,
    Form,
    Lock,
    Prefix,
    Purposes,
    Settings,
    ShellForm,
    StackName,
)
from ascendenv.cli.env_text import print_differences, print_problems
from ascendenv.cli.options import Lang, TextOrJson, TextOrJsonOption
from ascendenv.errors import ExitCode, UnusableInput
from ascendenv.language import say

__all__ = ["HELP", "app"]

HELP = say("Explain environment variables, and get them right.")

app = typer.Typer(no_args_is_help=True)


@app.command("explain", help=str(say("Tell what a variable means, what it may hold, and who reads it.")))
def explain(
    name: Annotated[str, typer.Argument(metavar="NAME", help=str(say("For example HCCL_CONNECT_TIMEOUT.")))],
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    import json

    from ascendenv.env import explanation
    from ascendenv.matrix.store import shipped_variables

    catalogue = shipped_variables().variables
    found = catalogue.get(name.upper())
    if found is None:
        near = explanation.nearest(name, catalogue)
        hint = say("the nearest names are {names}", names=", ".join(near)) if near else None
        raise UnusableInput(say("the catalogue has no variable {name}", name=repr(name)), hint=hint)
    if format_ is TextOrJson.JSON:
        print(json.dumps({"schema_version": 1, **explanation.record(found)}, ensure_ascii=False, indent=2))
    else:
        print(explanation.explain(found))


@app.command("render", help=str(say("Write the variables of a lock for a shell, a service or a container.")))
def render(
    lock: Lock = "ascendenv.lock",
    form: Annotated[
        Form, typer.Option("--for", help=str(say("Who reads it; sh is for dash, bash and zsh.")))
    ] = Form.SH,
    profile: Purposes = None,
    stack: StackName = None,
    arch: ArchName = None,
    set_: Settings = None,
    prefix: Prefix = PREFIX,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help=str(say("Write to this file.")))
    ] = "-",
    lang: Lang = None,
) -> None:
    from ascendenv.cli.output import write_text
    from ascendenv.env.render import render as rendered

    found = profile_from(lock, stack, arch, profile or [], set_ or [], prefix)
    write_text(rendered(found, form.value), output)


@app.command("activate", help=str(say('Print what this shell has to run: eval "$(ascendenv env activate)".')))
def activate(
    lock: Lock = "ascendenv.lock",
    form: Annotated[
        ShellForm, typer.Option("--for", help=str(say("Who reads it; sh is for dash, bash and zsh.")))
    ] = ShellForm.SH,
    profile: Purposes = None,
    stack: StackName = None,
    arch: ArchName = None,
    set_: Settings = None,
    prefix: Prefix = PREFIX,
    lang: Lang = None,
) -> None:
    from ascendenv.env.render import render as rendered

    here = arch or own_arch()
    print(rendered(profile_from(lock, stack, here, profile or [], set_ or [], prefix), form.value), end="")


@app.command(
    "check", help=str(say("Tell what is wrong in an environment: this shell, a process or a report."))
)
def check(
    report: Annotated[
        str | None,
        typer.Option(
            "--report", metavar="FILE", help=str(say("A text with variables, such as the output of env."))
        ),
    ] = None,
    pid: Annotated[
        int | None, typer.Option("--pid", metavar="PID", help=str(say("A running process.")))
    ] = None,
    lock: Annotated[
        str | None,
        typer.Option(
            "--lock", metavar="FILE", help=str(say("A lock whose profile the environment must have."))
        ),
    ] = None,
    profile: Purposes = None,
    stack: StackName = None,
    arch: ArchName = None,
    set_: Settings = None,
    prefix: Prefix = PREFIX,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    from ascendenv.env.check import check as checked
    from ascendenv.matrix.store import shipped_variables

    environment, cann = seen_environment(report, pid)
    wanted = None if lock is None else profile_from(lock, stack, arch, profile or [], set_ or [], prefix)
    found = checked(environment, shipped_variables(), cann=cann, profile=wanted)
    print_problems(found, format_)
    bad = any(one.severity == "error" for one in found)
    raise typer.Exit(ExitCode.FINDINGS if bad else ExitCode.GOOD)


@app.command("diff", help=str(say("Compare two environments: this shell, processes, files, profiles.")))
def diff(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help=str(say(". for this shell, pid:N, profile:NAME of the lock, or a file: snapshot or text.")),
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help=str(say("The other one.")))],
    lock: Lock = "ascendenv.lock",
    stack: StackName = None,
    arch: ArchName = None,
    all_: Annotated[
        bool, typer.Option("--all", help=str(say("Variables that do not bear on an Ascend stack as well.")))
    ] = False,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    from ascendenv.env.comparison import differences
    from ascendenv.facts.environment import is_of_interest
    from ascendenv.matrix.store import shipped_variables

    sides = [read_environment(one, lock, stack, arch) for one in (first, second)]
    known = shipped_variables().variables
    # A profile speaks of its own variables only: what else an environment holds is no difference to it.
    spoken = [set(side) for spec, side in zip((first, second), sides, strict=True) if is_profile(spec)]
    names = set.union(*spoken) if spoken else set(sides[0]) | set(sides[1])
    found = differences(
        sides[0],
        sides[1],
        names=[one for one in names if all_ or spoken or one in known or is_of_interest(one)],
        lists=[name for name, row in known.items() if row.kind == "paths"],
    )
    print_differences(found, format_)
    raise typer.Exit(ExitCode.FINDINGS if found else ExitCode.GOOD)
