"""The symbol tables as files that people can review: groups of names, sorted, each under who has and who wants them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ascendenv.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["Build", "Tables", "ranges", "write_tables"]

HEAD = "# Made by scripts/build_symbol_table.py from wheels of the package index; see wheels.yaml.\n"
TORCH_SOURCE = """\
source: >-
  libc10, libtorch_cpu, libtorch_python, libtorch and libshm of the torch wheels in wheels.yaml, on aarch64 and x86_64
  (some are CUDA builds; their exports of the c10, at and torch namespaces are those of the CPU builds). "old" and "new"
  are the forms of std::string: the index's wheels have the old one up to 2.6.0 on x86_64 and up to 2.5.1 on aarch64.
  Needed: strong undefined symbols of all libraries in the torch_npu wheels that none of them defines.
"""
CANN_SOURCE = """\
source: >-
  libraries in the torch_npu wheels of wheels.yaml. Bound: strong undefined symbols, which must be there when the library
  is loaded. Looked up: other strings that are names of functions, asked for with dlsym when they are called;
  the GetWorkspaceSize twin of an aclnn operator is not listed.
"""


@dataclass(frozen=True)
class Build:
    """A release with the form of `std::string` it was built for, e.g. torch 2.6.0 for x86_64: `old`."""

    version: str
    abi: str


@dataclass
class Tables:
    """Names by who has them and who asks for them. `torch` and `torch_npu` are the releases that were read, in order."""

    torch: list[Build]
    torch_npu: list[str]
    exports: dict[str, tuple[frozenset[Build], frozenset[str]]] = field(default_factory=dict)
    """torch symbol -> (who exports it, which torch_npu needs it)"""
    functions: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    """CANN function -> (which torch_npu binds it, which looks it up)"""


def write_tables(
    folder: Path, tables: Tables, wheels: Mapping[str, str], left_out: Iterable[str] = ()
) -> None:
    """Write `torch.yaml`, `cann.yaml` and `wheels.yaml`; `wheels` is name -> SHA-256."""
    write_whole(folder / "torch.yaml", "".join(_torch_lines(tables)).encode())
    write_whole(folder / "cann.yaml", "".join(_cann_lines(tables)).encode())
    rows = "".join(f"  {name}: {sha256}\n" for name, sha256 in sorted(wheels.items()))
    missing = "".join(f"  - {one}\n" for one in left_out)
    text = f"# Made by scripts/build_symbol_table.py: the wheels that were read, with the SHA-256 of the index.\nwheels:\n{rows}"
    write_whole(folder / "wheels.yaml", (text + (f"left_out:\n{missing}" if missing else "")).encode())


def ranges(members: Iterable[str], order: Sequence[str]) -> str:
    """The members as ranges of `order`: `2.1.0-2.4.0, 2.6.0-` (an open end reaches the newest)."""
    held = set(members)
    parts: list[str] = []
    run: list[str] = []
    for one in (*order, ""):
        if one in held:
            run.append(one)
        elif run:
            parts.append(_range(run, order))
            run = []
    return ", ".join(parts)


def _range(run: Sequence[str], order: Sequence[str]) -> str:
    if run[-1] == order[-1]:
        return f"{run[0]}-"
    return run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}"


def _torch_lines(tables: Tables) -> Iterator[str]:
    read = {abi: [build.version for build in tables.torch if build.abi == abi] for abi in ("old", "new")}
    yield HEAD + TORCH_SOURCE
    yield f"torch:\n  old: {_list(read['old'])}\n  new: {_list(read['new'])}\n"
    yield f"torch_npu: {_list(tables.torch_npu)}\ngroups:\n"
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name, (exporters, askers) in tables.exports.items():
        old, new = (ranges((one.version for one in exporters if one.abi == abi), read[abi]) for abi in read)
        groups.setdefault((old, new, ranges(askers, tables.torch_npu)), []).append(name)
    for (old, new, needed), names in sorted(groups.items(), key=lambda group: group[1]):
        yield f'  - exported: {{old: "{old}", new: "{new}"}}\n    needed: "{needed}"\n{_items("symbols", names)}'


def _cann_lines(tables: Tables) -> Iterator[str]:
    yield f"{HEAD}{CANN_SOURCE}torch_npu: {_list(tables.torch_npu)}\ngroups:\n"
    groups: dict[tuple[str, str], list[str]] = {}
    for name, (binders, askers) in sorted(tables.functions.items()):
        key = ranges(binders, tables.torch_npu), ranges(askers, tables.torch_npu)
        groups.setdefault(key, []).append(name)
    for (bound, looked_up), names in sorted(groups.items(), key=lambda group: group[1]):
        yield f'  - bound: "{bound}"\n    looked_up: "{looked_up}"\n{_items("functions", names)}'


def _list(versions: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{one}"' for one in versions) + "]"


def _items(key: str, names: Iterable[str]) -> str:
    return f"    {key}:\n" + "".join(f"      - {name}\n" for name in names)
