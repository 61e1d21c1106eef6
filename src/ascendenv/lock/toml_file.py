"""A TOML file that people write, as plain data with the line of every key."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.lock.toml_lines import lines_of
from ascendenv.matrix.yaml_file import Mistake, YamlFile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.language import Message

__all__ = ["LARGEST", "parse_toml", "read_toml"]

LARGEST = 64 << 20
"""No spec and no lock has more bytes than this."""

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def read_toml(path: Path, shown: str) -> YamlFile:
    """The file at `path`, called `shown` in mistakes; what cannot be read at all is a mistake, too."""
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        return _unreadable(shown, 0, error.strerror or str(error))
    if len(data) > LARGEST:
        return _unreadable(shown, 0, say("it is too large"))
    return parse_toml(data, shown)


def parse_toml(data: bytes, shown: str) -> YamlFile:
    """The content `data`, called `shown` in mistakes."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _unreadable(shown, line, say("it is not UTF-8"))
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return _broken(shown, text, str(error))
    except RecursionError:
        return _unreadable(shown, 0, say("it nests too deep"))
    return YamlFile(shown, content, lines_of(text))


def _broken(shown: str, text: str, reason: str) -> YamlFile:
    match = _PLACE.search(reason)
    line = int(match.group(1)) if match is not None and match.group(1) else text.count("\n") + 1
    file = YamlFile(shown)
    words = say("this is not TOML: {reason}", reason=_PLACE.sub("", reason))
    file.mistakes.append(Mistake(shown, line, "", words))
    return file


def _unreadable(shown: str, line: int, reason: str | Message) -> YamlFile:
    file = YamlFile(shown)
    file.mistakes.append(Mistake(shown, line, "", say("cannot be read: {reason}", reason=reason)))
    return file
