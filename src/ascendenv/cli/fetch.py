"""`ascendenv fetch`: brings the files of a lock along, for this place or for one without a network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang, MatrixFolder, TextOrJson, TextOrJsonOption, Verbose
from ascendenv.errors import ExitCode, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.fetch.fetching import Order
    from ascendenv.lock.spec import Sources
    from ascendenv.matrix.model import Matrix

__all__ = ["HELP", "fetch"]

HELP = say("Bring the files of a lock into a folder or archive, for this place or one without a network.")
_LOCK = "ascendenv.lock"


def fetch(
    lock: Annotated[
        str | None, typer.Option("--lock", metavar="FILE", help=str(say("The lock; default ascendenv.lock.")))
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help=str(say("The folder of the bundle; default `bundle` beside the lock.")),
        ),
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive", metavar="FILE.tar", help=str(say("Write the bundle into one file as well."))
        ),
    ] = None,
    stack: Annotated[
        list[str] | None,
        typer.Option(
            "--stack", metavar="NAME", help=str(say("Only this stack; may be given several times."))
        ),
    ] = None,
    arch: Annotated[str | None, typer.Option("--arch", help=str(say("aarch64 or x86_64.")))] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add",
            metavar="FILE|DIR",
            help=str(say("Take files that you got yourself; their hashes are filled into the lock.")),
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="FILE.pem",
            help=str(say("A root that signatures may lead to, beside those of the vendor.")),
        ),
    ] = None,
    verify: Annotated[
        str | None,
        typer.Option("--verify", metavar="PATH", help=str(say("Check every byte of a bundle; 0 or 1."))),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=32, help=str(say("Files at once.")))] = 4,
    prune: Annotated[
        bool, typer.Option("--prune", help=str(say("Remove from the bundle what this lock does not need.")))
    ] = False,
    repair: Annotated[
        bool,
        typer.Option("--repair", help=str(say("Hash what is here, and fetch again what is damaged."))),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help=str(say("Only say what would be fetched; no network.")))
    ] = False,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
    verbose: Verbose = False,
) -> None:
    _refuse_mixture({"--add": bool(add), "--verify": verify is not None, "--dry-run": dry_run})
    as_json = format_ is TextOrJson.JSON
    lock_path = Path(lock or _LOCK)
    root = Path(output) if output is not None else lock_path.with_name("bundle")
    if verify is not None:
        raise typer.Exit(_verify(Path(verify), Path(lock) if lock else None, as_json=as_json))
    if add:
        _add([Path(one) for one in add], lock_path, root, trust or [], matrix or [], as_json=as_json)
        return
    order = replace(
        _order(lock_path, root, matrix or []),
        stacks=tuple(stack or ()),
        arch=_arch(arch),
        jobs=jobs,
        prune=prune,
        repair=repair,
    )
    if dry_run:
        raise typer.Exit(_plan(order, as_json=as_json))
    raise typer.Exit(_fetch(order, Path(archive) if archive else None, as_json=as_json))


def _refuse_mixture(flags: dict[str, bool]) -> None:
    chosen = [name for name, given in flags.items() if given]
    if len(chosen) > 1:
        raise UnusableInput(say("{flags}: only one of these can be given", flags=" ".join(chosen)))


def _order(lock_path: Path, root: Path, folders: list[str]) -> Order:
    """Everything that the lock wants, from the places that the wishes beside it and this machine name."""
    import os

    from ascendenv.fetch.fetching import Order
    from ascendenv.fetch.goal import Places
    from ascendenv.fetch.indexes import Indexes
    from ascendenv.lock.lock_file import read_lock
    from ascendenv.lock.machine_index import machine_index

    lock, matrix = read_lock(lock_path), _matrix(folders)
    sources = _sources(lock_path.with_name("ascendenv.toml"), matrix)
    mirrors = [(one.prefix, one.url) for one in sources.mirrors]
    own = sources.index or machine_index(os.environ)
    bases = tuple(one for one in (own, *sources.extra_index) if one is not None)
    links = (one if "://" in one else str((lock_path.parent / one).resolve()) for one in sources.find_links)
    return Order(
        lock=lock,
        root=root,
        places=Places(mirrors, {one.host: one.referer for one in matrix.servers}),
        indexes=Indexes(bases, tuple(links)),
    )


def _arch(name: str | None) -> str | None:
    if name not in (None, "aarch64", "x86_64"):
        raise UnusableInput(say("{name} is no architecture: aarch64 or x86_64", name=name))
    return name


def _sources(spec: Path, matrix: Matrix) -> Sources:
    """Mirrors and indexes of the wishes beside the lock; none where there are no wishes."""
    from ascendenv.lock.spec import Sources
    from ascendenv.lock.spec_file import read_spec

    if not spec.exists():
        return Sources()
    return read_spec(spec, matrix).sources


def _matrix(folders: list[str]) -> Matrix:
    """The shipped matrix with the site's folders on top, in the order given."""
    from ascendenv.cli.matrix_input import folder_of
    from ascendenv.matrix.store import shipped_matrix, with_site

    found = shipped_matrix()
    for folder in folders:
        found = with_site(found, folder_of(folder))
    return found


