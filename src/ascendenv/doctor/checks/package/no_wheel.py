"""A Python or a processor for which there is no wheel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

SOURCES = ("vllm-project/vllm-ascend#3657", "Ascend/pytorch#38", "pip documentation")
_TAGS = re.compile(r"-(?P<python>cp\d+|py\d[\w.]*)-(?P<abi>\w+)-(?P<platform>[\w.]+)\.whl$")
_ARCHES = ("aarch64", "x86_64")


class NoWheel(Check):
    """The package has no wheel for this Python version or processor."""

    id = "PKG001"
    causes = ("python-no-wheel",)
    rank = 8

    def check(
        self,
        matrix: Matrix,
        signals: Signals,
        python: Version | None = None,
        arch: str | None = None,
        torch_npu: Version | None = None,
    ) -> Iterator[Finding]:
        """A wheel that is refused, and demands on the Python version that are not met."""
        for signal in signals.of("pip-no-wheel", "requires-python", "wheel-tags-unmatched"):
            why = _mismatch(signal.get("wheel"), python, arch) if signal.id == "pip-no-wheel" else None
            yield self._finding(signal, why, _other_python(matrix, torch_npu, arch))

    def _finding(self, signal: Signal, why: Message | None, fix: tuple[Fix, ...]) -> Finding:
        return self.finding(
            confidence=Confidence.CERTAIN if why is not None else Confidence.LIKELY,
            title=say("This Python or processor is not one that the package is built for"),
            observed=described(signal),
            expected=say("a Python version for which the package has a wheel"),
            why=why
            or say(
                "torch_npu and the frameworks on it come as compiled wheels, one for each Python version and processor; "
                "where none fits there is nothing to install"
            ),
            evidence=[signal.evidence],
            fix=fix,
            sources=SOURCES,
        )


def _mismatch(wheel: str, python: Version | None, arch: str | None) -> Message | None:
    """What does not fit between the tags of the wheel and this box; None when the tags fit or nothing is known."""
    tags = _TAGS.search(wheel)
    if tags is None:
        return None
    built_for = next((one for one in _ARCHES if one in tags["platform"]), None)
    if arch and built_for and arch != built_for:
        return say("the wheel is for {wheel}, the processor is {arch}", wheel=built_for, arch=arch)
    wanted = "cp" + "".join(str(part) for part in python.release[:2]) if python is not None else None
    if wanted and tags["python"].startswith("cp") and tags["python"] != wanted:
        return say("the wheel is for {wheel}, this is Python {python}", wheel=tags["python"], python=python)
    return None


def _other_python(matrix: Matrix, torch_npu: Version | None, arch: str | None) -> tuple[Fix, ...]:
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else matrix.torch_npu_for(arch=arch)
    tags = release.wheels.get(arch or "aarch64", ()) if release is not None else ()
    pythons = ", ".join(f"{tag[2]}.{tag[3:]}" for tag in tags if tag.startswith("cp"))
    version = "3.11" if not tags or "cp311" in tags else f"{tags[-1][2]}.{tags[-1][3:]}"
    return (
        Fix(
            f"conda create -y -n npu python={version} && conda activate npu",
            say(
                "torch_npu {version} has wheels for Python {pythons}",
                version=release.version,
                pythons=pythons,
            )
            if release is not None and pythons
            else say("Python 3.10 and 3.11 are served by all current releases"),
        ),
        Fix("python3 -m pip debug --verbose | head -40", say("lists the tags that this pip accepts")),
    )
