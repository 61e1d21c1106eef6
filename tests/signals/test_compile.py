from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ascendenv.signals.compile import compile_error_codes, compile_signals, compile_symbols
from ascendenv.signals.sources import UnusableSource

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
- id: undefined-symbol
  any: ["undefined symbol: "]
  match: 'undefined symbol: (?P<symbol>\\w+)'
  source: ["glibc"]
  examples: ["undefined symbol: aclInit"]
  counterexamples: ["undefined symbol: "]
"""


def _mistakes(folder: Path, text: str) -> list[str]:
    (folder / "area.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UnusableSource) as caught:
        compile_signals(folder)
    return [f"{one.where} {one.text}" for one in caught.value.mistakes]


def test_a_good_entry_keeps_what_is_needed_at_run_time(tmp_path: Path) -> None:
    (tmp_path / "area.yaml").write_text(GOOD, encoding="utf-8")
    assert json.loads(compile_signals(tmp_path)) == {
        "patterns": [
            {
                "id": "undefined-symbol",
                "any": ["undefined symbol: "],
                "match": r"undefined symbol: (?P<symbol>\w+)",
                "needs": "undefined symbol: ",
            }
        ]
    }


def test_no_files_are_no_patterns(tmp_path: Path) -> None:
    assert json.loads(compile_signals(tmp_path)) == {"patterns": []}


BAD = [
    (GOOD.replace('  source: ["glibc"]\n', ""), "area.yaml:1 source is missing"),
    (GOOD.replace('aclInit"', '"'), "area.yaml:5 must match: undefined symbol: "),
    (GOOD.replace("(?P<symbol>", "(?P<symbol>("), "area.yaml:3 no regular expression: "),
    (
        GOOD.replace('any: ["undefined symbol: "]', 'any: ["un"]'),
        "area.yaml:2 'un' must be 3 bytes or longer",
    ),
    (GOOD.replace('any: ["undefined symbol: "]', "any: []"), "area.yaml:2 any must not be empty"),
    (GOOD.replace('any: ["undefined symbol: "]', "any: text"), "area.yaml:2 any must be a list of text"),
    (GOOD.replace("undefined-symbol", "UndefinedSymbol"), "area.yaml:1 the id must be lower-case"),
    (GOOD + "  colour: red\n", "area.yaml:7 colour is no known key"),
    (GOOD + '  fields: {code: "drv:{number}"}\n', "area.yaml:7 code: the expression has no group number"),
    (GOOD + "  fields: [code]\n", "area.yaml:7 fields must map names to text"),
    (GOOD + "  wraps: sometimes\n", "area.yaml:7 wraps must be true or false"),
    (GOOD + "  id: other\n", "area.yaml:7 id is given twice"),
    ("id: alone\n", "area.yaml:1 the file must be a list"),
    ("- just text\n", "area.yaml:1 the entry must be a mapping"),
    ("- id: [\n", "area.yaml:2 not readable: "),
]


@pytest.mark.parametrize(("text", "expected"), BAD)
def test_a_mistake_is_shown_where_it_stands(tmp_path: Path, text: str, expected: str) -> None:
    assert [one for one in _mistakes(tmp_path, text) if one.startswith(expected)]


def test_a_counterexample_that_matches_is_a_mistake(tmp_path: Path) -> None:
    text = GOOD.replace('counterexamples: ["undefined symbol: "]', 'counterexamples: ["undefined symbol: x"]')
    assert _mistakes(tmp_path, text) == ["area.yaml:6 must not match: undefined symbol: x"]


def test_all_mistakes_are_shown_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("aclInit", "") + GOOD.replace("source", "sources")
    assert len(_mistakes(tmp_path, text)) == 3


CODE = """\
- code: "507033"
  name: "ACL_ERROR_RT_DEV_SETUP_ERROR"
  component: runtime
  meaning: "device start-up failed"
  zh: "设备启动失败"
  causes: [tsd-open-failed]
  inner: ["0x7010001"]
  source: "a header"
"""


def test_error_codes_are_compiled(tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(CODE, encoding="utf-8")
    assert [one["code"] for one in json.loads(compile_error_codes(tmp_path))["codes"]] == ["507033"]


BAD_CODES = [
    (CODE.replace('"507033"', "507033"), "runtime.yaml:1 code must be text in quotes"),
    (CODE.replace('  zh: "设备启动失败"\n', ""), "runtime.yaml:1 zh is missing"),
    (CODE + "  colour: red\n", "runtime.yaml:9 colour is no known key"),
    (CODE.replace("[tsd-open-failed]", "tsd-open-failed"), "runtime.yaml:6 causes must be a list of text"),
    (CODE + CODE, "runtime.yaml:9 507033 stands at runtime.yaml:1 already"),
    (CODE + CODE.replace("507033", "507034"), "runtime.yaml:9 0x7010001 stands at runtime.yaml:1 already"),
]


@pytest.mark.parametrize(("text", "expected"), BAD_CODES)
def test_a_mistake_in_a_code_is_shown(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "runtime.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UnusableSource) as caught:
        compile_error_codes(tmp_path)
    assert expected in [f"{one.where} {one.text}" for one in caught.value.mistakes]


def test_a_mistake_in_a_symbol_rule_is_shown(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("- prefixes: acl\n  provider: cann\n", encoding="utf-8")
    with pytest.raises(UnusableSource) as caught:
        compile_symbols(tmp_path)
    assert {one.text for one in caught.value.mistakes} == {
        "source is missing",
        "source must be text",
        "prefixes must be a list of text",
    }
