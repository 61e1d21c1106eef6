"""Every sentence for users exists in English and Simplified Chinese, with the same places to fill in."""

from __future__ import annotations

import ast
import string
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

from ascendenv.language import language_of_locale, say, use_language

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "ascendenv"


def messages_in_code() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                text = node.args[0]
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                assert isinstance(text, ast.Constant), f"{where}: no literal in say()"
                assert isinstance(text.value, str), f"{where}: no literal in say()"
                found[text.value] = where
    return found


def catalogue() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted((SOURCE / "locale" / "zh").glob("*.po")):
        with path.open("rb") as stream:
            found |= {
                str(message.id): str(message.string)
                for message in read_po(stream, locale="zh_CN")
                if message.id
            }
    return found


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_message_has_a_chinese_translation() -> None:
    translated = catalogue()

    missing = [f"{where}: {text}" for text, where in messages_in_code().items() if not translated.get(text)]

    assert not missing


def test_no_translation_outlives_its_message() -> None:
    used = messages_in_code()

    assert not [text for text in catalogue() if text not in used]


def test_translations_keep_the_places_to_fill_in() -> None:
    wrong = [text for text, chinese in catalogue().items() if places(text) != places(chinese)]

    assert not wrong


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh_TW"}, "zh"),
    ],
)
def test_the_locale_chooses_the_language(environment: dict[str, str], language: str) -> None:
    assert language_of_locale(environment) == language


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh")
    yield
    use_language("en")


@pytest.mark.usefixtures("chinese")
def test_a_message_inside_a_message_is_translated_too() -> None:
    outer = say("To be sure: {question}", question=say("likely"))

    assert str(outer) == outer.text("zh")
    assert "likely" not in str(outer)
