"""A waiver file as people write it: read whole, every mistake at once, each with file, line and key.

- id: DRV008                        # and, or instead, a cause: driver-too-old-for-cann
  when: {driver: "24.1.rc2", chip: 910B}
  reason: the vendor supports this pair for us, ticket 4711
  by: ops@example.org
  until: 2027-03-31                 # the last day
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ascendenv.doctor.waivers import Waiver, WaiverRow
from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.doctor.check import Check
    from ascendenv.matrix.yaml_file import Mistake, YamlFile

__all__ = ["WaiverMistakes", "read_waivers"]


class WaiverMistakes(UnusableInput):
    """A waiver file that holds mistakes; all of them are in `mistakes`."""

    code: ClassVar[str] = "waiver-mistakes"

    def __init__(self, file: str, mistakes: Sequence[Mistake]) -> None:
        lines = "\n".join(str(one) for one in mistakes)
        super().__init__(
            say("{count} mistakes in the waivers:\n{lines}", count=len(mistakes), lines=lines), where=file
        )
        self.mistakes = tuple(mistakes)


def read_waivers(path: str, checks: Sequence[type[Check]]) -> tuple[Waiver, ...]:
    """The waivers in the file at `path`; ids and causes must be those of `checks`. Raises WaiverMistakes."""
    from ascendenv.matrix.guard import check_row
    from ascendenv.matrix.yaml_file import read_yaml

    file = read_yaml(Path(path), path)
    rows = list(_rows(file)) if file.data is not None else []
    for place, row in rows:
        check_row(WaiverRow, file, (place,), row)
        _check_names(file, place, row, checks)
    if file.mistakes:
        raise WaiverMistakes(path, sorted(file.mistakes, key=lambda one: one.line))
    return tuple(_waiver(row, f"{path}:{file.line_of((place,))}") for place, row in rows)


def _rows(file: YamlFile) -> Iterator[tuple[int, dict[str, Any]]]:
    if not isinstance(file.data, list):
        file.complain((), say("this file must hold a list of waivers"))
        return
    for place, row in enumerate(file.data):
        if isinstance(row, dict):
            yield place, row
        else:
            file.complain((place,), say("this must hold keys"))


def _check_names(file: YamlFile, place: int, row: dict[str, Any], checks: Sequence[type[Check]]) -> None:
    known = {
        "id": {one.id for one in checks},
        "cause": {cause for one in checks for cause in one.causes},
    }
    if not any(name in row for name in known):
        file.complain((place,), say("name the check with `id` or the cause with `cause`"))
    for key, names in known.items():
        name = row.get(key)
        if not isinstance(name, str) or not name or name in names:
            continue
        near = ", ".join(get_close_matches(name, names, n=2))
        words = say("there is no {name}; did you mean {near}?", name=name, near=near)
        file.complain((place, key), words if near else say("there is no {name}", name=name))


def _waiver(row: dict[str, Any], where: str) -> Waiver:
    from pydantic import TypeAdapter

    checked = TypeAdapter(WaiverRow).validate_python(row)
    return Waiver(**vars(checked), where=where)
