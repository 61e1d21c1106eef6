"""Waivers: findings that somebody has looked at and accepted, with a reason and until a day.

A waived finding is shown as such and does not count; so does one that only follows from waived ones. After its last
day a waiver waives nothing any more, and the finding says so.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic reads the annotations)
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from ascendenv.doctor.verdict import verdict_of
from ascendenv.facts.chips import chip_family, chip_named
from ascendenv.facts.model import OsRelease
from ascendenv.facts.unknown import Unknown
from ascendenv.language import say
from ascendenv.matrix.fields import PythonRange, VendorRange, Written, YesNo
from ascendenv.matrix.rows.base import Row
from ascendenv.versions import Version, VersionRange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.doctor.finding import Finding
    from ascendenv.doctor.verdict import Verdict
    from ascendenv.facts.model import HostFacts

__all__ = ["BoxCondition", "Match", "Review", "Waiver", "WaiverRow", "review", "verdict_of_review"]


def _text(text: str) -> str:
    if not text.strip():
        raise ValueError(say("this must not be empty"))
    return text.strip()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(say("write the day as 2026-11-29")) from None


Said = Annotated[str, Written(_text)]
Day = Annotated[date, Written(_day)]


@dataclass(frozen=True, kw_only=True)
class BoxCondition(Row):
    """What must be known of a box for a waiver to hold; versions as ranges, `chip` a chip or a family."""

    chip: Said | None = None
    driver: VendorRange | None = None
    firmware: VendorRange | None = None
    cann: VendorRange | None = None
    torch: PythonRange | None = None
    torch_npu: PythonRange | None = None
    python: PythonRange | None = None
    arch: Literal["aarch64", "x86_64"] | None = None
    os: Said | None = None
    in_container: YesNo | None = None

    def holds(self, facts: HostFacts) -> bool:
        """Whether the box is such a one; what is not known of it is not taken for granted."""
        wanted = {one.name: getattr(self, one.name) for one in fields(self)}
        return all(
            _fits(name, value, getattr(facts, name)) for name, value in wanted.items() if value is not None
        )


@dataclass(frozen=True, kw_only=True)
class WaiverRow(Row):
    """One entry of a waiver file: a check's id, a cause, or both; `until` is the last day on which it holds."""

    id: Said | None = None
    cause: Said | None = None
    when: BoxCondition | None = None
    reason: Said
    by: Said
    until: Day


@dataclass(frozen=True, kw_only=True)
class Waiver(WaiverRow):
    """An entry and the place where it stands, e.g. `waivers.yaml:3`."""

    where: str

    def covers(self, finding: Finding, facts: HostFacts) -> bool:
        """Whether this is about that finding on that box, whatever the day."""
        named = self.id in (None, finding.id) and self.cause in (None, finding.cause)
        return named and (self.when is None or self.when.holds(facts))


@dataclass(frozen=True)
class Match:
    """A finding and the waiver that is about it."""

    finding: Finding
    waiver: Waiver


@dataclass(frozen=True)
class Review:
    """A diagnosis of which the waived findings were taken out.

    `given` tells whether there was a waiver file at all. `expired` holds findings that are still in the diagnosis
    because their waiver ended; `unused` the waivers that are about nothing here.
    """

    diagnosis: Diagnosis
    given: bool = False
    waived: tuple[Match, ...] = ()
    expired: tuple[Match, ...] = ()
    unused: tuple[Waiver, ...] = ()


def review(diagnosis: Diagnosis, waivers: Sequence[Waiver], today: date) -> Review:
    """What `waivers` leave of `diagnosis` on that day."""
    about = [
        Match(finding, waiver)
        for finding in diagnosis.findings
        for waiver in waivers
        if waiver.covers(finding, diagnosis.facts)
    ]
    waived = _first_of_each(one for one in about if today <= one.waiver.until)
    waived = _with_consequences(diagnosis.findings, waived)
    expired = _first_of_each(one for one in about if one.finding not in waived)
    left = tuple(one for one in diagnosis.findings if one not in waived)
    used = [one.waiver for one in about]
    return Review(
        replace(diagnosis, findings=left),
        given=True,
        waived=tuple(waived.values()),
        expired=tuple(expired.values()),
        unused=tuple(one for one in waivers if one not in used),
    )


def verdict_of_review(reviewed: Review) -> Verdict:
    """The verdict on what is left. A box of which all that was found is waived is judged, and as healthy as accepted."""
    verdict = verdict_of(reviewed.diagnosis)
    return "healthy" if verdict == "unknown" and reviewed.waived else verdict


def _first_of_each(matches: Iterable[Match]) -> dict[Finding, Match]:
    found: dict[Finding, Match] = {}
    for one in matches:
        found.setdefault(one.finding, one)
    return found


def _with_consequences(findings: Sequence[Finding], waived: Mapping[Finding, Match]) -> dict[Finding, Match]:
    """The waived findings and those that follow from nothing else, in the order of the diagnosis."""
    found = dict(waived)
    while more := {one: match for one in findings if (match := _follows(one, findings, found)) is not None}:
        found |= more
    return {one: found[one] for one in findings if one in found}


def _follows(finding: Finding, findings: Sequence[Finding], waived: Mapping[Finding, Match]) -> Match | None:
    """The waiver of that finding's root, where all its roots are waived."""
    if finding in waived or any(one.id in finding.because_of for one in findings if one not in waived):
        return None
    roots = (match.waiver for one, match in waived.items() if one.id in finding.because_of)
    return next((Match(finding, waiver) for waiver in roots), None)


def _fits(name: str, wanted: object, actual: object) -> bool:
    if isinstance(actual, Unknown):
        return False
    if isinstance(wanted, VersionRange):
        return isinstance(actual, Version) and wanted.contains(actual)
    if (compare := _COMPARED.get(name)) is not None:
        return compare(str(wanted), actual)
    return wanted == actual


def _same_chip(wanted: str, actual: object) -> bool:
    name = chip_named(wanted) or wanted
    return name in (actual, chip_family(str(actual)))


def _same_os(wanted: str, actual: object) -> bool:
    name, _, version = wanted.lower().partition(" ")
    if not isinstance(actual, OsRelease) or actual.id.lower() != name:
        return False
    return f"{actual.version or ''}.".lower().startswith(f"{version}.") if version else True


_COMPARED: Mapping[str, Callable[[str, object], bool]] = {"chip": _same_chip, "os": _same_os}
