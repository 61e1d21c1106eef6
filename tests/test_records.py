"""Quick frozen dataclasses behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from ascendenv import records
from ascendenv.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    names: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Row:
    source: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Release(Row):
    version: str


@dataclass(frozen=True)
class Checked:
    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(self.number)


@dataclass(frozen=True)
class Spoken:
    number: int

    def __repr__(self) -> str:
        return f"<{self.number}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spoken)

    def __hash__(self) -> int:
        return 7


def _twins() -> list[type[Any]]:
    """The same class by the standard library and by ours."""

    def written(maker: Callable[..., Any]) -> type[Any]:
        @maker(frozen=True)
        class Twin:
            a: int
            b: str = "b"
            c: tuple[int, ...] = field(default_factory=tuple)

        made: type[Any] = Twin
        return made

    return [written(dataclasses.dataclass), written(records.dataclass)]


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "x"), {}),
    ((1,), {"c": (3,)}),
    ((), {"a": 1, "b": "y", "c": ()}),
    ((), {}),
    ((1, 2, 3, 4), {}),
    ((1,), {"a": 2}),
    ((1,), {"d": 2}),
    ((), {"b": "y"}),
]


@pytest.mark.parametrize(("args", "values"), CALLS)
def test_the_two_kinds_take_and_refuse_the_same_arguments(
    args: tuple[Any, ...], values: dict[str, Any]
) -> None:
    standard, ours = (_outcome(cls, args, values) for cls in _twins())
    assert standard == ours


def _outcome(cls: type[Any], args: tuple[Any, ...], values: dict[str, Any]) -> tuple[Any, ...]:
    try:
        made = cls(*args, **values)
    except TypeError:
        return ()
    return dataclasses.asdict(made), dataclasses.astuple(made), repr(made).split(".")[-1]


def test_a_refusal_names_the_class_and_the_argument() -> None:
    with pytest.raises(TypeError, match=r"Point\(\) lacks the argument x"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Point\(\) has no argument z"):
        Point(1, z=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Point\(\) got two values for x"):
        Point(1, x=2)  # type: ignore[misc]
    with pytest.raises(TypeError, match=r"takes 4 arguments, 5 were given"):
        Point(1, 2, [], "", 3)  # type: ignore[call-arg]


def test_defaults_are_made_anew_for_each_instance() -> None:
    first, second = Point(1), Point(2)
    first.names.append("n")
    assert second.names == []


def test_nothing_can_be_changed_afterwards() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    assert point == Point(1)


def test_what_is_not_compared_counts_neither_for_equality_nor_for_the_hash() -> None:
    assert Row(source=("a",)) == Row(source=("a",))
    assert hash(Row(source=("a",))) == hash(Row(source=("a",)))
    assert Row(source=("a",)) != Row(source=("b",))
    assert Point(1, note="x") == Point(1, note="y")
    assert Row(source=("a",)) != Release(source=("a",), version="1")
    assert "note" not in repr(Point(1))


def test_fields_of_a_base_come_first_and_replace_keeps_the_rest() -> None:
    release = Release(source=("a",), version="8.2")
    assert [one.name for one in fields(release)] == ["source", "notes", "version"]
    assert replace(release, version="8.3") == Release(source=("a",), version="8.3")
    with pytest.raises(TypeError):
        Release(("a",), (), "8.2")  # type: ignore[call-arg]


def test_what_a_class_defines_itself_stays() -> None:
    assert repr(Spoken(3)) == "<3>"
    assert Spoken(3) == Spoken(4)
    assert hash(Spoken(3)) == 7
    with pytest.raises(ValueError, match="-1"):
        Checked(-1)


def test_instances_can_be_copied_and_pickled() -> None:
    release = Release(source=("a",), version="8.2")
    assert copy.deepcopy(release) == release
    assert pickle.loads(pickle.dumps(release)) == release  # noqa: S301


def test_patterns_match_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_pydantic_reads_them() -> None:
    adapter = TypeAdapter(Release)
    assert adapter.validate_python({"source": ["a"], "version": "8.2"}) == Release(
        source=("a",), version="8.2"
    )
    with pytest.raises(ValidationError):
        adapter.validate_python({"source": ["a"]})


def test_one_that_is_not_frozen_is_the_standard_librarys() -> None:
    @dataclass
    class Open:
        a: int = 1

    one = Open()
    one.a = 2
    assert one == Open(2)
