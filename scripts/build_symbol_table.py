"""Writes matrix/symbols/tables: which torch exports what torch_npu needs, and which CANN functions torch_npu calls.

    python -m scripts.build_symbol_table

reads the wheels of every torch_npu on the configured package index, and of the torch releases they were built for, on
both architectures. Of a wheel only the libraries that count are transferred; a run without a cache transfers about
4 GB and takes some ten minutes, later ones read new wheels only. A wheel that cannot be had is left out, and said.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from scripts.library_names import read_wheel
from scripts.symbol_files import Build, Tables, write_tables
from scripts.wheels import WheelMissing, find_wheel, versions_of

from ascendenv.signals.symbol import provider_of
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scripts.library_names import Names

__all__ = ["build_tables", "main", "string_abi_of"]

T = TypeVar("T")
ARCHITECTURES = ("aarch64", "x86_64")
CANN_PROVIDERS = ("cann", "nnal", "driver")
OPERATORS = ("_Zn", "_Zd", "mz_")
"""Memory operators and miniz: torch exports copies of its own, which nobody is meant to take from it."""


def build_tables(torch: Mapping[Build, Sequence[Names]], torch_npu: Mapping[str, Sequence[Names]]) -> Tables:
    """The tables of these releases; several wheels of one release (two architectures) count together."""
    exported = {build: _union(one.exported for one in names) for build, names in torch.items()}
    needed = {version: _union(one.needed for one in names) for version, names in torch_npu.items()}
    # The names that a library binds or exports are strings of its file, too.
    looked_up = {
        version: _union(set(one.looked_up) - {*one.needed, *one.exported} for one in names)
        for version, names in torch_npu.items()
    }
    tables = Tables(sorted(exported, key=_order), sorted(needed, key=pep440))
    known, strings = _union(exported.values()), _union(looked_up.values())
    for name in sorted(_union(needed.values())):
        provider, askers = provider_of(name), _holders(name, needed)
        if provider == "torch" or (provider is None and name in known and not name.startswith(OPERATORS)):
            tables.exports[name] = (_holders(name, exported), askers)
        elif provider in CANN_PROVIDERS:
            tables.functions[name] = (askers, _holders(name, looked_up))
    for name in sorted(strings - tables.functions.keys()):
        operator = name.removesuffix("GetWorkspaceSize")  # every aclnn operator has two functions
        if operator == name or operator not in strings:
            tables.functions[name] = (frozenset(), _holders(name, looked_up))
    return tables


def string_abi_of(names: Names) -> str:
    """`new` where torch's own functions take the C++11 `std::string`, `old` where none does."""
    own = (name for name in names.exported if name.startswith(("_ZN3c10", "_ZN2at")))
    return "new" if any("NSt7__cxx11" in name for name in own) else "old"


def main(arguments: Sequence[str]) -> int:
    """Read the wheels and write the tables; 1 when some wheel was left out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cache", type=Path, default=Path("build/symbol-table"))
    parser.add_argument("--output", type=Path, default=Path("matrix/symbols/tables"))
    parser.add_argument("--torch-npu", nargs="*", help="versions of torch_npu; all on the index unless named")
    options = parser.parse_args(arguments)
    versions = options.torch_npu or versions_of("torch-npu")
    left_out: list[str] = []
    torch_npu = {version: list(_read("torch-npu", version, options.cache, left_out)) for version in versions}
    torch: dict[Build, list[Names]] = {}
    for base in sorted({pep440(version).base for version in versions}):
        for names in _read("torch", base, options.cache, left_out):
            torch.setdefault(Build(base, string_abi_of(names)), []).append(names)
    wheels = [one for names in (*torch.values(), *torch_npu.values()) for one in names]
    tables = build_tables(torch, {version: names for version, names in torch_npu.items() if names})
    write_tables(options.output, tables, {one.wheel: one.sha256 for one in wheels}, left_out)
    return 1 if left_out else 0


def _read(project: str, version: str, cache: Path, left_out: list[str]) -> Iterator[Names]:
    for arch in ARCHITECTURES:
        try:
            wheel = find_wheel(f"{project}=={version}", arch)
        except WheelMissing as missing:
            left_out.append(f"{project} {version} {arch}")
            print(missing, file=sys.stderr)
            continue
        print(wheel.name, file=sys.stderr)
        yield read_wheel(wheel, cache)


def _order(build: Build) -> tuple[object, str]:
    return pep440(build.version), build.abi


def _union(parts: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset(name for part in parts for name in part)


def _holders(name: str, names: Mapping[T, frozenset[str]]) -> frozenset[T]:
    return frozenset(one for one, held in names.items() if name in held)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
