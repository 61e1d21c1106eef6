"""A snapshot of 100 MB is judged as far as it can be taken in, and says what was left out."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.boxes.named import BROKEN
from tests.boxes.pretended import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

MEGABYTES = 100
MOST_MEGABYTES = 1500
"""JSON of many small values takes ten times its size while it is read."""
MOST_SECONDS = 60
MEASURE = """
import os, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=sys.stderr)
"""


def _swollen_text(data: dict[str, Any]) -> None:
    data["process"]["environ"]["SWOLLEN"] = "a" * (MEGABYTES * 2**20)


def _swollen_log(data: dict[str, Any]) -> None:
    lines = MEGABYTES * 2**20 // 50
    data["kernel"]["log"] = {
        "lines": [f"[ 1.0] davinci something happened number {one:8}" for one in range(lines)]
    }


def _swollen_file(data: dict[str, Any]) -> None:
    name = "/usr/local/Ascend/cann-8.5.0/share/info/x/version.info"
    data["cann"]["files"][name] = {"text": "Version=1\n" * (MEGABYTES * 2**20 // 11)}


def _swollen_packages(data: dict[str, Any]) -> None:
    data["interpreter"]["distributions"] += [
        [f"pkg{one:08}", "1.0", "/x"] for one in range(MEGABYTES * 2**20 // 30)
    ]


@pytest.mark.parametrize("swell", [_swollen_text, _swollen_log, _swollen_file, _swollen_packages])
def test_the_rest_of_a_huge_snapshot_is_judged(
    swell: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    box = BROKEN["not in the group"]
    snapshot = dict(snapshot_of(box.box, tmp_path / "box").data)
    swell(snapshot)
    big = tmp_path / "big.json"
    big.write_text(json.dumps(snapshot))
    assert big.stat().st_size > 0.9 * MEGABYTES * 2**20

    started = time.monotonic()
    command = [sys.executable, "-m", "ascendenv", "doctor", "--snapshot", str(big), "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-S", "-c", MEASURE, *command], capture_output=True, text=True, check=True
    )
    seconds = time.monotonic() - started

    findings = json.loads(done.stdout)["findings"]
    assert findings[0]["cause"] == box.cause
    assert "SYS010" in [one["id"] for one in findings]
    code, kilobytes = (int(word) for word in done.stderr.split()[-2:])
    assert code == 1
    assert kilobytes // 1024 < MOST_MEGABYTES
    assert seconds < MOST_SECONDS
