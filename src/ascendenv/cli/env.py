"""`ascendenv env`: what environment variables mean, profiles of them, and what is wrong in an environment."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang, TextOrJson, TextOrJsonOption
from ascendenv.errors import ExitCode, NothingChecked, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.env.comparison import Difference
    from ascendenv.env.problem import Problem
    from ascendenv.env.profile import Profile
    from ascendenv.lock.model import Stack
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.versions import Version

__all__ = ["HELP", "app"]

HELP = say("Explain environment variables, and get them right.")

app = typer.Typer(no_args_is_help=True)


class Form(str, Enum):
    """The forms in which a profile is written."""

    SH = "sh"
    BASH = "bash"
    FISH = "fish"
    DOTENV = "dotenv"
    SYSTEMD = "systemd"
    DOCKER = "docker"
    K8S = "k8s"


class ShellForm(str, Enum):
    """The forms that a running shell can take."""

    SH = "sh"
    BASH = "bash"
    FISH = "fish"


Lock = Annotated[str, typer.Option("--lock", metavar="FILE", help=str(say("The lock to read.")))]
StackName = Annotated[
    str | None,
    typer.Option("--stack", metavar="NAME", help=str(say("The stack of the lock, where it has several."))),
]
ArchName = Annotated[
    str | None,
    typer.Option("--arch", metavar="ARCH", help=str(say("aarch64 or x86_64, where the stack has both."))),
]
Purposes = Annotated[
    list[str] | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help=str(
            say("A purpose, such as training or debug; may be given several times, the last one counts.")
        ),
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help=str(say("A value of your own, on top of all others."))),
]
Prefix = Annotated[
    str, typer.Option("--prefix", metavar="DIR", help=str(say("Where the Ascend software lies.")))
]
_PREFIX = "/usr/local/Ascend"


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
    prefix: Prefix = _PREFIX,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help=str(say("Write to this file.")))
    ] = "-",
    lang: Lang = None,
) -> None:
    from ascendenv.cli.output import write_text
    from ascendenv.env.render import render as rendered

    found = _profile(lock, stack, arch, profile or [], set_ or [], prefix)
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
    prefix: Prefix = _PREFIX,
    lang: Lang = None,
) -> None:
    from ascendenv.env.render import render as rendered

    here = arch or _own_arch()
    print(rendered(_profile(lock, stack, here, profile or [], set_ or [], prefix), form.value), end="")


def _own_arch() -> str:
    import platform

    return platform.machine()


def _profile(
    lock: str, stack: str | None, arch: str | None, purposes: list[str], settings: list[str], prefix: str
) -> Profile:
    from ascendenv.env.profile import profile_of
    from ascendenv.matrix.store import shipped_variables

    chosen = _stack(lock, stack)
    return profile_of(
        chosen,
        shipped_variables(),
        arch=_arch(chosen, arch),
        purposes=purposes,
        overrides=dict(_pair(one) for one in settings),
        prefix=prefix,
    )


def _stack(lock: str, name: str | None) -> Stack:
    from ascendenv.lock.lock_file import read_lock

    stacks = read_lock(lock).stacks
    found = [one for one in stacks if name in (None, one.name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(one.name for one in stacks)
    raise UnusableInput(say("name one stack with --stack: {names}", names=names), where=lock)


def _arch(stack: Stack, arch: str | None) -> Arch:
    found = [one for one in stack.arch if arch in (None, one)]
    if len(found) == 1:
        return found[0]
    raise UnusableInput(
        say("name one architecture of the stack with --arch: {names}", names=", ".join(stack.arch))
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UnusableInput(say("--set takes NAME=VALUE, not {text}", text=repr(text)))
    return name, value


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
    prefix: Prefix = _PREFIX,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    from ascendenv.env.check import check as checked
    from ascendenv.matrix.store import shipped_variables

    environment, cann = _seen(report, pid)
    wanted = None if lock is None else _profile(lock, stack, arch, profile or [], set_ or [], prefix)
    found = checked(environment, shipped_variables(), cann=cann, profile=wanted)
    _print_problems(found, format_)
    bad = any(one.severity == "error" for one in found)
    raise typer.Exit(ExitCode.FINDINGS if bad else ExitCode.GOOD)


def _seen(report: str | None, pid: int | None) -> tuple[Mapping[str, str], Version | None]:
    """The variables to judge, and the CANN in use where it is told."""
    import os

    from ascendenv.cli.inputs import Inputs
    from ascendenv.facts.unknown import Unknown

    if report is None and pid is None:
        return os.environ, None
    facts = Inputs(report=report, pid=pid).facts()
    if isinstance(facts.environment, Unknown):
        raise NothingChecked(say("no variable stands here"), where=report or str(pid))
    return facts.environment, None if isinstance(facts.cann, Unknown) else facts.cann


def _print_problems(found: tuple[Problem, ...], format_: TextOrJson) -> None:
    import json

    from ascendenv.report.printable import printable

    if format_ is TextOrJson.JSON:
        rows = [
            {"kind": one.kind, "name": one.name, "severity": one.severity, "message": str(one.message)}
            for one in found
        ]
        print(json.dumps({"schema_version": 1, "problems": rows}, ensure_ascii=False, indent=2))
        return
    for one in found:
        print(printable(f"{one.severity}: {one.name}: {one.message} ({one.kind})"))
    if not found:
        print(say("nothing is wrong with these variables"))


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

    sides = [_side(one, lock, stack, arch) for one in (first, second)]
    known = shipped_variables().variables
    # A profile speaks of its own variables only: what else an environment holds is no difference to it.
    spoken = [set(side) for spec, side in zip((first, second), sides, strict=True) if _is_profile(spec)]
    names = set.union(*spoken) if spoken else set(sides[0]) | set(sides[1])
    found = differences(
        sides[0],
        sides[1],
        names=[one for one in names if all_ or spoken or one in known or is_of_interest(one)],
        lists=[name for name, row in known.items() if row.kind == "paths"],
    )
    _print_differences(found, format_)
    raise typer.Exit(ExitCode.FINDINGS if found else ExitCode.GOOD)


def _is_profile(spec: str) -> bool:
    return spec.startswith("profile:")


def _side(spec: str, lock: str, stack: str | None, arch: str | None) -> Mapping[str, str]:
    """The variables of one side; raises UnusableInput or NothingChecked."""
    import os

    from ascendenv.cli.side import read_side
    from ascendenv.env.static import mapping
    from ascendenv.facts.unknown import Unknown

    if spec == ".":
        return os.environ
    if _is_profile(spec):
        purpose = spec.removeprefix("profile:")
        return mapping(_profile(lock, stack, arch, [purpose] if purpose else [], [], _PREFIX))
    if spec.startswith("pid:"):
        number = spec.removeprefix("pid:")
        if not number.isdecimal():
            raise UnusableInput(say("{text} is no process id", text=repr(number)))
        return _seen(None, int(number))[0]
    environment = read_side(spec).environment
    if isinstance(environment, Unknown):
        raise NothingChecked(say("no variable stands here"), where=spec)
    return environment


def _print_differences(found: tuple[Difference, ...], format_: TextOrJson) -> None:
    import json
    from dataclasses import asdict

    from ascendenv.report.printable import printable

    if format_ is TextOrJson.JSON:
        rows = [asdict(one) for one in found]
        print(json.dumps({"schema_version": 1, "differences": rows}, ensure_ascii=False, indent=2))
        return
    for one in found:
        print("\n".join(printable(line) for line in _lines(one)))
    if not found:
        print(say("these variables are the same"))


def _lines(one: Difference) -> list[str]:
    if one.reordered:
        return [
            f"{one.name}: {say('the same folders in another order')}",
            f"  - {one.first}",
            f"  + {one.second}",
        ]
    if one.only_first or one.only_second:
        removed = [f"  - {folder}" for folder in one.only_first]
        return [f"{one.name}:", *removed, *(f"  + {folder}" for folder in one.only_second)]
    shown = [str(say("not set")) if each is None else repr(each) for each in (one.first, one.second)]
    return [f"{one.name}:", f"  - {shown[0]}", f"  + {shown[1]}"]
