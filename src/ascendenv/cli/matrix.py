"""`ascendenv matrix`: what goes with what, which set to take, and whether a matrix folder is right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli import matrix_import, matrix_outdated
from ascendenv.cli.options import Lang, MatrixFolder, TextOrJson, TextOrJsonOption
from ascendenv.errors import ExitCode, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix

__all__ = ["HELP", "app"]

HELP = say("Learn what goes with what, check a set, pick one, and check a matrix folder.")

app = typer.Typer(no_args_is_help=True)


KINDS = (
    "cann",
    "hdk",
    "torch-npu",
    "torch",
    "chips",
    "products",
    "os",
    "downstream",
    "breaks",
    "contradictions",
)


def _known_kind(text: str) -> str:
    """The kind that is meant by `torch_npu`, `chip` or `CANN`; raises UnusableInput for what is none."""
    wanted = text.lower().replace("_", "-")
    found = next((one for one in KINDS if wanted in (one, one.removesuffix("s"))), None)
    if found is None:
        raise UnusableInput(
            say("there is no kind of rows called {name}", name=repr(text)),
            hint=say("the kinds are: {names}", names=", ".join(KINDS)),
        )
    return found


KindArgument = Annotated[
    str, typer.Argument(metavar="KIND", help=", ".join(KINDS), callback=_known_kind, show_default=False)
]
Chip = Annotated[
    str | None, typer.Option("--chip", help=str(say("Any name of a chip: 910B3, A3, Ascend950PR.")))
]
ProductOption = Annotated[
    str | None, typer.Option("--product", help=str(say("A card or server: Atlas 800I A2.")))
]
Driver = Annotated[str | None, typer.Option("--driver", help=str(say("Driver version.")))]
Firmware = Annotated[str | None, typer.Option("--firmware", help=str(say("Firmware version.")))]
Cann = Annotated[str | None, typer.Option("--cann", help=str(say("CANN version.")))]
Ops = Annotated[str | None, typer.Option("--ops", help=str(say("Version of the ops (kernels) package.")))]
Torch = Annotated[str | None, typer.Option("--torch", help=str(say("torch version.")))]
TorchNpu = Annotated[str | None, typer.Option("--torch-npu", help=str(say("torch_npu version.")))]
Python = Annotated[str | None, typer.Option("--python", help=str(say("Python version.")))]
Arch = Annotated[str | None, typer.Option("--arch", help=str(say("aarch64 or x86_64.")))]
Os = Annotated[str | None, typer.Option("--os", help=str(say("Operating system: ubuntu 22.04.")))]
At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="DATE", help=str(say("The day that life-cycles are judged by; default today."))
    ),
]


@app.command("list", help=str(say("List the rows of one kind.")))
def list_(
    kind: KindArgument,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_rows import listed, print_list

    rows = listed(_matrix(matrix), kind)
    if format_ is TextOrJson.JSON:
        _print_json({"schema_version": 1, "kind": kind, "rows": rows})
    else:
        print_list(kind, rows)


@app.command(help=str(say("Show one row with everything that is known about it.")))
def show(
    kind: KindArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help=str(say("A version or any published name.")))],
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_rows import print_row, shown

    row = shown(_matrix(matrix), kind, name)
    if format_ is TextOrJson.JSON:
        _print_json({"schema_version": 1, "kind": kind, "row": row})
    else:
        print_row(row)


@app.command(help=str(say("Judge how well versions go together; 0 yes, 1 broken, 4 no source tells.")))
def check(
    chip: Chip = None,
    product: ProductOption = None,
    driver: Driver = None,
    firmware: Firmware = None,
    cann: Cann = None,
    ops: Ops = None,
    torch: Torch = None,
    torch_npu: TorchNpu = None,
    python: Python = None,
    arch: Arch = None,
    os: Os = None,
    at: At = None,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_input import day_of, given_of
    from ascendenv.matrix.alternatives import alternatives
    from ascendenv.matrix.level import Level
    from ascendenv.matrix.relations import judge

    table = _matrix(matrix)
    texts = {
        "driver": driver,
        "firmware": firmware,
        "cann": cann,
        "ops": ops,
        "torch": torch,
        "torch_npu": torch_npu,
        "python": python,
    }
    given = given_of(table, texts, chip=chip, product=product, arch=arch, os=os)
    today = day_of(at)
    judgement = judge(table, given, today=today)
    near = alternatives(table, given, today=today) if judgement.verdict == Level.BROKEN else ()
    if format_ is TextOrJson.JSON:
        from ascendenv.matrix.record import judgement_record

        _print_json(judgement_record(judgement, near))
    else:
        from ascendenv.cli.matrix_text import print_judgement

        print_judgement(judgement, near)
    raise typer.Exit(
        {Level.BROKEN: ExitCode.FINDINGS, Level.UNKNOWN: ExitCode.NOTHING_CHECKED}.get(
            judgement.verdict, ExitCode.GOOD
        )
    )


@app.command(
    help=str(say("Pick whole sets that fulfil wishes; versions may be ranges such as '>=2.8,<2.11'."))
)
def pick(
    chip: Chip = None,
    product: ProductOption = None,
    driver: Driver = None,
    firmware: Firmware = None,
    cann: Cann = None,
    torch: Torch = None,
    torch_npu: TorchNpu = None,
    python: Python = None,
    arch: Arch = None,
    os: Os = None,
    at: At = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help=str(say("How many sets to show.")))] = 5,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_input import day_of, wishes_of
    from ascendenv.matrix.pick import Conflict
    from ascendenv.matrix.pick import pick as pick_stacks

    table = _matrix(matrix)
    texts = {
        "driver": driver,
        "firmware": firmware,
        "cann": cann,
        "torch": torch,
        "torch_npu": torch_npu,
        "python": python,
    }
    wishes = wishes_of(table, texts, chip=chip, product=product, arch=arch, os=os)
    answer = pick_stacks(table, wishes, today=day_of(at), limit=limit)
    if format_ is TextOrJson.JSON:
        from ascendenv.matrix.record import pick_record

        _print_json(pick_record(answer))
    else:
        from ascendenv.cli.matrix_text import print_pick

        print_pick(answer)
    raise typer.Exit(ExitCode.FINDINGS if isinstance(answer, Conflict) else ExitCode.GOOD)


@app.command(help=str(say("Check a matrix folder: every mistake with file, line and key.")))
def lint(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help=str(say("The whole matrix, or a site's folder.")))
    ],
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_input import folder_of
    from ascendenv.cli.matrix_lint import mistakes_of

    found = mistakes_of(folder_of(path))
    if format_ is TextOrJson.JSON:
        mistakes = [
            {"file": one.file, "line": one.line, "key": one.key, "message": str(one.message)}
            for one in found.mistakes
        ]
        _print_json({"schema_version": 1, "path": path, "rows": found.rows, "mistakes": mistakes})
    else:
        for one in found.mistakes:
            print(one)
        rows = sum(found.rows.values())
        print(
            say(
                "{path}: {rows} rows, {mistakes} mistakes", path=path, rows=rows, mistakes=len(found.mistakes)
            )
        )
    raise typer.Exit(ExitCode.FINDINGS if found.mistakes else ExitCode.GOOD)


@app.command(
    help=str(
        say(
            "Write the matrix as one page that works offline: choose versions, see what fits and why the rest does not."
        )
    )
)
def site(
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="DIR", help=str(say("The folder to write index.html into."))),
    ],
    matrix: MatrixFolder = None,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_site import write_site

    written = write_site(_matrix(matrix), output, matrix or ())
    print(say("wrote {path} ({size} kB)", path=written, size=round(written.stat().st_size / 1000)))


app.command("import", help=str(matrix_import.HELP))(matrix_import.import_)
app.command("outdated", help=str(matrix_outdated.HELP))(matrix_outdated.outdated)


def _matrix(folders: list[str] | None) -> Matrix:
    """The shipped matrix with the site's folders on top, in the order given."""
    from ascendenv.cli.matrix_input import folder_of
    from ascendenv.matrix.store import shipped_matrix, with_site

    found = shipped_matrix()
    for folder in folders or ():
        found = with_site(found, folder_of(folder))
    return found


def _print_json(record: object) -> None:
    print(json.dumps(record, ensure_ascii=False, indent=2))
