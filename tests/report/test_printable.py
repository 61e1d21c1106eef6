"""Foreign text keeps what people read and loses what steers programs."""

from __future__ import annotations

import json

import pytest

from ascendenv.report.printable import json_text, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain\ttext\nsecond 中文 é 🙂", "plain\ttext\nsecond 中文 é 🙂"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\rb\x00\x7f\x9b", r"a\rb\x00\x7f\x9b"),
        ("\u202egnp.exe\u2066x\u200f", r"\u202egnp.exe\u2066x\u200f"),
        ("\ud800half", r"\ud800half"),
        ("\ufeffmark\u2028line\ufffe", r"\ufeffmark\u2028line\ufffe"),
        (r"\x1b as text", r"\x1b as text"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_json_loses_nothing_and_prints_no_control_character() -> None:
    value = {"a\x9b": ["\x1b[2J\ud800\u202e\x7f", "中文", 1, None]}

    text = json_text(value)

    assert json.loads(text) == value
    assert not {"\x1b", "\x9b", "\x7f", "\ud800", "\u202e"} & set(text)
    assert "中文" in text
