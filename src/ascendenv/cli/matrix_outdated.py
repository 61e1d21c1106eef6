"""`ascendenv matrix outdated`: what is newer than a stack in use, and what of it is at the end of its life."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from ascendenv.cli.options import Lang, MatrixFolder, TextOrJson, TextOrJsonOption
from ascendenv.errors import ExitCode, NothingChecked, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.lock.model import Stack as LockedStack
    from ascendenv.matrix.given import Given
    from ascendenv.matrix.model import Matrix
    from ascendenv.sources.newer import Age, EndOfLife, Newer
    from ascendenv.versions import Scheme, Version

__all__ = ["HELP", "outdated"]

HELP = say(
    "Say what newer recommended sets there are, and what is at the end of its life; 0 for neither, else 1."
)

_ROLES = {
    "newest": say("newest"),
    "same torch": say("same torch"),
    "same CANN": say("same CANN"),
}
_SHOWN = {"cann": "CANN"}


class EndRecord(TypedDict):
    """One component at the end of its life, now (`over`) or from an announced day on."""

    component: str
    version: str
    over: bool
    since: str | None
    sources: list[str]


class NewerRecord(TypedDict):
    """One newer set."""

    roles: list[str]
    set: dict[str, str]
    changes: list[dict[str, str]]
    driver_can_stay: bool


class StackAgeRecord(TypedDict):
    """One stack in use."""

    name: str
    current: dict[str, str]
    level: str | None
    end_of_life: list[EndRecord]
    newer: list[NewerRecord]


def outdated(
    lock: Annotated[
        str | None, typer.Argument(metavar="[LOCK]", help=str(say("A lock; or give versions instead.")))
    ] = None,
    stack: Annotated[
        str | None, typer.Option("--stack", metavar="NAME", help=str(say("Only that stack of the lock.")))
    ] = None,
    chip: Annotated[
        str | None, typer.Option("--chip", help=str(say("Any name of a chip: 910B3, A3, Ascend950PR.")))
    ] = None,
    product: Annotated[
        str | None, typer.Option("--product", help=str(say("A card or server: Atlas 800I A2.")))
    ] = None,
    driver: Annotated[str | None, typer.Option("--driver", help=str(say("Driver version.")))] = None,
    firmware: Annotated[str | None, typer.Option("--firmware", help=str(say("Firmware version.")))] = None,
    cann: Annotated[str | None, typer.Option("--cann", help=str(say("CANN version.")))] = None,
    torch: Annotated[str | None, typer.Option("--torch", help=str(say("torch version.")))] = None,
    torch_npu: Annotated[str | None, typer.Option("--torch-npu", help=str(say("torch_npu version.")))] = None,
    python: Annotated[str | None, typer.Option("--python", help=str(say("Python version.")))] = None,
    arch: Annotated[str | None, typer.Option("--arch", help=str(say("aarch64 or x86_64.")))] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="DATE", help=str(say("The day that life-cycles are judged by; default today."))
        ),
    ] = None,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_input import day_of, given_of
    from ascendenv.sources.newer import age_of

    table = _matrix(matrix)
    texts = {
        "driver": driver,
        "firmware": firmware,
        "cann": cann,
        "torch": torch,
        "torch_npu": torch_npu,
        "python": python,
    }
    named = [one for one in (*texts.values(), chip, product, arch) if one is not None]
    if (lock is None) == (not named):
        raise UnusableInput(
            say("give a lock, or versions such as --cann 8.2.RC1 --torch-npu 2.7.1, not both")
            if named
            else say("give a lock, or versions such as --cann 8.2.RC1 --torch-npu 2.7.1")
        )
    if lock is not None:
        stacks = dict(_locked(lock, stack))
    else:
        stacks = {"": given_of(table, texts, chip=chip, product=product, arch=arch, os=None)}
    today = day_of(at)
    ages = {name: age_of(table, _checked(table, name, one), today=today) for name, one in stacks.items()}
    if format_ is TextOrJson.JSON:
        records = [_record(name, one) for name, one in ages.items()]
        print(json.dumps({"schema_version": 1, "at": today, "stacks": records}, ensure_ascii=False, indent=2))
    else:
        for name, one in ages.items():
            _print(name, one)
    raise typer.Exit(ExitCode.FINDINGS if any(one.is_outdated for one in ages.values()) else ExitCode.GOOD)


def _matrix(folders: list[str] | None) -> Matrix:
    from ascendenv.cli.matrix_input import folder_of
    from ascendenv.matrix.store import shipped_matrix, with_site

    found = shipped_matrix()
    for folder in folders or ():
        found = with_site(found, folder_of(folder))
    return found


def _locked(path: str, wanted: str | None) -> Iterator[tuple[str, Given]]:
    """The stacks of a lock by name; raises UnusableInput where it cannot be used or has no stack of that name."""
    from ascendenv.lock.lock_file import read_lock

    lock = read_lock(path)
    names = [one.name for one in lock.stacks]
    if wanted is not None and wanted not in names:
        raise UnusableInput(
            say("the lock has no stack {name}", name=repr(wanted)),
            where=path,
            hint=say("its stacks are: {names}", names=", ".join(names)),
        )
    for one in lock.stacks:
        if wanted in (None, one.name):
            yield one.name, _given(one, path)


def _given(stack: LockedStack, path: str) -> Given:
    """What the stack fixes; raises UnusableInput where a version in it cannot be read."""
    from ascendenv.matrix.given import Given
    from ascendenv.versions import InvalidVersion, parse

    def version(name: str, scheme: Scheme) -> Version | None:
        text = stack.value(name)
        return None if text is None else parse(text, scheme)

    try:
        return Given(
            chip=stack.chip or stack.family,
            product=stack.product,
            arch=stack.arch[0] if len(stack.arch) == 1 else None,
            driver=version("driver", "vendor"),
            firmware=version("firmware", "vendor"),
            cann=version("toolkit", "vendor"),
            torch=version("torch", "pep440"),
            torch_npu=version("torch_npu", "pep440"),
            python=version("python", "pep440"),
        )
    except InvalidVersion as error:
        raise UnusableInput(say("{reason}", reason=str(error)), where=path) from error


def _checked(matrix: Matrix, name: str, given: Given) -> Given:
    """The same, if it can be compared; raises NothingChecked or UnusableInput."""
    if given.cann is None and given.torch is None and given.torch_npu is None:
        raise NothingChecked(
            say("neither CANN nor torch nor torch_npu is known, so nothing can be compared"), where=name
        )
    for what, text, found in (
        ("chip", given.chip, given.chip and matrix.find_chip(given.chip)),
        ("product", given.product, given.product and matrix.find_product(given.product)),
    ):
        if text is not None and found is None:
            raise UnusableInput(
                say("the matrix has no {kind} {name}", kind=what, name=repr(text)), where=name
            )
    return given


def _record(name: str, age: Age) -> StackAgeRecord:
    return {
        "name": name,
        "current": age.given.named(),
        "level": str(age.level) if age.level is not None else None,
        "end_of_life": [_end(one) for one in age.ends],
        "newer": [_newer(one) for one in age.newer],
    }


def _end(end: EndOfLife) -> EndRecord:
    return {
        "component": end.component,
        "version": end.version,
        "over": end.is_over,
        "since": end.since,
        "sources": list(end.sources),
    }


def _newer(newer: Newer) -> NewerRecord:
    return {
        "roles": list(newer.roles),
        "set": newer.stack.given().named(),
        "changes": [
            {"component": name, "before": before, "after": after} for name, before, after in newer.changes
        ],
        "driver_can_stay": newer.driver_can_stay,
    }


def _print(name: str, age: Age) -> None:
    current = ", ".join(f"{_SHOWN.get(key, key)} {text}" for key, text in age.given.named().items())
    print(f"{name}: {current}" if name else current)
    if age.level is not None and str(age.level) == "broken":
        print(f"  {say('these do not go together; `ascendenv matrix check` says why')}")
    for one in age.ends:
        what = f"{_SHOWN.get(one.component, one.component)} {one.version}"
        if one.is_over:
            words = say("end of life: {what}, since {day}", what=what, day=one.since or "?")
        else:
            words = say("end of life is announced: {what}, from {day} on", what=what, day=one.since or "?")
        print(f"  {words}")
    _print_newer(age)


def _print_newer(age: Age) -> None:
    from ascendenv.cli.matrix_text import print_table

    if not age.newer:
        print(f"  {say('there is no newer recommended set')}")
        return
    print(f"  {say('newer recommended sets:')}")
    shown = [one for one in age.newer if one.roles]
    rows = [
        (
            str(one.stack.cann),
            str(one.stack.torch_npu),
            f"{one.stack.driver or '-'}{' *' if one.driver_can_stay else ''}",
            str(one.stack.python),
            ", ".join(str(_ROLES[role]) for role in one.roles),
        )
        for one in shown
    ]
    print_table([("CANN", "torch_npu", "driver", "Python", ""), *rows])
    if any(one.driver_can_stay for one in shown):
        print(f"  {say('* driver {version} carries it, too', version=age.given.driver)}")
    if len(age.newer) > len(shown):
        print(f"  {say('and {count} more; --format json lists all', count=len(age.newer) - len(shown))}")
    print(f"  {say('how to get there: {command}', command=_command(age.newer[0], age))}")


def _command(newer: Newer, age: Age) -> str:
    """The command that shows the newest set with all that is to be typed for it."""
    import shlex

    parts = {
        "--chip": age.given.chip,
        "--product": age.given.product,
        "--cann": str(newer.stack.cann),
        "--torch-npu": str(newer.stack.torch_npu),
        "--arch": age.given.arch,
    }
    words = [word for name, text in parts.items() if text is not None for word in (name, text)]
    return shlex.join(["ascendenv", "matrix", "pick", *words])
