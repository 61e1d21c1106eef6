"""DRV014: a .run package cannot be unpacked or is refused by its own check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import install_system_packages
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import OsRelease
    from ascendenv.signals.model import Signals


class PackageUnreadable(Check):
    """The package is damaged, or its signature is refused, or it cannot be unpacked here."""

    id = "DRV014"
    causes = ("installer-package-corrupt", "driver-install-tools-missing", "installer-signature-refused")
    consequence_of = ("DRV015",)
    rank = 10

    def check(self, signals: Signals, os: OsRelease | None = None) -> Iterator[Finding]:
        """A failed checksum is a broken download; a failed extraction alone usually means that tar is absent."""
        corrupt, unpack = signals.of("package-corrupt"), signals.of("installer-unpack-failed")
        refused = signals.of("package-signature-refused")
        if not corrupt and not unpack and not refused:
            return
        tar = [one for one in unpack if one.get("problem").startswith("tar")]
        yield from weigh(
            self,
            (
                _refused(seen=bool(refused)),
                _corrupt(seen=bool(corrupt), ruled_out=bool(tar or (refused and not corrupt))),
                _no_tar(os, seen=bool(tar), asked=bool(unpack) and not corrupt),
            ),
            observed=say("the installer cannot read its own package"),
            evidence=[one.evidence for one in (*refused, *corrupt, *unpack)],
            sources=("makeself header of the .run packages",),
            sure=Confidence.CERTAIN,
        )


def _corrupt(*, seen: bool, ruled_out: bool) -> Hypothesis:
    return Hypothesis(
        "installer-package-corrupt",
        say("The package is damaged, usually by an incomplete download"),
        False if ruled_out else seen or None,
        say("the checksum inside the package does not fit its content"),
        ask=say("does bash PACKAGE.run --check pass?"),
        fix=(
            Fix("bash Ascend-*.run --check; ls -l Ascend-*.run; sha256sum Ascend-*.run"),
            Fix(note=say("fetch the package again, whole and in binary mode, and compare its sha256")),
        ),
    )


def _no_tar(os: OsRelease | None, *, seen: bool, asked: bool) -> Hypothesis:
    return Hypothesis(
        "driver-install-tools-missing",
        say("The system has no tar or gzip, which the package needs to unpack itself"),
        True if seen else None if asked else False,
        say("the installer hides the message of the shell and only says that the extraction failed"),
        ask=say("do tar --version and gzip --version answer?"),
        fix=install_system_packages(os, apt="tar gzip", dnf="tar gzip"),
    )


def _refused(*, seen: bool) -> Hypothesis:
    return Hypothesis(
        "installer-signature-refused",
        say("The signature of the package or of its device images is refused"),
        seen,
        say(
            "the revocation list or signature mode of this machine is newer than, or differs from, the package"
        ),
        fix=(
            Fix(
                "tail -40 /var/log/ascend_seclog/ascend_install.log", say("names the image that was refused")
            ),
            Fix(
                note=say(
                    "take a package that is not older than the one installed before, from the vendor's site"
                )
            ),
        ),
    )
