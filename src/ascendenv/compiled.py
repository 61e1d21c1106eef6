"""The compiled forms of what people write: made when a wheel is built, and again in a checkout when a source changed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ascendenv.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["COMPILED", "Compiled", "compile_all", "compile_stale"]


@dataclass(frozen=True)
class Compiled:
    """A compiled form: the folder its sources lie in, and the function (`module:name`, folder -> bytes) that makes it."""

    sources: str
    maker: str

    def make(self, checkout: Path) -> bytes:
        """The bytes made from the sources in `checkout`."""
        module, name = self.maker.split(":")
        maker = cast("Callable[[Path], bytes]", getattr(import_module(module), name))
        return maker(checkout / self.sources)


COMPILED = {
    "matrix.json": Compiled("matrix", "ascendenv.matrix.compile:compile_matrix"),
    "artefacts.json": Compiled("matrix", "ascendenv.matrix.compile:compile_artefacts"),
    "variables.json": Compiled("matrix", "ascendenv.matrix.compile:compile_variables"),
    "signals.json": Compiled("matrix/signals", "ascendenv.signals.compile:compile_signals"),
    "error_codes.json": Compiled("matrix/error_codes", "ascendenv.signals.compile:compile_error_codes"),
    "symbols.json": Compiled("matrix/symbols", "ascendenv.signals.compile:compile_symbols"),
    "symbol_tables.json": Compiled(
        "matrix/symbols/tables", "ascendenv.signals.compile_exports:compile_symbol_tables"
    ),
    "zh.mo": Compiled("src/ascendenv/locale/zh", "ascendenv.locale.compile:compile_catalogue"),
}


def compile_all(checkout: Path, target: Path) -> None:
    """Write every compiled form of `checkout` into the folder `target`."""
    for name, form in COMPILED.items():
        write_whole(target / name, form.make(checkout))


def compile_stale(checkout: str, name: str) -> bytes:
    """The compiled form `name` of a checkout, made again if a source was added, removed or changed since."""
    root, form = Path(checkout), COMPILED[name]
    target = root / "build" / "compiled" / name
    stamp = target.with_name(f"{name}.stamp")
    state = _state(root / form.sources)
    if not target.exists() or not stamp.exists() or stamp.read_text() != state:
        write_whole(target, form.make(root))
        write_whole(stamp, state.encode())
    return target.read_bytes()


def _state(folder: Path) -> str:
    files = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return f"{len(files)} {max((one.st_mtime_ns for one in files), default=0)} {sum(one.st_size for one in files)}"
