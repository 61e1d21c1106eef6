"""Changes single keys and items of a YAML file and leaves every other byte as it is: comments, order, quotes, notes.

A library that loads and dumps a whole file would keep comments, but not the mixed indentation and line breaks that
people chose; here only the lines of what changes are touched, found by the marks of the YAML parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from ascendenv.sources.yaml_text import entry_lines, item_lines, place_of, row_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["YamlEdit"]

Place = tuple["str | int", ...]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlEdit:
    """The text of a YAML file under change; `""` is a file to be written from nothing."""

    def __init__(self, text: str = "") -> None:
        self._lines = text.split("\n")
        if self._lines[-1] == "":
            self._lines.pop()
        self._composed: tuple[str, yaml.Node | None] = ("", None)

    @property
    def text(self) -> str:
        """The whole file as it is now."""
        return "\n".join(self._lines) + "\n" if self._lines else ""

    def set_row(self, row: dict[str, object]) -> None:
        """Make the file hold one row."""
        self._lines = row_lines(row)

    def set_key(self, place: Place, key: str, value: object) -> None:
        """Set a key of the mapping at `place`: in its place where it stands, else where it usually goes."""
        node = self._node(place)
        if not isinstance(node, yaml.MappingNode):
            raise TypeError(f"{place}: no mapping")
        if node.flow_style:
            self._rewrite(place, {**_plain(node), key: value})
            return
        indent = node.start_mark.column
        lines = [" " * indent + line for line in entry_lines(key, value)]
        for name, child in node.value:
            if name.value == key:
                self._replace(name.start_mark.line, _last_line(child), indent, lines, child)
                return
        keys = [name.value for name, _ in node.value]
        mine = place_of(key, keys)
        before = [(name, child) for name, child in node.value if place_of(name.value, keys) <= mine]
        if before:
            at = max(_last_line(child) for _, child in before) + 1
            self._lines[at:at] = lines
        else:
            self._put_first(node, indent, lines)

    def add_item(self, place: Place, key: str, value: object, *, before: Callable[[object], bool]) -> None:
        """Add an item to the list under `key` of the mapping at `place`: before the first item that `before` holds for.

        Where there is no such list, or one in a single line, it is written anew.
        """
        node = self._node(place)
        listed = next((child for name, child in _pairs(node) if name.value == key), None)
        if not isinstance(listed, yaml.SequenceNode) or listed.flow_style or not listed.value:
            items = _plain(listed) if isinstance(listed, yaml.SequenceNode) else []
            at = next((number for number, one in enumerate(items) if before(one)), len(items))
            self.set_key(place, key, [*items[:at], value, *items[at:]])
            return
        self._insert(listed, value, before)

    def add_row(self, row: object, *, before: Callable[[object], bool]) -> None:
        """Add a row to a file that is one list, before the first row that `before` holds for."""
        node = self._compose()
        if node is None or (isinstance(node, yaml.SequenceNode) and not node.value):
            self._lines = [*self._comments(), *item_lines(row)]
        elif isinstance(node, yaml.SequenceNode) and not node.flow_style:
            self._insert(node, row, before)
        else:
            raise TypeError("this file holds no list")

    def data(self) -> object:
        """What the file says now."""
        node = self._compose()
        return None if node is None else _plain(node)

    def _insert(self, listed: yaml.SequenceNode, value: object, before: Callable[[object], bool]) -> None:
        indent = " " * listed.start_mark.column
        lines = [indent + line for line in item_lines(value)]
        for number, item in enumerate(listed.value):
            if before(_plain(item)):
                at = item.start_mark.line
                while number and self._is_comment(at - 1):  # a comment belongs to the item below it
                    at -= 1
                self._lines[at:at] = lines
                return
        at = _last_line(listed) + 1
        self._lines[at:at] = lines

    def _replace(self, first: int, last: int, indent: int, lines: Sequence[str], child: yaml.Node) -> None:
        head = self._lines[first][:indent]  # of the first key of an item, the dash
        tail = self._lines[last][_end_column(child) :].strip() if _ends_in_line(child) else ""
        new = [head + lines[0][indent:], *lines[1:]]
        if tail.startswith("#"):
            if len(new) == 1:
                new[0] = f"{new[0]}  {tail}"
            elif head.strip():
                new.insert(1, " " * (indent + 2) + tail)
            else:
                new.insert(0, " " * indent + tail)
        self._lines[first : last + 1] = new

    def _put_first(self, node: yaml.MappingNode, indent: int, lines: Sequence[str]) -> None:
        at = node.start_mark.line
        head, rest = self._lines[at][:indent], self._lines[at][indent:]
        self._lines[at : at + 1] = [head + lines[0][indent:], *lines[1:], " " * indent + rest]

    def _rewrite(self, place: Place, row: dict[str, object]) -> None:
        """Write a row that stood in one line as lines of its own, with all that stands in that line around it."""
        around = self._node(place[:-1]) if place else None
        if isinstance(around, yaml.SequenceNode) and around.flow_style:
            items = [row if number == place[-1] else one for number, one in enumerate(_plain(around))]
            if len(place) > 1:
                self.set_key(place[:-2], str(place[-2]), items)
            else:
                self._lines = [*self._comments(), *(line for one in items for line in item_lines(one))]
        elif isinstance(around, yaml.MappingNode):
            self.set_key(place[:-1], str(place[-1]), row)
        else:
            self._spread(self._node(place), row)

    def _spread(self, node: yaml.Node, row: dict[str, object]) -> None:
        """Put the lines of a row where it stood between brackets, behind the dash of a list if there is one."""
        first, last = node.start_mark, node.end_mark
        head, tail = self._lines[first.line][: first.column], self._lines[last.line][last.column :].strip()
        indent = " " * first.column
        lines = row_lines(row)
        new = [head + lines[0], *(indent + line for line in lines[1:])]
        self._lines[first.line : last.line + 1] = [*([indent + tail] if tail else []), *new]

    def _comments(self) -> list[str]:
        return [line for line in self._lines if line.lstrip().startswith("#")]

    def _is_comment(self, line: int) -> bool:
        return self._lines[line].lstrip().startswith("#")

    def _compose(self) -> yaml.Node | None:
        """The nodes of the text as it is now; looked up many times between two edits."""
        text = self.text
        if self._composed[0] != text:
            self._composed = (text, yaml.compose(text, Loader=_LOADER))
        return self._composed[1]

    def _node(self, place: Place) -> yaml.Node:
        node = self._compose()
        for step in place:
            if isinstance(step, int) and isinstance(node, yaml.SequenceNode):
                node = node.value[step]
            else:
                node = next(child for name, child in _pairs(node) if name.value == step)
        if node is None:
            raise TypeError("this file is empty")
        return node


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return list(node.value) if isinstance(node, yaml.MappingNode) else []


def _plain(node: yaml.Node) -> Any:  # noqa: ANN401  (plain data of any shape)
    if isinstance(node, yaml.MappingNode):
        return {str(name.value): _plain(child) for name, child in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child) for child in node.value]
    if getattr(node, "style", None) or node.tag == "tag:yaml.org,2002:str":
        return str(node.value)
    kind = node.tag.rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return str(node.value).lower() in ("true", "yes", "on")
    return int(node.value) if kind == "int" else str(node.value)


def _last_line(node: yaml.Node) -> int:
    """The last line that holds something of the node; the marks of block nodes run on to the next token."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    line: int = node.end_mark.line
    if node.end_mark.column == 0 and line > node.start_mark.line:
        return line - 1
    return line


def _ends_in_line(node: yaml.Node) -> bool:
    return not isinstance(node, yaml.CollectionNode) or bool(node.flow_style)


def _end_column(node: yaml.Node) -> int:
    column: int = node.end_mark.column
    return column
