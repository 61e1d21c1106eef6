"""`ascendenv explain`: ids, causes, codes in every spelling, error texts, topics; offline."""

from __future__ import annotations

import json

import pytest

from ascendenv.cli.run import run
from ascendenv.doctor.topics import topic_names
from ascendenv.errors import ExitCode


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["TOR001"], "TOR001"),
        (["torch-npu-torch-mismatch"], "TOR001"),
        (["-8005"], "-8005"),
        (["507033"], "507033"),
        (["EI0006"], "EI0006"),
        (["drvRetCode=87"], "87"),
        (["0x80E01801"], "ECC"),
        (["ImportError:", "libhccl.so:", "cannot", "open", "shared", "object", "file"], "libhccl.so"),
        (["undefined symbol: _ZN5torch8autograd10deleteNodeEPNS0_4NodeE"], "torch_npu"),
        (["_ZN5torch8autograd10deleteNodeEPNS0_4NodeE"], "up to 2.12.0, no longer from 2.13.0 on"),
        (
            ["_ZN5torch8autograd10deleteNodeEPNS0_4NodeE"],
            "torch::autograd::deleteNode(torch::autograd::Node*)",
        ),
        (["_ZN5torch8autograd10deleteNodeEPNS0_4NodeE"], "TOR001"),
        (["aclrtDeviceGetBareTgid"], "CANN 9.0.0 and newer"),
        (["_ZN6at_npu6native9OpCommandC1Ev"], "This function belongs to: torch_npu"),
    ],
)
def test_a_subject_is_explained(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", *words]) == ExitCode.GOOD
    assert expected in capsys.readouterr().out


@pytest.mark.parametrize("name", topic_names())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_topics_are_honest_pages(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", name, "--lang", language]) == ExitCode.GOOD
    assert capsys.readouterr().out.startswith("# ")


def test_a_chinese_page_is_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    run(["explain", "TOR001", "--lang", "zh"])

    assert "含义" in capsys.readouterr().out


def test_what_nobody_knows_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "the coffee is cold"]) == ExitCode.NOTHING_CHECKED
    assert "coffee" in capsys.readouterr().err


def test_json_has_code_and_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "507033", "--format", "json"]) == ExitCode.GOOD
    document = json.loads(capsys.readouterr().out)

    assert document["code"]["code"] == "507033"
    assert document["checks"]
    assert all(one["page"].startswith("# ") for one in document["checks"])


def test_json_has_what_is_known_of_a_symbol(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "_ZN5torch8autograd10deleteNodeEPNS0_4NodeE", "--format", "json"]) == ExitCode.GOOD
    symbol = json.loads(capsys.readouterr().out)["symbol"]

    assert symbol["provider"] == "torch"
    assert symbol["readable"] == "torch::autograd::deleteNode(torch::autograd::Node*)"
    assert len(symbol["known"]) == 2
