"""How `ascendenv doctor` gives its answer: the form, and where it goes."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from ascendenv.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.cli.sharing import Personal
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Severity
    from ascendenv.doctor.waivers import Review
    from ascendenv.report.record import DiagnosisRecord

__all__ = ["Answer", "DoctorFormat", "FailOn"]


class DoctorFormat(str, Enum):
    """The forms of a diagnosis."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    PROMETHEUS = "prometheus"
    HTML = "html"


class FailOn(str, Enum):
    """The severity from which on a finding makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"

    @property
    def severity(self) -> Severity | None:
        """The severity; None for never."""
        from ascendenv.doctor.finding import Severity

        return None if self is FailOn.NEVER else Severity[self.name]


@dataclass(frozen=True)
class Answer:
    """A diagnosis on its way out. `files` names the files behind the places `log` and `report`.

    With `personal` it goes under pseudonyms.
    """

    review: Review
    checks: tuple[type[Check], ...]
    form: DoctorFormat
    fail_on: FailOn
    verbose: bool = False
    day: str = ""
    personal: Personal | None = None
    files: Mapping[str, str] = field(default_factory=dict)

    def give(self, output: str) -> None:
        """Print it, or write it whole to the file `output`; raises UnusableInput where that cannot be written."""
        if output == "-" and self.form is DoctorFormat.TEXT:
            from ascendenv.report.text import print_review

            print_review(self.review, sys.stdout, verbose=self.verbose)
            return
        from ascendenv.cli.output import write_text

        write_text(self._text(), output)

    def exit_code(self) -> ExitCode:
        """What the diagnosis means for a script."""
        from ascendenv.doctor.waivers import verdict_of_review

        severity = self.fail_on.severity
        findings = self.review.diagnosis.findings
        if severity is not None and any(one.severity >= severity for one in findings):
            return ExitCode.FINDINGS
        unknown = verdict_of_review(self.review) == "unknown"
        return ExitCode.NOTHING_CHECKED if unknown else ExitCode.GOOD

    def _text(self) -> str:
        if self.form is DoctorFormat.TEXT:
            import io

            from ascendenv.report.text import print_review

            stream = io.StringIO()
            print_review(self.review, stream, verbose=self.verbose)
            return stream.getvalue()
        return self._rendered(self._record())

    def _record(self) -> DiagnosisRecord:
        from ascendenv.report.record import reviewed_record

        record = reviewed_record(self.review)
        if self.personal is None:
            return record
        from ascendenv.cli.sharing import shared
        from ascendenv.collect.share_key import share_key

        return shared(record, self.personal, share_key())

    def _rendered(self, record: DiagnosisRecord) -> str:
        if self.form is DoctorFormat.JSON:
            from ascendenv.report.printable import json_text

            return json_text(record)
        if self.form is DoctorFormat.PROMETHEUS:
            from ascendenv.report.prometheus import prometheus_of

            return prometheus_of(record)
        from ascendenv.report.rule import rules_of

        rules = rules_of(self.checks)
        if self.form is DoctorFormat.JUNIT:
            from ascendenv.report.junit import junit_of

            return junit_of(record, rules, self.fail_on.severity)
        if self.form is DoctorFormat.SARIF:
            from ascendenv.report.sarif import sarif_of

            # The name of a file tells who keeps it.
            return sarif_of(record, rules, self.files if self.personal is None else {})
        from ascendenv.report.html import html_of

        return html_of(record, rules, day=self.day)
