"""What could not be looked at, and why: a report never claims more than was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.model import Unseen
from ascendenv.facts.recorded.claims import measured
from ascendenv.facts.recorded.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_unseen"]

_ABSENT = ("No such file or directory", "Not a directory")


def read_unseen(snapshot: Snapshot) -> Iterator[Claim]:
    """Probes that broke or hung, folders that may not be read, programs that did not answer, damaged libraries."""
    yield measured("unseen", None, "snapshot")
    for what, why in _unseen(snapshot):
        yield measured("unseen", Unseen(printable(what), printable(why)), what, why)


def _unseen(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    yield from snapshot.failures()
    yield from _files(snapshot)
    yield from _programs(snapshot)
    process = snapshot.section("process")
    for part, name in (("environ", "environ"), ("mapped", "maps")):
        if error := process.get(f"{part}_error"):
            yield f"/proc/{process.get('pid')}/{name}", str(error)
    for path, why in snapshot.part("symbols", "unreadable").items():
        yield str(path), str(why)
    if "mounts" in snapshot.section("storage") and snapshot.section("storage")["mounts"] is None:
        yield "/proc", "not there"


def _files(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    for section, part in (("cann", "folders"), ("cann", "kernels"), ("driver", "folders")):
        for path, listing in snapshot.part(section, part).items():
            if isinstance(listing, dict) and listing.get("error") not in (None, *_ABSENT):
                yield path, str(listing["error"])
    for path, record in snapshot.files():
        if record.get("error") not in (None, *_ABSENT):
            yield path, str(record["error"])


def _programs(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    for command, record in snapshot.part("driver", "npu_smi").items():
        if isinstance(record, dict) and record.get("error") not in (None, "not found"):
            yield command, f"{record['error']} ({record.get('seconds', 0)} s)"
    if failed := snapshot.section("interpreter").get("failed"):
        yield str(snapshot.section("interpreter").get("executable", "python")), str(failed)
