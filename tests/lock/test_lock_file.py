"""A lock is written and read back the same; what is wrong with one is told by its line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.lock.stacks import LOCK, STACK, with_value

from ascendenv.errors import AscendenvError, UnusableInput
from ascendenv.lock.lock_file import LockMistakes, read_lock, write_lock
from ascendenv.lock.lock_text import lock_text
from ascendenv.lock.model import Lock
from ascendenv.lock.toml_file import parse_toml

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schemas" / "lock.schema.json").read_text())
TEXT = lock_text(LOCK)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ascendenv.lock"


def line_of(needle: str, text: str = TEXT, nth: int = 0) -> int:
    return [number for number, line in enumerate(text.split("\n"), start=1) if needle in line][nth]


def test_a_lock_is_read_back_as_it_was_written(path: Path) -> None:
    write_lock(path, LOCK)

    assert read_lock(path) == LOCK
    assert lock_text(read_lock(path)) == path.read_text()


def test_a_lock_fulfils_the_published_schema() -> None:
    jsonschema.validate(parse_toml(TEXT.encode(), "x").data, SCHEMA)


def test_a_change_of_one_version_changes_few_lines() -> None:
    other = Lock(stacks=(LOCK.stacks[0], with_value(STACK, "hdk", "firmware", "7.8.0.7.220")))

    before, after = TEXT.splitlines(), lock_text(other).splitlines()

    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 8  # the value, three digests around it, and the four seals of their tables
    assert all("python" not in line for line in changed)


@pytest.mark.parametrize(
    "harmless",
    [
        lambda text: f"# a comment\n\n{text}",
        lambda text: text.replace("schema = 1", "schema=1   # a comment"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace('chip = "Ascend910B3"', "chip = 'Ascend910B3'"),
        lambda text: text.replace('"ubuntu 22.04"\n', '"ubuntu 22.04"  # noble is next\n'),
    ],
)
def test_comments_and_spelling_change_nothing(path: Path, harmless: Callable[[str], str]) -> None:
    path.write_bytes(harmless(TEXT).encode())

    assert read_lock(path) == LOCK


@pytest.mark.parametrize(
    ("old", "new", "nth", "told"),
    [
        ('driver = "25.5.1"', 'driver = "25.5.2"', 0, "this line was changed by hand"),
        ('driver = "25.5.1"', 'driver = "25.5.2"', 1, "this line was changed by hand"),
        ("size = 100", "size = 101", 0, "this line was changed by hand"),
        ("c" * 64, "e" * 64, 1, "this line was changed by hand"),
        ('urls = ["https://vendor', 'urls = ["https://evil', 0, "this line was changed by hand"),
        ('level = "recommended"', 'level = "broken"', 0, "this line was changed by hand"),
        ('arch = "x86_64"', 'arch = "riscv"', 0, "this must be one of 'aarch64' or 'x86_64'"),
        ('arch = "x86_64"', 'arhc = "x86_64"', 0, "there is no key arhc here; the nearest one is arch"),
        ('file = "numpy-1.26.4', 'file = "../../numpy-1.26.4', 0, "without a folder"),
        ("size = 5", "size = true", 0, "valid integer"),
    ],
)
def test_a_line_that_was_edited_is_named(path: Path, old: str, new: str, nth: int, told: str) -> None:
    pieces = TEXT.split(old)
    edited = old.join(pieces[: nth + 1]) + new + old.join(pieces[nth + 1 :])
    path.write_text(edited)

    with pytest.raises(LockMistakes) as caught:
        read_lock(path)

    line = line_of(new, edited)
    assert any(one.line == line and told in str(one) for one in caught.value.mistakes)
    assert len({one.key.rpartition(".")[0] for one in caught.value.mistakes}) == 1  # nothing of another table


def test_a_line_that_was_removed_is_told_at_its_table(path: Path) -> None:
    path.write_text(TEXT.replace('firmware = "7.8.0.6.201"\n', "", 1))

    with pytest.raises(LockMistakes) as caught:
        read_lock(path)

    (mistake,) = caught.value.mistakes
    assert "a line of this table was removed by hand" in str(mistake)
    assert mistake.key == "stack.canary.hdk.seal"


def test_a_table_that_was_removed_or_moved_is_told_by_its_digest(path: Path) -> None:
    start = TEXT.index("[[stack.prod.cann.file]]")
    path.write_text(TEXT[:start] + TEXT[TEXT.index("[stack.prod.python]") :])

    with pytest.raises(LockMistakes) as caught:
        read_lock(path)

    assert [one.key for one in caught.value.mistakes] == [
        "stack.prod.cann.digest",
        "stack.prod.cann.digests.aarch64",
        "stack.prod.cann.digests.x86_64",
        "stack.prod.digest",
        "digest",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the key schema is missing"),
        ("schema = 1\n", "the key digest is missing"),
        ("schema = 'x'\n", "schema"),
        (TEXT[: len(TEXT) // 2], "ascendenv.lock:"),
        ("<<<<<<< HEAD\n" + TEXT, "ascendenv.lock:1: this is not TOML"),
        ("stack = 3\nschema = 1\ndigest = ''\nseal = ''\n", "stack"),
    ],
)
def test_half_a_lock_and_none_at_all_are_refused(path: Path, text: str, told: str) -> None:
    path.write_text(text)

    with pytest.raises(LockMistakes, match="the lock cannot be used as it is") as caught:
        read_lock(path)

    assert told in str(caught.value)


def test_a_lock_of_a_newer_form_asks_for_an_upgrade(path: Path) -> None:
    path.write_text(TEXT.replace("schema = 1", "schema = 2\nshiny = true"))

    with pytest.raises(
        UnusableInput, match="the lock has form 2, and this ascendenv reads up to 1"
    ) as caught:
        read_lock(path)

    assert "pip install -U ascendenv" in str(caught.value.hint)


def test_no_lock_at_all_says_how_to_make_one(path: Path) -> None:
    with pytest.raises(UnusableInput, match="there is no lock here") as caught:
        read_lock(path)

    assert "ascendenv lock" in str(caught.value.hint)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.integers(0, len(TEXT) - 1), st.sampled_from(["", "x", '"', "\n", "[", "=", "9"]))
def test_a_lock_with_any_one_place_changed_is_the_same_or_refused(path: Path, at: int, new: str) -> None:
    path.write_text(TEXT[:at] + new + TEXT[at + 1 :])

    try:
        read = read_lock(path)
    except AscendenvError:
        return
    assert read == LOCK


def test_values_that_a_stack_does_not_have_are_not_written() -> None:
    bare = replace(STACK, parts=(), chip=None, family=None, os=None, release=None, reasons=(), requires=())

    text = lock_text(Lock(stacks=(bare,)))

    assert "None" not in text
    assert "chip" not in text
