"""npu-smi is asked what is needed, and no more once it has failed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from tests.boxes import named, tables

from ascendenv.collect.probes import driver, network
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path

    from tests.boxes.box import Box


@pytest.mark.parametrize(
    ("box", "cards", "sick"),
    [
        (named.HEALTHY_910B, [str(number) for number in range(8)], []),
        (named.HEALTHY_A3, [str(number) for number in range(8)], []),
        (named.HEALTHY_950PR, [str(number) for number in range(8)], []),
        (named.HEALTHY_950DT, [str(number) for number in range(8)], []),
        (named.HEALTHY_CONTAINER, ["0", "1"], []),
        (named.BROKEN["sick card"].box, [str(number) for number in range(8)], ["3"]),
    ],
)
def test_cards_and_sick_cards_are_read_from_the_table(box: Box, cards: list[str], sick: list[str]) -> None:
    assert driver.cards_in(tables.table(box)) == (cards, sick)


@pytest.mark.parametrize(
    "text", ["", "dcmi module initialize failed. ret is -8005\n", "| | |\n||||\n", "| x | OK | y |\n"]
)
def test_what_is_no_table_has_no_cards(text: str) -> None:
    assert driver.cards_in(text) == ([], [])


def asked(root: Path, script: str) -> list[str]:
    program = root / "usr/local/sbin/npu-smi"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    system = System(str(root), {"PATH": "/usr/bin:/bin"})
    return list(driver.npu_smi(system, driver.start_npu_smi(system)))


def test_after_a_failure_nothing_more_is_asked(tmp_path: Path) -> None:
    assert asked(tmp_path, "echo 'ret is -8005'; exit 187") == ["npu-smi info"]


def test_a_healthy_machine_is_not_asked_for_faults(tmp_path: Path) -> None:
    table = tables.table(named.HEALTHY_910B).replace("'", "")

    assert asked(tmp_path, f"cat <<'E'\n{table}\nE") == [
        "npu-smi info",
        "npu-smi info -m",
        "npu-smi info -t board -i 0",
    ]


def test_a_sick_card_is_asked_for_its_faults(tmp_path: Path) -> None:
    table = tables.table(named.BROKEN["sick card"].box)

    assert asked(tmp_path, f"cat <<'E'\n{table}\nE")[-1] == "npu-smi info -t health -i 3"


def test_questions_that_hang_are_waited_for_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "DETAIL_SECONDS", 1.0)
    table = tables.table(named.BROKEN["sick card"].box)
    started = time.monotonic()

    lines = asked(tmp_path, f'[ "$2" = "" ] || exec sleep 30\ncat <<\'E\'\n{table}\nE')

    assert len(lines) == 4
    assert time.monotonic() - started < 2.5


def test_ports_are_asked_as_long_as_there_is_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "usr/local/Ascend/driver/tools/hccn_tool"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nsleep 0.2\necho link status: UP\n")
    program.chmod(0o755)
    monkeypatch.setattr(network, "TOTAL_SECONDS", 0.5)
    monkeypatch.setattr(network, "AT_ONCE", 2)

    record = network.collect_network(
        System(str(tmp_path), {"PATH": "/bin:/usr/bin"}), [f"/dev/davinci{n}" for n in range(16)]
    )

    assert record["devices"] == 16
    assert 2 <= record["asked"] < 16
    assert len(record["ports"]) == 2 * record["asked"]


@pytest.mark.parametrize("nodes", [[], ["/dev/davinci_manager"], ["/dev/davinci0"]])
def test_without_tool_or_cards_no_port_is_asked(tmp_path: Path, nodes: list[str]) -> None:
    record = network.collect_network(System(str(tmp_path), {}), nodes)

    assert record["ports"] == {}
    assert record["files"] == {"/etc/hccn.conf": {"error": "No such file or directory"}}
