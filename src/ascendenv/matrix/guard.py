"""Guards rows of files that people write: each mistake gets its key, its line, and words in the user's language."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ascendenv.language import Message, say
from ascendenv.matrix.nearest_key import nearest_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

    from ascendenv.matrix.yaml_file import YamlFile

__all__ = ["check_row"]

_WORDS: dict[str, Callable[[str, Any], Message]] = {
    "missing": lambda name, _: say("the key {name} is missing", name=name),
    "unexpected_keyword_argument": lambda name, _: say("there is no key {name} here", name=name),
    "string_type": lambda _, __: say("this must be text"),
    "tuple_type": lambda _, __: say("this must be a list"),
    "dataclass_type": lambda _, __: say("this must hold keys"),
    "literal_error": lambda _, error: say("this must be one of {choice}", choice=error["ctx"]["expected"]),
    "value_error": lambda _, error: say("{reason}", reason=str(error["ctx"]["error"])),
}


def check_row(row: type, file: YamlFile, place: tuple[str | int, ...], data: Mapping[str, object]) -> None:
    """Complain in `file` of everything that keeps `data`, which stands at `place`, from being a `row`."""
    from pydantic import ValidationError

    seen = {(one.line, one.key) for one in file.mistakes}
    try:
        _adapter(row).validate_python(data)
    except ValidationError as error:
        for one in error.errors():
            where = (*place, *one["loc"])
            key = ".".join(str(part) for part in where)
            if (file.line_of(where), key) not in seen:
                file.complain(where, _worded(one, row))


def _worded(error: ErrorDetails, row: type) -> Message:
    name = str(error["loc"][-1]) if error["loc"] else ""
    if error["type"] == "unexpected_keyword_argument" and (near := nearest_key(row, error["loc"])):
        return say("there is no key {name} here; the nearest one is {near}", name=name, near=near)
    words = _WORDS.get(error["type"])
    return words(name, error) if words is not None else say("{reason}", reason=error["msg"])


@lru_cache(maxsize=128)
def _adapter(row: type) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(row)
