"""YAML lists that people write, read with the line of every value, so that a mistake can be shown where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml.nodes import Node

__all__ = ["Mistake", "Record", "UnusableSource", "read_records"]


@dataclass(frozen=True)
class Mistake:
    """Something wrong in a source: `where` is `file:line`."""

    where: str
    text: str


@dataclass(frozen=True)
class Record:
    """One entry of a list: its values, and the place of each key (and of the entry itself, under the empty key)."""

    values: dict[str, object]
    places: dict[str, str]

    def where(self, key: str = "") -> str:
        """`file:line` of a key's value, or of the entry."""
        return self.places.get(key, self.places[""])


class UnusableSource(UnusableInput):
    """Files with mistakes; `mistakes` holds all of them."""

    code = "unusable-source"

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__(
            say(
                "{count} mistakes in the data files: {mistakes}",
                count=len(mistakes),
                mistakes="; ".join(f"{one.where}: {one.text}" for one in mistakes),
            )
        )
        self.mistakes = mistakes


def read_records(folder: Path, mistakes: list[Mistake]) -> Iterator[Record]:
    """The entries of all lists in `folder/*.yaml`, by file name; what is no list of mappings is added to `mistakes`."""
    import yaml

    for path in sorted(folder.glob("*.yaml")):
        try:
            root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            line = getattr(getattr(error, "problem_mark", None), "line", 0) + 1
            mistakes.append(Mistake(f"{path.name}:{line}", f"not readable: {error}".replace("\n", " ")))
            continue
        if root is not None:
            yield from _records_of(root, path.name, mistakes)


def _records_of(root: Node, name: str, mistakes: list[Mistake]) -> Iterator[Record]:
    from yaml.nodes import MappingNode, SequenceNode

    if not isinstance(root, SequenceNode):
        mistakes.append(Mistake(f"{name}:1", "the file must be a list"))
        return
    for node in root.value:
        if isinstance(node, MappingNode):
            yield _record_of(node, name, mistakes)
        else:
            mistakes.append(Mistake(f"{name}:{node.start_mark.line + 1}", "the entry must be a mapping"))


def _record_of(node: Node, name: str, mistakes: list[Mistake]) -> Record:
    from yaml.constructor import SafeConstructor

    constructor = SafeConstructor()
    values: dict[str, object] = {}
    places = {"": f"{name}:{node.start_mark.line + 1}"}
    for key_node, value_node in node.value:
        key = cast("str", key_node.value)
        where = f"{name}:{value_node.start_mark.line + 1}"
        if key in values:
            mistakes.append(Mistake(where, f"{key} is given twice"))
        values[key] = constructor.construct_object(value_node, deep=True)
        places[key] = where
    return Record(values, places)
