"""A library of the CANN toolkit cannot be opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.broken_link import repair_link
from ascendenv.doctor.checks.cann.loader_lines import faults
from ascendenv.doctor.checks.cann.repairs import install_same_cann, pair_torch_npu
from ascendenv.doctor.checks.cann.roots import is_sourced
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.doctor.observed import looked_at
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["CannLibraryNotFound"]

_SHELL = ("non-login-shell", "environment-in-bashrc", "works-in-other-shell")
_ABSENT = ("npu-smi-not-found", "driver-folder-missing", "cann-told-missing", "set-env-not-found")
_BROKEN = ("cann-link-broken", "cann-folder-empty", "cann-path-not-found")


class CannLibraryNotFound(Check):
    """A library of the CANN toolkit cannot be opened."""

    id = "CAN001"
    causes = (
        "cann-env-not-sourced",
        "cann-missing",
        "cann-symlink-broken",
        "cann-lib-missing",
        "torch-npu-cann-mismatch",
    )
    consequence_of = ("CAN003",)
    rank = 6

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The library is missing because of the shell, the installation or the release."""
        seen = faults(signals, "cann-library-missing", "cann-part-missing", "cann-package-not-found")
        if not seen:
            return
        names = tuple(dict.fromkeys(one.get("library") for one in seen if one.get("library")))
        scene = Scene(signals, facts, matrix, names)
        yield from weigh(
            self,
            scene.hypotheses(),
            observed=say("cannot be opened: {libraries}", libraries=", ".join(names) or "CANN"),
            evidence=[one.evidence for one in seen],
            sources=[
                "Ascend/pytorch:docs/zh/installation_guide/faq.md",
                "vllm-project/vllm-ascend:docs/source/faqs.md",
            ],
        )


