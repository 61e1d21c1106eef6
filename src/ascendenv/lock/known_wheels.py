"""Wheels of torch and torch_npu that the matrix knows, too: another address for the same bytes, or a doubt about others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.language import Message
    from ascendenv.lock.model import Artefact
    from ascendenv.matrix.artefacts import Artefacts
    from ascendenv.matrix.rows.artefacts import Artefact as Known

__all__ = ["doubts", "with_known_addresses"]

_PACKAGES = {"torch": "torch", "torch-npu": "torch_npu"}


def with_known_addresses(
    wheels: Iterable[Artefact], artefacts: Artefacts, torch_npu: str
) -> tuple[Artefact, ...]:
    """The wheels, with the matrix' address behind their own where it has the same bytes."""
    return tuple(_addressed(one, _rows(one, artefacts, torch_npu)) for one in wheels)


def doubts(wheels: Iterable[Artefact], artefacts: Artefacts, torch_npu: str) -> Iterator[Message]:
    """A word on every wheel of torch_npu that has other bytes than its maker published under the name.

    Of torch the matrix has copies that others made.
    """
    for one in wheels:
        published = {row.sha256 for row in _rows(one, artefacts, torch_npu)} - {None}
        if one.name == "torch-npu" and published and one.sha256 not in published:
            yield say("{file}: its maker published other bytes under this name", file=one.file)


def _rows(wheel: Artefact, artefacts: Artefacts, torch_npu: str) -> list[Known]:
    if wheel.component != "pip" or wheel.name not in _PACKAGES:
        return []
    found = artefacts.find("torch_npu", torch_npu, _PACKAGES[wheel.name], arch=wheel.arch)
    return [one for one in found if one.filename == wheel.file]


def _addressed(wheel: Artefact, rows: Iterable[Known]) -> Artefact:
    more = (one.url for one in rows if one.sha256 == wheel.sha256 and one.url is not None)
    return replace(wheel, urls=tuple(dict.fromkeys([*wheel.urls, *more])))
