"""Checks the symbol tables in `matrix/symbols/tables` and makes their compiled form."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ascendenv.signals.sources import Mistake, UnusableSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["compile_symbol_tables", "places_in"]


def compile_symbol_tables(folder: Path) -> bytes:
    """The compiled form of `torch.yaml` and `cann.yaml`; raises UnusableSource with every mistake."""
    torch, cann = _read(folder / "torch.yaml"), _read(folder / "cann.yaml")
    mistakes = [*_mistakes(torch, "torch.yaml", "symbols"), *_mistakes(cann, "cann.yaml", "functions")]
    if not mistakes and torch["torch_npu"] != cann["torch_npu"]:
        mistakes.append(Mistake("cann.yaml", "torch_npu differs from that of torch.yaml"))
    if mistakes:
        raise UnusableSource(mistakes)
    builds = [(abi, version) for abi in ("old", "new") for version in torch["torch"][abi]]
    compiled = {
        "torch": builds,
        "torch_npu": torch["torch_npu"],
        "exports": [_export(group, torch) for group in torch["groups"]],
        "functions": [_function(group, cann) for group in cann["groups"]],
    }
    return json.dumps(compiled, separators=(",", ":")).encode()


def places_in(ranges: str, order: Sequence[str]) -> list[int]:
    """The places in `order` that ranges such as `2.1.0-2.4.0, 2.6.0-` name; raises ValueError for an unknown one."""
    found: list[int] = []
    for part in filter(None, ranges.split(", ")):
        first, dash, last = part.partition("-")
        start = order.index(first)
        end = order.index(last) if last else len(order) - 1 if dash else start
        found.extend(range(start, end + 1))
    return found


def _export(group: dict[str, Any], torch: dict[str, Any]) -> dict[str, object]:
    old, new = torch["torch"]["old"], torch["torch"]["new"]
    has = places_in(group["exported"]["old"], old)
    has += [len(old) + place for place in places_in(group["exported"]["new"], new)]
    return {
        "names": _joined(group["symbols"]),
        "has": has,
        "asks": places_in(group["needed"], torch["torch_npu"]),
    }


def _function(group: dict[str, Any], cann: dict[str, Any]) -> dict[str, object]:
    bound, looked_up = (places_in(group[key], cann["torch_npu"]) for key in ("bound", "looked_up"))
    return {"names": _joined(group["functions"]), "has": bound, "asks": looked_up}


def _joined(names: Sequence[str]) -> str:
    return f" {' '.join(names)} "


def _read(path: Path) -> dict[str, Any]:
    import yaml

    found = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return found if isinstance(found, dict) else {}


def _mistakes(table: dict[str, Any], name: str, key: str) -> Iterator[Mistake]:
    try:
        make = _export if key == "symbols" else _function
        for group in table["groups"]:
            make(group, table)
            if not all(first < second for first, second in pairwise(group[key])):
                yield Mistake(name, f"the names after {group[key][0]} are not sorted, or one stands twice")
        names = [one for group in table["groups"] for one in group[key]]
        if len(set(names)) != len(names):
            yield Mistake(name, "a name stands in two groups")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        yield Mistake(name, f"not of the form that scripts/build_symbol_table.py writes: {error!r}")
