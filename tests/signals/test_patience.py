"""What a log says again and again without meaning anything is given up, and what it says once is not lost by that."""

from __future__ import annotations

from ascendenv.signals.catalogue import Catalogue, Pattern
from ascendenv.signals.scan import PATIENCE, Scanner, scan

DRIVER = Pattern("driver-absent", ("driver",), r"driver (?:is )?absent")
CODE = Pattern("error-code", ("error code",), r"error code is (?P<code>[1-9]\d+)")
BOTH = Catalogue((DRIVER, CODE))


def test_a_pattern_that_never_matches_is_given_up() -> None:
    scanner = Scanner(BOTH, "log")
    scanner.feed(b"driver ok\n" * (PATIENCE + 1))
    scanner.feed(b"driver is absent\nerror code is 507033\n")
    assert [one.id for one in scanner.tally.signals()] == ["error-code"]


def test_a_pattern_that_matched_is_kept() -> None:
    text = b"driver is absent\n" + b"driver ok\n" * (PATIENCE * 2) + b"driver absent\n"
    assert [one.count for one in scan(text, "log", BOTH)] == [2]


def test_codes_are_never_given_up() -> None:
    text = b"error code is 0\n" * (PATIENCE * 2) + b"error code is 507033\n"
    assert [one.fields["code"] for one in scan(text, "log", BOTH)] == ["507033"]


def test_line_numbers_hold_when_a_pattern_is_given_up() -> None:
    scanner = Scanner(BOTH, "log")
    for _ in range(3):
        scanner.feed(b"driver ok\n" * PATIENCE)
    scanner.feed(b"error code is 107001\n")
    assert [one.evidence.where for one in scanner.tally.signals()] == [f"log:{PATIENCE * 3 + 1}"]
