"""The vendor's health report is read like a log, and nothing else of the vendor's is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.facts.live import LiveResult
from ascendenv.facts.model import HostFacts
from ascendenv.facts.unknown import known
from ascendenv.live.facts import with_live
from ascendenv.live.run import LiveRun
from ascendenv.live.tools import health_texts

if TYPE_CHECKING:
    from pathlib import Path

# `asys health -d=0` as the documentation of oam-tools shows it
WARNING = """
+-------------------+------------------------------+
| Device ID: 0      | Overall Health: Warning      |
|                   | ErrorCode Num: 1             |
+===================+==============================+
| 0xa419321c        | lp pmbus error               |
+-------------------+------------------------------+
"""
HEALTHY = WARNING.replace("Warning", "Healthy")


def tool(folder: Path, name: str, printed: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho called >> {folder}/{name}.calls\ncat <<'EOF'\n{printed}\nEOF\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(("printed", "sick"), [(WARNING, True), (HEALTHY, False)])
def test_the_report_becomes_signals(printed: str, sick: bool, tmp_path: Path) -> None:
    facts = HostFacts(evidence_tools=(tool(tmp_path, "ascend-dmi", ""), tool(tmp_path, "asys", printed)))

    texts = tuple(health_texts(facts, {"PATH": "/usr/bin:/bin"}))
    told = with_live(facts, LiveRun(LiveResult("python", None, "done", 1), texts))

    signals = known(told.signals)
    assert signals is not None
    assert [one.get("health") for one in signals.of("chip-health")] == (["Warning"] if sick else [])
    assert not (tmp_path / "ascend-dmi.calls").exists()


@pytest.mark.parametrize("tools", [(), ("/nowhere/asys",), ("/usr/bin/ascend-dmi",)])
def test_without_the_tool_there_is_no_text(tools: tuple[str, ...]) -> None:
    assert tuple(health_texts(HostFacts(evidence_tools=tools), {"PATH": "/usr/bin"})) == ()
    assert tuple(health_texts(HostFacts(), {})) == ()