@dataclass(frozen=True)
class Scene:
    """What is known about the box on which `names` could not be opened."""

    signals: Signals
    facts: HostFacts
    matrix: Matrix
    names: tuple[str, ...]

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The explanations: those of the release, then those of the shell and the installation."""
        part = self.part_missing()
        if self.bare:
            return (self.not_installed(),)
        shell = (self.left_out(), self.not_sourced(), self.not_installed(), self.link_broken())
        return (part, *shell) if part.supported else (*shell, part)

    def left_out(self) -> Hypothesis:
        """The release itself no longer has the library."""
        signals = faults(self.signals, "library-left-out-of-cann")
        cann = known(self.facts.cann)
        supported: bool | None = False
        if {one.get("library") for one in signals}.issuperset(self.names) and signals:
            since = vendor(signals[0].get("since"))
            supported = (self.asked_by_torch_npu() or None) if cann is None else cann >= since
        return Hypothesis(
            "torch-npu-cann-mismatch",
            say("This CANN no longer ships a library that torch_npu was linked with"),
            supported=supported,
            because=say(
                "CANN {since} left it out; torch_npu builds from before that release are linked with it.",
                since=signals[0].get("since") if signals else "?",
            ),
            ask=say("which CANN is it: cat /usr/local/Ascend/cann/*-linux/ascend_toolkit_install.info"),
            fix=pair_torch_npu(self.matrix, self.facts),
        )

    def part_missing(self) -> Hypothesis:
        """The toolkit is found, this library of it is not."""
        supported: bool | None = None
        if self.sourced and self.names:
            supported = not self.left_out().supported and not self.signals.of(*_BROKEN)
        elif self.only_parts():
            supported = None if self.signals.of(*_SHELL) else True
        return Hypothesis(
            "cann-lib-missing",
            say("The CANN toolkit is found, but a library is missing from it"),
            supported=supported,
            because=say(
                "Other libraries of the toolkit are found: the package set is incomplete, or older than what needs it."
            ),
            ask=say(
                "is the file there: find -L $ASCEND_HOME_PATH -name '{library}'",
                library=(*self.names, "lib*.so")[0],
            ),
            fix=self.installation(),
        )

    def not_sourced(self) -> Hypothesis:
        """The toolkit is there, this shell does not know it."""
        supported = None if self.sourced is None else not self.sourced
        if not self.sourced:
            hints = self.signals.of(*_SHELL, "image-named")
            supported = True if hints or self.installed else None
        return Hypothesis(
            "cann-env-not-sourced",
            say("set_env.sh of the CANN toolkit was not sourced in this shell"),
            supported=supported,
            because=say("The loader finds the toolkit only through the variables that set_env.sh sets."),
            ask=say("does it work after: source /usr/local/Ascend/ascend-toolkit/set_env.sh"),
            fix=(source_cann(known(self.facts.cann)), _permanently()),
            evidence=self.lines(*_SHELL),
        )

    def not_installed(self) -> Hypothesis:
        """There is no toolkit at all."""
        supported = None if not self.installed and not self.sourced else False
        if self.bare or (self.signals.of(*_ABSENT) and not self.signals.of("works-in-other-shell")):
            supported = True
        return Hypothesis(
            "cann-missing",
            say("The CANN toolkit is not installed here"),
            supported=supported,
            because=say("torch_npu needs the libraries of the toolkit as soon as it is imported."),
            ask=say("is there a toolkit: ls -d /usr/local/Ascend/*/ ~/Ascend/*/"),
            fix=(*self.installation(), _without_npu()),
            evidence=self.lines(*_ABSENT),
        )

    def link_broken(self) -> Hypothesis:
        """The link that set_env.sh goes through leads to nothing."""
        return Hypothesis(
            "cann-symlink-broken",
            say("The link to the current CANN toolkit leads to nothing"),
            supported=True if self.signals.of(*_BROKEN) else None,
            because=say("set_env.sh and the variables go through this link."),
            ask=say(
                "does the link hold: ls -L /usr/local/Ascend/cann /usr/local/Ascend/ascend-toolkit/latest"
            ),
            fix=repair_link(),
            evidence=self.lines(*_BROKEN),
        )

    def only_parts(self) -> bool:
        """Whether no library is missing but such as later releases split off, left out or added."""
        parts = {one.get("library") for one in faults(self.signals, "cann-part-missing")}
        gone = {one.get("library") for one in faults(self.signals, "library-left-out-of-cann")}
        return bool(parts) and (parts | gone).issuperset(self.names)

    def asked_by_torch_npu(self) -> bool:
        """Whether torch_npu got so far: it asks for libhccl.so first, so the toolkit itself was found."""
        return bool(self.signals.of("torch-npu-frame", "backend-load-failed"))

    @property
    def sourced(self) -> bool | None:
        """Whether the shell of the report had the toolkit in its variables."""
        return is_sourced(known(self.facts.environment))

    @property
    def bare(self) -> bool:
        """Whether the box itself was looked at and no toolkit was found on it."""
        return looked_at(self.facts) and not self.installed and not self.sourced

    @property
    def installed(self) -> bool:
        """Whether a toolkit was seen on the box."""
        return bool(known(self.facts.cann) or known(self.facts.cann_installs))

    def installation(self) -> tuple[Fix, ...]:
        """The steps that install the toolkit this box needs."""
        return install_same_cann(self.matrix, self.facts)

    def lines(self, *ids: str) -> tuple[Evidence, ...]:
        """The lines of the signals with these ids."""
        return tuple(one.evidence for one in self.signals.of(*ids))


def _permanently() -> Fix:
    return Fix(
        run="echo 'source /usr/local/Ascend/ascend-toolkit/set_env.sh' > /etc/profile.d/ascend.sh",
        note=say(
            "for login shells; an image needs it as ENV or in its entry point, "
            "because ~/.bashrc is skipped by docker exec, ssh commands, cron and systemd"
        ),
        needs_root=True,
    )


def _without_npu() -> Fix:
    return Fix(
        run="export TORCH_DEVICE_BACKEND_AUTOLOAD=0",
        note=say("on a machine that is meant to have no NPU: keeps torch from loading torch_npu by itself"),
    )
