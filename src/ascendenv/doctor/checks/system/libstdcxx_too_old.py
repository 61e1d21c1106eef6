"""An older C++ runtime is found first on the path."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.system.nodes import newest_node, nodes_missing, of_gpu_only_code
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import RuntimeLibrary
    from ascendenv.signals.model import Signals

_NODES = ("GLIBCXX_", "CXXABI_", "GCC_", "GOMP_", "OMP_")


class LibstdcxxTooOld(Check):
    """The C++ runtime that is found first is older than a library needs."""

    id = "SYS002"
    causes = ("libstdcxx-too-old",)
    rank = 6

    def check(
        self, signals: Signals, runtime_libraries: tuple[RuntimeLibrary, ...] | None = None
    ) -> Iterator[Finding]:
        """A `GLIBCXX_x` or `CXXABI_x` node that the loader did not find."""
        found = [one for one in nodes_missing(signals, *_NODES) if not of_gpu_only_code(one)]
        if not found:
            return
        node, loaded = newest_node(found), next((path for one in found if (path := one.get("path"))), "")
        name = PurePosixPath(found[0].get("library") or "libstdc++.so.6").name
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say("An older C++ runtime ({library}) is loaded first", library=name),
            observed=say("{library} has no {node}", library=loaded or name, node=node),
            expected=say("a {library} that has {node}", library=name, node=node),
            why=say(
                "Python has already loaded the C++ runtime of one place (system, conda or an old LD_LIBRARY_PATH),"
                " and a library built with a newer GCC needs symbols that only a newer runtime has"
            ),
            evidence=(one.evidence for one in found),
            fix=(*_with_copy(node, runtime_libraries or ()), *_steps(name, node)),
            sources=("glibc elf/dl-version.c", "GCC manual: ABI policy of libstdc++"),
        )


def _with_copy(node: str, copies: tuple[RuntimeLibrary, ...]) -> tuple[Fix, ...]:
    """The step that loads a copy of this very box that has the node, where the collector saw one."""
    kind, _, wanted = node.partition("_")
    for copy in copies:
        newest = copy.nodes.get(kind, "")
        if newest and _numbers(newest) >= _numbers(wanted):
            return (Fix(f"export LD_PRELOAD={copy.path}", say("this copy has it: {newest}", newest=newest)),)
    return ()


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]


def _steps(name: str, node: str) -> tuple[Fix, ...]:
    return (
        Fix(
            f"for f in $(find / -name '{name}*' -type f 2>/dev/null); do"
            f" strings $f | grep -qx {node} && echo $f; done",
            say("lists the copies that have {node}", node=node),
        ),
        Fix(
            f"export LD_PRELOAD=$CONDA_PREFIX/lib/{name}",
            say("puts the newer copy first; write the path that the first step showed"),
        ),
        Fix(
            "conda install -c conda-forge 'libstdcxx-ng>=12'",
            say("in a conda environment, when no copy is new enough"),
        ),
    )
