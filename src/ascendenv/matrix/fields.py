"""How the texts of a data file become values: versions, lines and ranges of one scheme.

The same annotations serve two readers: pydantic, which guards files that people write, and `decode`, which builds the
compiled matrix without it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from ascendenv.versions import Version, VersionLine, VersionRange, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

__all__ = [
    "PythonRange",
    "PythonVersion",
    "VendorRange",
    "VendorSpan",
    "VendorVersion",
    "Whole",
    "Written",
    "YesNo",
    "decode",
    "span",
]

T = TypeVar("T")


@dataclass(frozen=True)
class Written:
    """Marks a field whose value is written as text and read by `reader`, which raises ValueError."""

    reader: Callable[[str], object]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A schema that takes text only; pydantic asks for it."""
        from pydantic_core import core_schema

        del source, handler
        return core_schema.no_info_after_validator_function(self.reader, core_schema.str_schema(strict=True))


@dataclass(frozen=True)
class Exactly:
    """Marks a number or a truth value that is not written as text."""

    kind: Literal["int", "bool"]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A strict schema; pydantic asks for it."""
        from pydantic_core import core_schema

        del source, handler
        return (
            core_schema.int_schema(strict=True)
            if self.kind == "int"
            else core_schema.bool_schema(strict=True)
        )


def span(text: str) -> Version | VersionLine:
    """A vendor version, or a line such as `25.0.X`; raises InvalidVersion."""
    return VersionLine(text) if text.lower().endswith(".x") else vendor(text)


def _vendor_range(text: str) -> VersionRange:
    return VersionRange(text, "vendor")


def _python_range(text: str) -> VersionRange:
    return VersionRange(text, "pep440")


Whole = Annotated[int, Exactly("int")]
YesNo = Annotated[bool, Exactly("bool")]
VendorVersion = Annotated[Version, Written(vendor)]
PythonVersion = Annotated[Version, Written(pep440)]
VendorSpan = Annotated[Version | VersionLine, Written(span)]
VendorRange = Annotated[VersionRange, Written(_vendor_range)]
PythonRange = Annotated[VersionRange, Written(_python_range)]


def decode(row: type[T], raw: Mapping[str, object]) -> T:
    """The dataclass `row` made of plain data that was validated before."""
    decoder: Any = _row_decoder
    return cast("T", decoder(row)(raw))


@lru_cache(maxsize=64)
def _row_decoder(row: type) -> Any:  # noqa: ANN401  (a function of plain data)
    hints = get_type_hints(row, include_extras=True)
    names = [one.name for one in fields(row) if one.init]
    readers = {name: _decoder(hints[name]) for name in names}
    plain = {name for name, reader in readers.items() if reader is _same}

    def build(raw: Mapping[str, Any]) -> object:
        return row(**{name: value if name in plain else readers[name](value) for name, value in raw.items()})

    return build


def _same(value: object) -> object:
    return value


def _decoder(annotation: Any) -> Any:  # noqa: ANN401  (a type expression, and a function of plain data)
    origin = get_origin(annotation)
    if origin is Annotated:
        mark = get_args(annotation)[1]
        return mark.reader if isinstance(mark, Written) else _same
    if origin in (Union, UnionType):
        (inner,) = (one for one in get_args(annotation) if one is not NoneType)
        return _decoder(inner)
    if origin is tuple:
        return _tuple_of(_decoder(get_args(annotation)[0]))
    if origin is not None and origin is not Literal:
        return _mapping_of(_decoder(get_args(annotation)[1]))
    decoder: Any = _row_decoder
    return decoder(annotation) if is_dataclass(annotation) else _same


def _tuple_of(inner: Any) -> Any:  # noqa: ANN401  (functions of plain data)
    if inner is _same:
        return tuple
    return lambda values: tuple(inner(value) for value in values)


def _mapping_of(inner: Any) -> Any:  # noqa: ANN401  (functions of plain data)
    return lambda values: {key: inner(value) for key, value in values.items()}
