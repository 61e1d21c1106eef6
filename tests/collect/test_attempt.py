"""A probe that breaks or hangs costs itself only."""

from __future__ import annotations

import time
from typing import Any

from ascendenv.collect.probes.attempt import attempt


def broken() -> dict[str, Any]:
    message = "no such table"
    raise KeyError(message)


def hanging() -> dict[str, Any]:
    time.sleep(30)
    return {}


def test_a_record_is_handed_on() -> None:
    assert attempt(lambda: {"a": 1}) == {"a": 1}


def test_a_broken_probe_leaves_its_last_words() -> None:
    assert attempt(broken) == {"failed": "KeyError: 'no such table'"}


def test_a_hanging_probe_is_left_behind() -> None:
    started = time.monotonic()

    assert attempt(hanging, 0.2) == {"failed": "no answer within 0.2 seconds"}
    assert time.monotonic() - started < 2
