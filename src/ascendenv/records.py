"""Frozen dataclasses that are quick to define.

The standard library writes and compiles six methods for each frozen dataclass, about a millisecond a class on Python
3.11, and a run of the doctor defines a hundred of them. Here the methods are shared functions. Everything else is the
standard library's: `fields`, `replace`, `asdict`, defaults, `__post_init__`, `__match_args__`. Making an instance takes
a little longer, so that what is made by the thousand is better a dataclass of the standard library.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, *, frozen: bool = False, kw_only: bool = False) -> Any:  # noqa: ANN401
        """A dataclass with shared methods, if it is frozen; else one of the standard library."""
        if cls is None:
            return lambda decorated: dataclass(decorated, frozen=frozen, kw_only=kw_only)
        return _frozen(cls, kw_only=kw_only) if frozen else dataclasses.dataclass(cls, kw_only=kw_only)


def _frozen(cls: type, *, kw_only: bool) -> type:
    own = dict(vars(cls))
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    members = dataclasses.fields(made)
    compared = tuple(one.name for one in members if one.compare)
    methods: dict[str, Callable[..., Any]] = {
        "__init__": _initialiser(made),
        "__repr__": _representation(tuple(one.name for one in members if one.repr)),
        "__eq__": _equality(compared),
        "__hash__": _hashing(compared),
        "__setattr__": _refuse_setting,
        "__delattr__": _refuse_deleting,
    }
    for name, method in methods.items():
        # What a class defines itself stays; one that defines __eq__ alone has None for __hash__.
        if own.get(name) is None:
            setattr(made, name, method)
    return made


def _initialiser(cls: type) -> Callable[..., None]:
    members = dataclasses.fields(cls)
    positional = tuple(one.name for one in members if not one.kw_only)
    plain = {one.name: one.default for one in members if one.default is not dataclasses.MISSING}
    lazy = {
        one.name: one.default_factory for one in members if one.default_factory is not dataclasses.MISSING
    }
    names = frozenset(one.name for one in members)
    finish = getattr(cls, "__post_init__", None)

    def __init__(self: Any, *args: Any, **values: Any) -> None:  # noqa: ANN401, N807
        state = self.__dict__
        state.update(plain)
        if args:
            _refuse_excess(cls, positional, args, values)
            state.update(zip(positional, args, strict=False))
        state.update(values)
        if len(state) != len(names):
            for name in lazy.keys() - state.keys():
                state[name] = lazy[name]()
        if state.keys() != names:
            _refuse_names(cls, names, state)
        if finish is not None:
            finish(self)

    return __init__


def _refuse_excess(
    cls: type, positional: tuple[str, ...], args: tuple[object, ...], values: dict[str, object]
) -> None:
    if len(args) > len(positional):
        raise TypeError(f"{cls.__name__}() takes {len(positional)} arguments, {len(args)} were given")
    if values and (twice := values.keys() & set(positional[: len(args)])):
        raise TypeError(f"{cls.__name__}() got two values for {', '.join(sorted(twice))}")


def _refuse_names(cls: type, names: frozenset[str], state: dict[str, object]) -> None:
    if unknown := state.keys() - names:
        raise TypeError(f"{cls.__name__}() has no argument {', '.join(sorted(unknown))}")
    raise TypeError(f"{cls.__name__}() lacks the argument {', '.join(sorted(names - state.keys()))}")


def _representation(names: tuple[str, ...]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:  # noqa: ANN401, N807
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return __repr__


def _equality(names: tuple[str, ...]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: ANN401, N807
        if other is self:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in names)

    return __eq__


def _hashing(names: tuple[str, ...]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: ANN401, N807
        return hash(tuple(getattr(self, name) for name in names))

    return __hash__


def _refuse_setting(_: object, name: str, __: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(_: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
