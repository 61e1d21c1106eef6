"""The loader's faults that the collector found in files, as the same signals that a traceback gives.

A symbol is no fault of its own where a library is missing that may have it: with CANN not sourced, every function of CANN
is missing, and only the symbols of torch still tell whether torch fits.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ascendenv.facts.evidence import Evidence
from ascendenv.signals.model import Signal
from ascendenv.signals.symbol import provider_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot

__all__ = ["fault_signals"]

_HOME, _OPERATORS = "ASCEND_HOME_PATH", "ASCEND_OPP_PATH"
_TORCH = ("libtorch.", "libtorch_cpu.", "libtorch_python.", "libtorch_global_deps.", "libc10.", "libshm.")


def fault_signals(snapshot: Snapshot) -> Iterator[Signal]:
    """One signal for each missing or damaged library, version node and symbol; `where` is the file that needs it."""
    record = snapshot.section("symbols")
    yield from _unset(snapshot)
    for fault in _rows(record, "missing_libraries"):
        text = f"{fault['name']} is found nowhere that the loader looks"
        yield _signal("missing-library", fault, text, library=fault["name"])
    for fault in _rows(record, "damaged_libraries"):
        path, reason = fault["path"], fault["reason"]
        yield _signal(
            "library-damaged", fault, f"{path}: {reason}", library=_base(path), path=path, reason=reason
        )
    for fault in _rows(record, "missing_versions"):
        text = f"{fault['library']} lacks {fault['node']}"
        yield _signal(
            "version-node-missing",
            fault,
            text,
            library=_base(fault["library"]),
            path=fault["library"],
            node=fault["node"],
        )
    for fault in (*_symbols(record), *_plugins(snapshot)):
        text = f"undefined symbol: {fault['symbol']}"
        library = _base(fault["needed_by"])
        yield _signal("undefined-symbol", fault, text, library=library, symbol=fault["symbol"])


def _unset(snapshot: Snapshot) -> Iterator[Signal]:
    """The variable without which torch_npu refuses to be imported once the other one is set (its registry_manager.py)."""
    environ = snapshot.part("process", "environ")
    if "libraries" in snapshot.section("symbols") and _HOME in environ and _OPERATORS not in environ:
        text = f"{_HOME} is set, {_OPERATORS} is not"
        yield Signal("cann-variable-unset", {"variable": _OPERATORS}, Evidence("environment", text))


def _plugins(snapshot: Snapshot) -> Iterator[dict[str, str]]:
    """The symbols of NNAL that torch_npu's plugin misses; without any NNAL, torch_npu does without the plugin."""
    for tried in snapshot.part("symbols", "tried").values():
        record = tried if isinstance(tried, dict) else {}
        if not _rows(record, "missing_libraries"):
            yield from (
                one for one in _rows(record, "missing_symbols") if provider_of(one["symbol"]) == "nnal"
            )


def _symbols(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The missing symbols that no missing library explains."""
    absent = [fault["name"] for fault in _rows(record, "missing_libraries")]
    absent += [_base(fault["path"]) for fault in _rows(record, "damaged_libraries")]
    torch_is_whole = not any(name.startswith(_TORCH) for name in absent)
    others_are_whole = all(name.startswith(_TORCH) for name in absent)
    for fault in _rows(record, "missing_symbols"):
        if torch_is_whole if provider_of(fault["symbol"]) == "torch" else others_are_whole:
            yield fault


def _base(path: str) -> str:
    return os.path.basename(path)  # noqa: PTH119  (pathlib is not imported on this path)


def _rows(record: Mapping[str, Any], name: str) -> list[dict[str, str]]:
    rows = record.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _signal(id_: str, fault: Mapping[str, str], text: str, **fields: str) -> Signal:
    needed_by = fault["needed_by"]
    return Signal(id_, {**fields, "needed_by": needed_by}, Evidence(needed_by, text))