def _fetch(order: Order, archive: Path | None, *, as_json: bool) -> ExitCode:
    from ascendenv.cli.fetch_progress import shown_progress
    from ascendenv.cli.fetch_record import print_json, record_of
    from ascendenv.cli.fetch_text import print_text
    from ascendenv.fetch.archive import write_archive
    from ascendenv.fetch.fetching import fetch as fetch_all
    from ascendenv.fetch.space import disk_errors
    from ascendenv.lock.digest import digest

    with shown_progress() as progress:
        fetched = fetch_all(order, progress)
    if archive is not None:
        manifest = fetched.bundle.manifest.for_lock(digest(order.lock), order.lock.artefacts())
        with disk_errors(archive.parent):
            write_archive(order.root, manifest, archive)
    record = record_of(fetched, archive)
    (print_json if as_json else print_text)(record)
    if fetched.failed:
        return ExitCode.HOST_FAILED
    return ExitCode.FINDINGS if fetched.unobtainable else ExitCode.GOOD


def _plan(order: Order, *, as_json: bool) -> ExitCode:
    from ascendenv.cli.fetch_record import plan_of, print_json
    from ascendenv.cli.fetch_text import print_plan

    record = plan_of(order)
    (print_json if as_json else print_plan)(record)
    return ExitCode.FINDINGS if record["unobtainable"] else ExitCode.GOOD


def _add(
    paths: list[Path], lock_path: Path, root: Path, trust: list[str], folders: list[str], *, as_json: bool
) -> None:
    from ascendenv.cli.fetch_record import addition_of, print_json
    from ascendenv.cli.fetch_text import print_addition
    from ascendenv.fetch.adding import add
    from ascendenv.fetch.signature import vendor_roots

    matrix = _matrix(folders)
    roots = [*vendor_roots(matrix), *(_root(Path(one)) for one in trust)]
    record = addition_of(add(paths, lock_path, root, matrix, roots))
    (print_json if as_json else print_addition)(record)


def _root(path: Path) -> str:
    try:
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInput(
            say("this cannot be read: {reason}", reason=str(error)), where=str(path)
        ) from error
    if "-----BEGIN CERTIFICATE-----" not in text:
        raise UnusableInput(say("there is no certificate in this file"), where=str(path))
    return text


def _verify(path: Path, lock_path: Path | None, *, as_json: bool) -> ExitCode:
    from ascendenv.cli.fetch_record import check_of, print_json
    from ascendenv.cli.fetch_text import print_check
    from ascendenv.fetch.space import disk_errors
    from ascendenv.fetch.verify import check_bundle, wanting
    from ascendenv.lock.lock_file import read_lock

    lock = read_lock(lock_path) if lock_path is not None else None
    with disk_errors(path):
        checked = check_bundle(path)
    missing = wanting(checked.manifest, lock.artefacts()) if lock is not None else ()
    record = check_of(path, checked, missing)
    (print_json if as_json else print_check)(record)
    return ExitCode.GOOD if record["whole"] else ExitCode.FINDINGS
