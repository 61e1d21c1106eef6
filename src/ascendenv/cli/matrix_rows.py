"""Rows of the matrix for `matrix list` and `matrix show`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ascendenv.cli.matrix_text import print_table
from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascendenv.matrix.model import Matrix

__all__ = ["listed", "print_list", "print_row", "shown"]

Row = dict[str, Any]
"""A row as plain data, as its file holds it."""

_TABLES = {
    "cann": "cann",
    "hdk": "hdk",
    "torch-npu": "torch_npu",
    "torch": "torch",
    "chips": "families",
    "products": "products",
    "os": "os",
    "downstream": "downstream",
    "breaks": "breaks",
    "contradictions": "contradictions",
}
_NAMES = {
    "cann": "version",
    "hdk": "hdk",
    "torch-npu": "version",
    "torch": "torch",
    "chips": "name",
    "products": "name",
    "os": "family",
    "downstream": "project",
    "breaks": "id",
    "contradictions": "id",
}
_COLUMNS: dict[str, tuple[Callable[[Row], str], ...]] = {
    "cann": (
        lambda row: row["channel"],
        lambda row: row.get("released", ""),
        lambda row: _joined(row, "chips"),
    ),
    "hdk": (lambda row: "; ".join(_pair(pair) for pair in row.get("pairs", ())),),
    "torch-npu": (
        lambda row: f"torch {row['torch']}",
        lambda row: f"CANN {_joined(row, 'cann') or '?'}",
        lambda row: "" if row.get("on_index") else str(say("not on the package index")),
    ),
    "torch": (lambda row: row.get("lifecycle", {}).get("status", ""),),
    "chips": (lambda row: _joined(row, "aliases"),),
    "products": (lambda row: row["family"],),
    "os": (lambda row: ", ".join(f"{one['id']} {one['release']}" for one in row.get("systems", ())),),
    "downstream": (lambda row: str(len(row.get("releases", ()))),),
    "breaks": (lambda row: row["cause"]["en"],),
    "contradictions": (lambda row: row["subject"],),
}


def listed(matrix: Matrix, kind: str) -> list[Row]:
    """The rows of that kind as plain data, newest first where they have versions."""
    rows: list[Row] = list(matrix.raw.get(_TABLES[kind], ()))
    if kind in ("cann", "hdk", "torch-npu", "torch"):
        order = {name: place for place, name in enumerate(getattr(matrix, _TABLES[kind]))}
        rows.sort(key=lambda row: order[str(row[_NAMES[kind]])])
    return rows


def shown(matrix: Matrix, kind: str, name: str) -> Row:
    """The row of that name or alias; raises UnusableInput with the nearest known name."""
    rows = {str(row[_NAMES[kind]]): row for row in listed(matrix, kind)}
    found = _canonical(matrix, kind, name)
    by_case = {known.lower(): known for known in rows}
    key = found if found in rows else by_case.get(name.lower())
    if key is None:
        near = get_close_matches(name.lower(), by_case, n=1, cutoff=0)
        raise UnusableInput(
            say("the matrix has no {kind} {name}", kind=kind, name=repr(name)),
            hint=say("the nearest one is {name}", name=by_case[near[0]]) if near else None,
        )
    return rows[key]


def print_list(kind: str, rows: Iterable[Row]) -> None:
    """Print one line for each row: its name, and what tells it from its neighbours."""
    table = [(str(row[_NAMES[kind]]), *(_short(column(row)) for column in _COLUMNS[kind])) for row in rows]
    if table:
        print_table(table)


def print_row(row: Row) -> None:
    """Print all that a row holds, one key a line, its parts indented."""
    _print_mapping(row, "")


def _canonical(matrix: Matrix, kind: str, name: str) -> str | None:
    """The name that the matrix uses for what the user calls `name`."""
    from ascendenv.versions import InvalidVersion, pep440, vendor

    try:
        if kind == "cann":
            cann = matrix.find_cann(vendor(name))
            return str(cann.version) if cann is not None else None
        if kind == "hdk":
            hdk = matrix.find_hdk(vendor(name))
            return hdk.name if hdk is not None else None
        if kind == "torch-npu":
            torch_npu = matrix.find_torch_npu(pep440(name))
            return str(torch_npu.version) if torch_npu is not None else None
    except InvalidVersion:
        return None
    if kind in ("chips", "os"):
        chip = matrix.find_chip(name)
        return chip.family if chip is not None else None
    product = matrix.find_product(name) if kind == "products" else None
    return product.name if product is not None else None


def _print_mapping(row: Row, indent: str) -> None:
    for key, value in row.items():
        if isinstance(value, dict):
            print(f"{indent}{key}:")
            _print_mapping(value, f"{indent}  ")
        elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
            print(f"{indent}{key}:")
            for one in value:
                _print_mapping(one, f"{indent}  ")
                print()
        elif key == "source":
            for one in value:
                print(f"{indent}{say('source: {source}', source=one)}")
        else:
            print(f"{indent}{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")


def _joined(row: Row, key: str) -> str:
    return ", ".join(str(one) for one in row.get(key, ()))


def _pair(pair: Row) -> str:
    families = "/".join(pair.get("families", ()))
    return f"{families} driver {pair.get('driver', '?')} firmware {pair.get('firmware', '?')}".strip()


def _short(text: str) -> str:
    longest = 56
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
