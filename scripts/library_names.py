"""The names that the libraries of a wheel export, leave undefined, and hold as strings to look up while running."""

from __future__ import annotations

import gzip
import json
import re
import struct
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from scripts.wheels import open_wheel, save_member

from ascendenv.collect.probes.elf import SYMBOL_SIZE, Elf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zipfile import ZipFile, ZipInfo

    from scripts.wheels import Wheel

__all__ = ["Names", "exported_by", "names_in", "read_wheel"]

TORCH = ("libc10.so", "libtorch_cpu.so", "libtorch_python.so", "libtorch.so", "libshm.so")
"""The libraries of torch that torch_npu is linked with; those of CUDA builds are the same plus others."""

KINDS = ("exported", "needed", "looked_up")

_LOOKED_UP = re.compile(
    rb"(?<=\0)(?:(?:acl(?:nn|rt|op|mdl|tdt|prof|grph|dump)?|Hccl|Hcom|Msprof|[mM]stx|rt|GeSession|GEStream)[A-Z]\w+"
    rb"|hal[A-Z][a-z]+[A-Z]\w+|dcmi_\w+)(?=\0)"
)


@dataclass(frozen=True)
class Names:
    """What is in a wheel: names that its libraries export, need from elsewhere (strongly), and look up by dlsym."""

    wheel: str
    sha256: str
    exported: tuple[str, ...]
    needed: tuple[str, ...]
    looked_up: tuple[str, ...]


def read_wheel(wheel: Wheel, cache: Path) -> Names:
    """The names in a remote wheel, from `cache` where it was read before."""
    kept = cache / f"{wheel.name}.json.gz"
    if kept.exists():
        record = json.loads(gzip.decompress(kept.read_bytes()))
        if record["sha256"] == wheel.sha256:
            return Names(wheel.name, wheel.sha256, *(tuple(record[key]) for key in KINDS))
    with open_wheel(wheel) as archive:
        names = names_in(archive, wheel)
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(gzip.compress(json.dumps(asdict(names)).encode()))
    return names


def names_in(archive: ZipFile, wheel: Wheel) -> Names:
    """The names in the libraries of torch's or torch_npu's wheel."""
    exported: set[str] = set()
    needed: set[str] = set()
    looked_up: set[str] = set()
    for member in archive.infolist():
        if not _counts(member):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "library.so")
            save_member(archive, member, path)
            elf = Elf(str(path))
            exported.update(exported_by(elf))
            needed.update(name.decode() for name in elf.undefined())
            looked_up.update(name.decode() for name in _LOOKED_UP.findall(elf.map))
            elf.close()
    return Names(
        wheel.name, wheel.sha256, *(tuple(sorted(one)) for one in (exported, needed - exported, looked_up))
    )


def exported_by(elf: Elf) -> Iterator[str]:
    """The names in the GNU hash table of a library."""
    if elf.hash is None:
        return
    for index in range(elf.hash.first, _symbols_of(elf)):
        name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", elf.map, elf.symbols + index * SYMBOL_SIZE)
        if section:
            place = elf.strings + name
            yield elf.map[place : elf.map.find(b"\0", place)].decode()


def _symbols_of(elf: Elf) -> int:
    """How many symbols there are: the last chain of the hash table ends with the last symbol."""
    table = elf.hash
    assert table is not None  # noqa: S101  (asked for by the caller)
    last = max(struct.unpack_from(f"<{table.buckets}I", elf.map, table.heads))
    if last < table.first:
        return table.first
    while not struct.unpack_from("<I", elf.map, table.chain + (last - table.first) * 4)[0] & 1:
        last += 1
    return int(last) + 1


def _counts(member: ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    if path.parts[0] == "torch":
        return path.parts[1:2] == ("lib",) and path.name in TORCH
    return path.parts[0] == "torch_npu" and path.suffix == ".so"
