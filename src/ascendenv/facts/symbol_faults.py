"""The loader's faults that the collector found in files, as the same signals that a traceback gives."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ascendenv.facts.evidence import Evidence
from ascendenv.signals.model import Signal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot

__all__ = ["fault_signals"]


def fault_signals(snapshot: Snapshot) -> Iterator[Signal]:
    """One signal for each missing library, version node and symbol; `where` is the file that needs it."""
    record = snapshot.section("symbols")
    for fault in _rows(record, "missing_libraries"):
        text = f"{fault['name']} is found nowhere that the loader looks"
        yield _signal("missing-library", fault, text, library=fault["name"])
    for fault in _rows(record, "damaged_libraries"):
        yield _signal(
            "library-damaged",
            fault,
            f"{fault['path']}: {fault['reason']}",
            library=fault["path"],
            reason=fault["reason"],
        )
    for fault in _rows(record, "missing_versions"):
        library = os.path.basename(fault["library"])  # noqa: PTH119  (pathlib is not imported on this path)
        yield _signal(
            "version-node-missing",
            fault,
            f"{fault['library']} lacks {fault['node']}",
            library=library,
            node=fault["node"],
        )
    for fault in _rows(record, "missing_symbols"):
        library = os.path.basename(fault["needed_by"])  # noqa: PTH119
        yield _signal(
            "undefined-symbol",
            fault,
            f"undefined symbol: {fault['symbol']}",
            library=library,
            symbol=fault["symbol"],
        )


def _rows(record: Mapping[str, Any], name: str) -> list[dict[str, str]]:
    rows = record.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _signal(id_: str, fault: Mapping[str, str], text: str, **fields: str) -> Signal:
    needed_by = fault["needed_by"]
    return Signal(id_, {**fields, "needed_by": needed_by}, Evidence(needed_by, text))
