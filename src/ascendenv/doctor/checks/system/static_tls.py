"""A library that needs static thread-local storage was loaded too late."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals


class StaticTls(Check):
    """A library was loaded too late for its static thread-local storage, usually libgomp on aarch64."""

    id = "SYS003"
    causes = ("libgomp-static-tls",)
    rank = 6

    def check(self, signals: Signals, libc: str | None = None) -> Iterator[Finding]:
        """The loader's words about the static TLS block."""
        found = signals.of("static-tls")
        if not found:
            return
        path = _path_of(found[0])
        name = PurePosixPath(path).name if path else "libgomp.so.1"
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say(
                "{library} was loaded too late: its static thread-local storage is used up", library=name
            ),
            observed=say("the loader could not give {library} memory in the static TLS block", library=name),
            expected=say("{library} loaded at the start of the process", library=name),
            why=say(
                "the loader reserves a small fixed block for such libraries when a process starts; on aarch64 with"
                " an older glibc it is full once torch, OpenCV or scikit-learn are loaded. glibc here: {libc}",
                libc=libc or say("not told"),
            ),
            evidence=(one.evidence for one in found),
            fix=_steps(path or name),
            sources=("glibc elf/dl-reloc.c", "Ascend/pytorch issue 7", "PaddlePaddle/Paddle issue 75721"),
        )


def _path_of(signal: Signal) -> str:
    return signal.get("path") or signal.get("library")


def _steps(path: str) -> tuple[Fix, ...]:
    absolute = path if path.startswith("/") else f"$(find / -name '{path}' 2>/dev/null | head -1)"
    return (
        Fix(
            f"export LD_PRELOAD={absolute}${{LD_PRELOAD:+:$LD_PRELOAD}}",
            say("loads it first; give exactly the file that the message names"),
        ),
        Fix(
            "export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384",
            say("or reserve a larger block, with glibc 2.32 and newer"),
        ),
        Fix(note=say("or import the library that needs it before torch in the script")),
    )
