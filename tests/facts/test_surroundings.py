from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

FACTS: list[tuple[str, dict[str, Any]]] = [
    ("Ascend 910B3", {"chip": "Ascend910B3"}),
    ("昇腾910B4-1 单卡", {"chip": "Ascend910B4-1"}),
    ("8卡 Ascend 910b", {"chip": "910B"}),
    ("910C", {"chip": "A3"}),
    ("Atlas 800T A2", {"chip": "910B"}),
    ("Atlas 900 A3 SuperPoD", {"chip": "A3"}),
    ("800I A3", {"chip": "A3"}),
    ("A3", {"chip": "A3"}),
    ("A2 64G x16", {"chip": "910B"}),
    ("Atlas A5 board", {"chip": "950"}),
    ("300I Duo", {"chip": "310P"}),
    ("Atlas 300I Pro 推理卡", {"chip": "310P"}),
    ("Orange Pi AI Pro", {"chip": "310B"}),
    ("Atlas 200I DK A2", {"chip": "310B"}),
    ("Ascend950PR", {"chip": "Ascend950PR"}),
    ("Atlas 800I A2 (910B4) 32G*8", {"chip": "Ascend910B4"}),
    ("init runtime platform info failed, SocVersion = Ascend910B2[FUNC:X]", {"chip": "Ascend910B2"}),
    (
        "the socversion Ascend910B1 of bin package does not match the current device socverison Ascend310P3.",
        {"chip": "Ascend310P3"},
    ),
    ("Cannot find option named 'Ascend910B4-1'", {"chip": "Ascend910B4-1"}),
    ("| NPU | 910B3 |", {"chip": "Ascend910B3"}),
    ("| OS platform | Ubuntu 22.04 |", {"os": {"id": "ubuntu", "version": "22.04", "text": "Ubuntu 22.04"}}),
    ("ubuntu 22.04", {"os": {"id": "ubuntu", "version": "22.04", "text": "ubuntu 22.04"}}),
    ("银河麒麟 V10 SP3", {"os": {"id": "kylin", "version": "V10 SP3", "text": "kylin V10 SP3"}}),
    ("openEuler 22.03", {"os": {"id": "openeuler", "version": "22.03", "text": "openEuler 22.03"}}),
    ("arm64 server", {"arch": "aarch64"}),
    ("x86_64", {"arch": "x86_64"}),
    (
        "The architecture of the run package (x86_64) is inconsistent with that of the current environment (aarch64).",
        {"arch": "aarch64"},
    ),
    ("内核版本：5.10.0-216.0.0.115", {"kernel": "5.10.0-216.0.0.115"}),
    ("在容器内执行 npu-smi info", {"in_container": True}),
    ("npu-smi fails inside the docker container", {"in_container": True}),
    ("物理机部署", {"in_container": False}),
    ("running on bare metal", {"in_container": False}),
]

NO_FACTS = [
    "8.2.rc1-910b-ubuntu22.04-py3.11",
    "Ascend910",
    "/usr/local/Ascend/opp/built-in/op_impl/ai_core/tbe/kernel/ascend910b/x.o",
    "torch_npu-2.5.1-cp310-cp310-manylinux_2_17_aarch64.whl is not a supported wheel on this platform.",
    "section A3 of the manual, which is a longer sentence that names no machine and goes on for quite a while",
    "GCC version: (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0",
]


@pytest.mark.parametrize(("text", "facts"), FACTS, ids=[text for text, _ in FACTS])
def test_what_a_sentence_names_is_a_fact(text: str, facts: dict[str, Any]) -> None:
    assert shown(facts_of(report=f"{text}\n")) == facts


@pytest.mark.parametrize("text", NO_FACTS)
def test_names_of_files_images_and_sections_are_none(text: str) -> None:
    assert shown(facts_of(report=f"{text}\n")) == {}
