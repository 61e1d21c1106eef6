from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("# hccn_tool -i 3 -link -g\nlink status: DOWN", [{"device": 3, "link_up": False}]),
        (
            "$ hccn_tool -i 3 -ip -g\nipaddr:192.0.2.10\nnetmask:255.255.255.0",
            [{"device": 3, "address": "192.0.2.10"}],
        ),
        (
            "for i in {0..7}; do hccn_tool -i $i -link -g; done\nlink status: UP\nlink status: DOWN",
            [{"device": 0, "link_up": True}, {"device": 1, "link_up": False}],
        ),
        (
            "hccn_tool -i 0 -ip -g\nipaddr:192.0.2.1\nhccn_tool -i 0 -link -g\nlink status: UP",
            [{"device": 0, "address": "192.0.2.1", "link_up": True}],
        ),
        (
            "dev_id:0, tls switch[0](0:disable, 1:enable)\ndev_id:1, tls switch[1](0:disable, 1:enable)",
            [{"device": 0, "tls_enabled": False}, {"device": 1, "tls_enabled": True}],
        ),
        ("address_0=192.0.2.1\nnetmask_0=255.255.255.0", [{"device": 0, "address": "192.0.2.1"}]),
        (
            "[devid 0]link change records :\n[devid 0]    Tue Aug  1 14:43:40 2022    LINK DOWN\n[devid 0]    Tue Aug  1 14:43:26 2022    LINK UP",
            [{"device": 0, "link_up": False}],
        ),
    ],
)
def test_ports_are_read(text: str, ports: list[dict[str, Any]]) -> None:
    assert shown(facts_of(report=f"{text}\n"))["ports"] == ports


@pytest.mark.parametrize(
    "text", ["net health status: Socket failed", "link status: unknown", "ipaddr:", "address_x=1"]
)
def test_other_output_tells_nothing_about_a_port(text: str) -> None:
    assert "ports" not in shown(facts_of(report=f"{text}\n"))
