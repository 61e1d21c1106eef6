"""A YAML file as plain data, with the line of every key and the mistakes that YAML itself would swallow.

Those are keys that occur twice, and versions without quotes (YAML reads 8.10 as 8.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

from ascendenv.language import Message, say

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Mistake", "YamlFile", "read_yaml"]

Place = tuple["str | int", ...]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LOOKS_LIKE_VERSION = re.compile(
    r"[<>=!~ ]*v?\d+(\.(\d+([a-z]+\d*)?|x|[a-z]+\d*))+([._+-]\w+)*", re.IGNORECASE
)
_TEXT_TAGS = frozenset({"tag:yaml.org,2002:str", "tag:yaml.org,2002:timestamp"})


@dataclass(frozen=True)
class Mistake:
    """Something wrong in a data file: where, under which key, and what."""

    file: str
    line: int
    key: str
    message: Message

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


@dataclass
class YamlFile:
    """The content of a file. `lines` maps the path of a key (`("pairs", 0, "driver")`) to its line."""

    path: str
    data: object = None
    lines: dict[Place, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    seen: set[int] = field(default_factory=set, repr=False)

    def line_of(self, place: Place) -> int:
        """The line of that key, or of the nearest one around it; 1 for the file itself."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def complain(self, place: Place, message: Message) -> None:
        """Note a mistake at that key."""
        key = ".".join(str(part) for part in place)
        self.mistakes.append(Mistake(self.path, self.line_of(place), key, message))


def read_yaml(path: Path, shown: str) -> YamlFile:
    """The file at `path`, called `shown` in mistakes; what cannot be read at all is a mistake, too."""
    file = YamlFile(shown)
    try:
        with path.open(encoding="utf-8") as stream:
            node = yaml.compose(stream, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 0
        reason = say("this is not YAML: {reason}", reason=error.problem or "")
        file.mistakes.append(Mistake(shown, line, "", reason))
        return file
    except (yaml.YAMLError, OSError, UnicodeDecodeError, RecursionError) as error:
        file.mistakes.append(Mistake(shown, 0, "", say("cannot be read: {reason}", reason=str(error))))
        return file
    if node is None:
        file.mistakes.append(Mistake(shown, 1, "", say("the file is empty")))
        return file
    file.data = _plain(node, (), file)
    return file


def _plain(node: yaml.Node, place: Place, file: YamlFile) -> object:
    file.lines.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, yaml.CollectionNode):
        if id(node) in file.seen:  # an alias could nest without end
            file.complain(place, say("write it out: references to another part of the file are not read"))
            return None
        file.seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, place, file)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, (*place, number), file) for number, child in enumerate(node.value)]
    return _scalar(node, place, file)


def _mapping(node: yaml.MappingNode, place: Place, file: YamlFile) -> dict[str, object]:
    found: dict[str, object] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value)
        here = (*place, key)
        if key in found:
            file.lines[here] = key_node.start_mark.line + 1
            file.complain(here, say("this key stands here twice"))
            continue
        file.lines[here] = key_node.start_mark.line + 1
        found[key] = _plain(value_node, here, file)
    return found


def _scalar(node: yaml.Node, place: Place, file: YamlFile) -> object:
    text = str(node.value)
    plain = not getattr(node, "style", None)
    if not plain or node.tag in _TEXT_TAGS:
        if plain and _LOOKS_LIKE_VERSION.fullmatch(text):
            file.complain(place, _unquoted(text))
        return text
    if node.tag == "tag:yaml.org,2002:null":
        return None
    if node.tag == "tag:yaml.org,2002:bool":
        return text.lower() in ("true", "yes", "on")
    if node.tag == "tag:yaml.org,2002:int" and re.fullmatch(r"-?\d+", text):
        return int(text)
    file.complain(place, _unquoted(text))
    return text


def _unquoted(text: str) -> Message:
    return say('write versions in quotes: "{text}" (without them YAML reads 8.10 as 8.1)', text=text)
