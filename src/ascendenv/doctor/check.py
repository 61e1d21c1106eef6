"""What a check is: a small class that asks for facts by parameter name and yields findings.

    class MissingNnal(Check):
        '''libatb.so of NNAL is not installed or not on the path.'''

        id = "ATB001"
        causes = ("nnal-missing",)

        def check(self, signals: Signals, cann: Version | None = None) -> Iterator[Finding]:
            for signal in signals.of("missing-library"):
                if signal.get("library").startswith("libatb"):
                    yield self.finding(...)

A parameter without default must be known, or the check is skipped and the reason is listed. A parameter with the
default None is asked for, but the check runs without it. Beside the fields of `HostFacts`, a check may ask for
`matrix`, `facts` (the whole record) and `now`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ascendenv.doctor.finding import Confidence, Finding, Fix, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.language import Message

__all__ = ["Check"]


class Check:
    """One problem that the doctor knows. Its docstring is the one-line summary shown in lists."""

    id: ClassVar[str]
    """Family letters and a number; never reused, never changes meaning."""
    causes: ClassVar[tuple[str, ...]]
    """Slugs of the cause taxonomy that this check may name; the first is the usual one."""
    consequence_of: ClassVar[tuple[str, ...]] = ()
    """Ids of checks whose finding explains this one: where one of them fired with at least the same confidence, this
    check's findings are marked `because_of` it."""
    last_resort: ClassVar[bool] = False
    """Whether the check only runs where no other check found more than advice: it knows less, but more than nothing."""
    rank: ClassVar[int] = 0
    """Orders findings of equal severity and confidence; more specific problems have a higher number."""

    if TYPE_CHECKING:
        check: Callable[..., Iterator[Finding]]
        """Yields a finding for each occurrence of the problem; each check declares the facts it asks for."""

    def finding(  # one keyword a field of the finding
        self,
        *,
        title: Message,
        observed: Message,
        confidence: Confidence = Confidence.LIKELY,
        severity: Severity = Severity.ERROR,
        cause: str | None = None,
        expected: Message | None = None,
        why: Message | None = None,
        evidence: Iterable[Evidence] = (),
        fix: Iterable[Fix] = (),
        sources: Iterable[str] = (),
        rank: int | None = None,
    ) -> Finding:
        """A finding of this check; `cause` is the first of `causes` unless named."""
        return Finding(
            id=self.id,
            cause=cause or self.causes[0],
            severity=severity,
            confidence=confidence,
            title=title,
            observed=observed,
            expected=expected,
            why=why,
            evidence=tuple(dict.fromkeys(evidence)),
            fix=tuple(fix),
            sources=tuple(sources),
            rank=self.rank if rank is None else rank,
        )
