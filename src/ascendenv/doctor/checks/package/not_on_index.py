"""A package or a development build that the configured index does not carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.requirements import Requirement, read_requirement, version_of
from ascendenv.doctor.checks.package.wheels import lacks_wheel
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

SOURCES = (
    "vllm-project/vllm-ascend:docs/source/installation.md",
    "vllm-project/vllm-ascend#1901",
    "Ascend/pytorch#18",
)


class NotOnIndex(Check):
    """The index that pip asks does not have this package or this version of it."""

    id = "PKG002"
    causes = ("package-not-on-index", "python-no-wheel", "x86-needs-cpu-torch-index")
    consequence_of = ("PKG003",)
    rank = 5

    def check(
        self, matrix: Matrix, signals: Signals, python: Version | None = None, arch: str | None = None
    ) -> Iterator[Finding]:
        """Each requirement that was not found; the matrix tells a missing wheel from a missing index."""
        placeholders = {row.name for row in matrix.placeholders}
        for wanted, (evidence, listed) in _not_found(signals).items():
            if wanted.name in placeholders:
                continue
            yield from weigh(
                self,
                _explanations(matrix, wanted, listed, signals, python=python, arch=arch),
                observed=say("pip found no {package}", package=wanted),
                evidence=evidence,
                sources=SOURCES,
            )


def _explanations(
    matrix: Matrix,
    wanted: Requirement,
    listed: str,
    signals: Signals,
    *,
    python: Version | None,
    arch: str | None,
) -> list[Hypothesis]:
    no_wheel = lacks_wheel(matrix, wanted, signals, python, arch)
    needs_cpu_index = wanted.name in {"torch", "torchvision", "torchaudio"} and "+cpu" in wanted.version
    return [
        Hypothesis(
            cause="x86-needs-cpu-torch-index",
            title=say("The CPU builds of torch are on PyTorch's own index"),
            supported=needs_cpu_index and arch != "aarch64",
            because=say("versions with +cpu are never on the default index"),
            fix=_with_cpu_index(matrix, wanted, arch),
        ),
        Hypothesis(
            cause="package-not-on-index",
            title=say("The configured package index does not have {package}", package=wanted),
            supported=_lacks_version(matrix, wanted, listed, no_wheel),
            because=_why_absent(matrix, wanted),
            ask=say("what does `pip config list` name as index, and does that index list the version?"),
            fix=_with_vendor_index(matrix, wanted),
        ),
        Hypothesis(
            cause="python-no-wheel",
            title=say("There is no wheel of {package} for this Python", package=wanted.name),
            supported=no_wheel,
            because=say("pip hides versions that have no wheel for the Python and processor in use"),
            ask=say("which Python is it (`python3 -V`), and which processor (`uname -m`)?"),
            fix=(Fix("conda create -y -n npu python=3.11 && conda activate npu"),),
        ),
    ]


def _not_found(signals: Signals) -> dict[Requirement, tuple[list[Evidence], str]]:
    """Each requirement that was not found: the lines that say so, and the versions that were."""
    found: dict[Requirement, tuple[list[Evidence], str]] = {}
    for signal in signals.of("pip-no-version", "uv-no-version", "package-told-unavailable"):
        text = signal.get("requirement") or signal.get("package")
        if signal.get("version"):
            text += f"=={signal.get('version')}"
        wanted = read_requirement(text)
        if wanted is not None:
            lines, listed = found.setdefault(wanted, ([], ""))
            found[wanted] = ([*lines, signal.evidence], listed or signal.get("versions"))
    return found


def _lacks_version(matrix: Matrix, wanted: Requirement, listed: str, no_wheel: bool | None) -> bool | None:
    if no_wheel:
        return False
    if listed and listed.strip() != "none":
        return True
    if wanted.name == "torch-npu" and wanted.pinned is not None:
        release = matrix.torch_npu.get(str(wanted.pinned))
        return True if release is None or not release.on_index else None
    return True if any(wanted.name in index.packages for index in matrix.package_indexes) else None


def _why_absent(matrix: Matrix, wanted: Requirement) -> Message:
    pinned = wanted.pinned
    if pinned is not None and (".dev" in wanted.version or pinned.local):
        return say("development builds are never on the default index, only on the vendor's")
    if wanted.name == "torch-npu" and pinned is not None and matrix.torch_npu.get(str(pinned)) is None:
        return say("no release of torch_npu has this version")
    return say("mirrors and company indexes often carry a part of the packages only, or lag behind")


def _with_vendor_index(matrix: Matrix, wanted: Requirement) -> tuple[Fix, ...]:
    index = next((one for one in matrix.package_indexes if wanted.name in one.packages), None)
    if index is None:
        return (
            Fix("pip config list", say("shows which index is asked")),
            Fix(f"pip index versions {wanted.name}", say("shows what it has")),
        )
    steps = [
        Fix(
            f"pip install '{wanted}' --extra-index-url {index.url}",
            say("the vendor's index, beside the default one"),
        )
    ]
    base = version_of(wanted.version)
    release = matrix.torch_npu_for(torch=base) if base is not None and wanted.name == "torch-npu" else None
    if release is not None:
        steps.append(
            Fix(f"pip install torch-npu=={release.version}", say("the released build of the same torch line"))
        )
    return tuple(steps)


def _with_cpu_index(matrix: Matrix, wanted: Requirement, arch: str | None) -> tuple[Fix, ...]:
    index = next((one for one in matrix.torch_indexes if arch is None or arch in one.arch), None)
    if index is None:
        return ()
    return (
        Fix(f"pip install '{wanted}' --extra-index-url {index.url}", say("PyTorch's index of CPU builds")),
    )
