"""The data itself, whoever wrote it: every file of `matrix/signals` and `matrix/error_codes`."""

from __future__ import annotations

import shutil
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from tests.bench.logs import noisy_log

from ascendenv.doctor.catalogue import catalogue
from ascendenv.resources import data_folder
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.codes import known_codes
from ascendenv.signals.compile import compile_signals
from ascendenv.signals.pieces import MARGIN, PIECE
from ascendenv.signals.scan import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.signals.catalogue import Pattern

FOLDER = Path(data_folder("matrix")) / "signals"
FILES = sorted(FOLDER.glob("*.yaml"))
PATTERNS = shipped_catalogue().patterns
LONGEST = PIECE + 2 * MARGIN
SECONDS = 0.25
"""More than any expression may take for the longest text that it is given."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_pattern_is_valid_and_its_examples_hold(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path)
    compile_signals(tmp_path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_entries_with_one_id_capture_the_same_kind_of_thing(path: Path) -> None:
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")) or []:
        if entry["id"] == "error-code":
            assert "code" in entry.get("fields", {}) or "(?P<code>" in entry["match"]


def _hard_texts(anchor: str) -> Iterator[str]:
    for filler in ("a", " ", "1", "/", "a ", "a.", ": "):
        run = filler * (LONGEST // len(filler))
        half = (LONGEST - len(anchor)) // 2
        yield run[:half] + anchor + run[:half]
        yield run[: LONGEST - len(anchor)] + anchor
        yield ((anchor + filler) * LONGEST)[:LONGEST]


def _stop(*_: object) -> None:
    raise TimeoutError


@pytest.mark.parametrize("number", range(len(PATTERNS)), ids=lambda number: f"{PATTERNS[number].id}-{number}")
def test_no_expression_is_slow_on_hard_text(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern: Pattern = PATTERNS[number]
    before = signal.signal(signal.SIGALRM, _stop)
    try:
        for anchor in pattern.anchors[:1]:
            for text in _hard_texts(anchor):
                signal.setitimer(signal.ITIMER_REAL, 5)
                began = time.process_time()
                pattern.find(text)
                assert time.process_time() - began < SECONDS, text[:60]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_ordinary_lines_mean_nothing_and_are_soon_hardly_looked_at() -> None:
    scanner = Scanner(shipped_catalogue(), "log")
    log = noisy_log(4 << 20)
    for start in range(0, len(log), 1 << 20):
        scanner.feed(log[start : start + (1 << 20)])
    hits = scanner._catalogue.matcher.find(log)
    common = {scanner._catalogue.anchors[number] for _, number in hits}
    assert len(hits) * 100 < log.count(b"\n"), common
    assert scanner.tally.signals().items == ()


def test_every_cause_of_a_code_has_a_check() -> None:
    named = {cause for check in catalogue() for cause in check.causes}
    assert {cause for code in known_codes().values() for cause in code.causes} - named == set()
