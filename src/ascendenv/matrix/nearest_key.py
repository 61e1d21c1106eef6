"""The key that was meant: the nearest one that a table knows."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["nearest_key"]


def nearest_key(row: type, place: Sequence[str | int]) -> str | None:
    """The key nearest to the last one of `place`, which leads into rows inside `row`; None where none is near."""
    inner: Any = row
    for step in place[:-1]:
        inner = _inside(inner, step)
    if not isinstance(inner, type) or not is_dataclass(inner):
        return None
    names = [one.name for one in fields(inner)]
    return next(iter(get_close_matches(str(place[-1]), names, n=1, cutoff=0.5)), None)


def _inside(annotation: Any, step: str | int) -> Any:  # noqa: ANN401  (type expressions)
    """What the key or the number `step` of something of that type holds."""
    if isinstance(annotation, type) and is_dataclass(annotation):
        return _bare(get_type_hints(annotation, include_extras=True).get(str(step)))
    arguments = get_args(annotation)
    if get_origin(annotation) is tuple:
        return _bare(arguments[0])
    return _bare(arguments[-1]) if arguments else None


def _bare(annotation: Any) -> Any:  # noqa: ANN401  (type expressions)
    """The type without `| None` and without marks."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _bare(next(one for one in get_args(annotation) if one is not NoneType))
    return annotation
