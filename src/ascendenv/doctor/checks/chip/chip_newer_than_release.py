"""CHP004: CANN or torch_npu of this box are older than its chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.chip.families import chip_of_box, first_cann_for
from ascendenv.doctor.checks.chip.newer import newer_release
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.versions import InvalidVersion, pep440

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.names import Chip
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

BROKEN = (
    "kernels-not-found",
    "operator-binary-missing",
    "platform-info-missing",
    "soc-unknown-to-kernels",
    "soc-refused",
)


class ChipNewerThanRelease(Check):
    """The chip came out after this CANN or torch_npu."""

    id = "CHP004"
    causes = ("chip-needs-newer-release",)
    consequence_of = ("CHP001",)
    rank = 10

    def check(self, facts: HostFacts, matrix: Matrix, signals: Signals | None = None) -> Iterator[Finding]:
        """Versions below the first that knows the chip; an error where something already fails for it."""
        chip = chip_of_box(matrix, facts)
        if chip is None:
            return
        first = first_cann_for(matrix, chip)
        late = _too_old(matrix, facts, chip, first)
        if late is None:
            yield from self._behind_servers(matrix, facts, chip)
            return
        broken = signals.of(*BROKEN) if signals else ()
        stopped = signals.of("error-code") if signals else ()
        without = _has_no_data(facts, chip)
        yield self.finding(
            title=say("The chip is newer than the software on this box"),
            observed=late,
            expected=say("CANN {version} or later", version=first) if first else None,
            why=say("an older release has no kernels and no entry for this chip"),
            severity=Severity.ERROR if broken or without or stopped else Severity.WARNING,
            confidence=Confidence.CERTAIN if broken or without else Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in (*broken, *stopped)),
                *facts.seen("chip")[:2],
                *facts.seen("cann", "torch_npu"),
                *(facts.seen("cann_platforms")[:2] if without else ()),
            ),
            fix=newer_release(matrix, facts, chip.family),
            sources=("the matrix: first release that knows the chip",),
        )

    def _behind_servers(self, matrix: Matrix, facts: HostFacts, chip: Chip) -> Iterator[Finding]:
        """CANN has kernels for the chip, but the frameworks of that time did not serve it yet: advice only."""
        cann, wanted = known(facts.cann), _cann_of_first_server(matrix, chip.family)
        if cann is None or wanted is None or cann >= wanted or cann.belongs_to(wanted):
            return
        yield self.finding(
            title=say("Frameworks serve this chip only with a later CANN"),
            observed=say("{chip} with CANN {cann}", chip=chip.name, cann=cann),
            expected=say("CANN {version} or later", version=wanted),
            why=say(
                "vllm-ascend serves {chip} since the release for that CANN; earlier ones are for 910B",
                chip=chip.name,
            ),
            severity=Severity.INFO,
            confidence=Confidence.POSSIBLE,
            evidence=(*facts.seen("chip")[:2], *facts.seen("cann")),
            fix=newer_release(matrix, facts, chip.family),
            sources=("vllm-ascend: docs/source/faqs.md, versioning_policy.md",),
        )


def _has_no_data(facts: HostFacts, chip: Chip) -> bool:
    """Whether the toolkit in use was looked into and has no platform data for this chip, e.g. no Ascend950PR*.ini."""
    platforms = known(facts.cann_platforms)
    return bool(platforms) and not any(name.startswith(chip.name) for name in platforms or ())


def _too_old(matrix: Matrix, facts: HostFacts, chip: Chip, first_cann: Version | None) -> Message | None:
    cann, torch_npu = known(facts.cann), known(facts.torch_npu)
    if cann is not None and first_cann is not None and cann < first_cann and not cann.belongs_to(first_cann):
        return say("{chip} with CANN {cann}", chip=chip.name, cann=cann)
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else None
    family = matrix.family(chip.family)
    first = family.first_torch_npu_product if family else None
    if release is not None and release.product is not None and first is not None and release.product < first:
        return say("{chip} with torch_npu {torch_npu}", chip=chip.name, torch_npu=torch_npu)
    server = _vllm_ascend(facts)
    if server is not None and family is not None and family.first_vllm_ascend is not None:
        return (
            say("{chip} with vllm-ascend {version}", chip=chip.name, version=server)
            if server < family.first_vllm_ascend
            else None
        )
    return None


def _vllm_ascend(facts: HostFacts) -> Version | None:
    """The vllm-ascend that is installed, or that the tag of its image names."""
    packages = known(facts.packages)
    installed = packages.get("vllm-ascend") if packages is not None else None
    named = [
        one.get("version")
        for one in (facts.signals.of("image-named") if facts.signals else ())
        if "vllm-ascend" in one.get("repository")
    ]
    return next(
        (
            version
            for text in (*([installed.version] if installed else []), *named)
            if (version := _read(text))
        ),
        None,
    )


def _read(text: str) -> Version | None:
    try:
        return pep440(text)
    except InvalidVersion:
        return None


def _cann_of_first_server(matrix: Matrix, family: str) -> Version | None:
    """The CANN of the first vllm-ascend that serves the family."""
    row, used = matrix.family(family), matrix.downstream.get("vllm-ascend")
    if row is None or row.first_vllm_ascend is None or used is None:
        return None
    return next((one.cann for one in used.releases if _read(one.version) == row.first_vllm_ascend), None)
