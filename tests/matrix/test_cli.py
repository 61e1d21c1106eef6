"""The matrix on the command line: exit codes, JSON contracts, and text that reads well at 80 columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.cli.run import run
from ascendenv.language import use_language

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 80


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def ascendenv(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*arguments: str) -> Outcome:
        code = run(["matrix", *arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        (["--cann", "8.5.0", "--driver", "25.5.1", "--chip", "910B"], 0, "recommended"),
        (["--cann", "9.0.0", "--driver", "25.0.rc1.1"], 0, "compatible"),
        (["--cann", "9.1.0", "--driver", "25.0.rc1.1"], 1, "broken"),
        (["--cann", "8.5.0", "--driver", "24.1.rc3"], 4, "unknown"),
        (["--cann", "8.5.0"], 4, "unknown"),
        (
            ["--torch", "2.9.0+cpu", "--torch-npu", "2.9.0", "--python", "3.11", "--arch", "arm64"],
            0,
            "recommended",
        ),
        (["--product", "Atlas 850", "--driver", "26.0.rc1"], 1, "broken"),
        (["--cann", "9.0.1", "--ops", "8.5.2"], 0, "compatible"),
    ],
)
def test_check(ascendenv: Any, arguments: list[str], code: int, verdict: str) -> None:
    found = ascendenv("check", *arguments, "--format", "json")
    assert (found.code, found.data["verdict"]) == (code, verdict)
    assert list(found.data) == ["schema_version", "verdict", "relations", "unknown", "alternatives"]
    assert found.data["schema_version"] == 1
    for relation in found.data["relations"]:
        assert list(relation) == ["kind", "between", "level", "why", "sources"]
    assert bool(found.data["alternatives"]) == (verdict == "broken")
    for one in found.data["alternatives"]:
        assert list(one) == ["level", "changes", "set"]
        assert one["level"] in ("recommended", "compatible")
    assert found.err == ""
    text = ascendenv("check", *arguments)
    assert text.code == code
    assert max(len(line) for line in text.out.splitlines() if "source:" not in line) <= LONGEST


def test_pick(ascendenv: Any) -> None:
    found = ascendenv(
        "pick", "--chip", "910B3", "--torch", ">=2.8,<2.11", "--arch", "aarch64", "--format", "json"
    )
    assert found.code == 0
    assert list(found.data) == ["schema_version", "stacks", "conflict"]
    assert found.data["conflict"] is None
    best = found.data["stacks"][0]
    assert {"chip", "driver", "firmware", "cann", "torch", "torch_npu", "python", "level", "commands"} <= set(
        best
    )
    assert (best["chip"], best["cann"], best["torch_npu"]) == ("Ascend910B3", "9.1.0", "2.10.0.post4")
    assert best["commands"][-1].startswith("python3.13 -m pip install torch_npu==2.10.0.post4")
    assert len(found.data["stacks"]) == 5
    assert len(ascendenv("pick", "--chip", "910B3", "--limit", "2", "--format", "json").data["stacks"]) == 2


def test_pick_names_the_wishes_that_clash(ascendenv: Any) -> None:
    found = ascendenv("pick", "--cann", "9.1.0", "--torch", "2.5.1", "--python", "3.11", "--format", "json")
    assert found.code == 1
    assert found.data["stacks"] == []
    assert found.data["conflict"]["wishes"] == {"cann": "9.1.0", "torch": "2.5.1"}
    assert [one["drop"] for one in found.data["conflict"]["ways_out"]] == ["cann", "torch"]
    text = ascendenv("pick", "--cann", "9.1.0", "--torch", "2.5.1")
    assert text.code == 1
    assert "cann 9.1.0, torch 2.5.1" in text.out


def test_pick_as_text(ascendenv: Any) -> None:
    found = ascendenv("pick", "--chip", "A3", "--cann", "8.3.RC1", "--at", "2026-11-29")
    assert found.code == 0
    lines = found.out.splitlines()
    assert lines[0] == "recommended:"
    assert "  bash Atlas-A3-cann-kernels_8.3.RC1_linux-<arch>.run --install --install-for-all" in lines
    assert "\x1b" not in found.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--cann", "9.1.zz", "--driver", "25.5.1"], ["--cann", "9.1.zz", "9.1.1"]),
        (["check", "--driver", "latest", "--cann", "9.0.0"], ["--driver", "latest"]),
        (["check", "--torch-npu", "2.9.0rcx", "--cann", "9.0.0"], ["--torch-npu", "2.9.0rc1"]),
        (["pick", "--torch", "=>2.9"], ["--torch", "=>2.9"]),
        (["pick", "--python", "three"], ["--python", "three"]),
        (["check", "--arch", "riscv64", "--cann", "9.0.0"], ["--arch", "riscv64", "aarch64"]),
        (["check"], ["nothing to check"]),
        (["pick", "--at", "tomorrow"], ["--at", "tomorrow"]),
        (["show", "cann", "8.9.9"], ["8.9.9", "8.5.2"]),
        (["show", "chips", "H100"], ["H100"]),
        (["lint", "/nowhere/at/all"], ["/nowhere/at/all"]),
        (["list", "cann", "--matrix", "/nowhere/at/all"], ["/nowhere/at/all"]),
        (["list", "nonsense"], ["nonsense"]),
    ],
)
def test_what_cannot_be_used_is_exit_2(ascendenv: Any, arguments: list[str], words: list[str]) -> None:
    found = ascendenv(*arguments)
    assert found.code == 2
    assert found.out == ""
    for word in words:
        assert word in found.err
    as_json = ascendenv(*arguments, "--format", "json") if arguments != ["list", "nonsense"] else None
    if as_json is not None:
        assert as_json.code == 2
        assert list(as_json.data) == ["schema_version", "error"]
        assert list(as_json.data["error"]) == ["code", "message", "where", "hint"]


@pytest.mark.parametrize(
    ("kind", "name", "key", "value"),
    [
        ("cann", "8.0.0.beta1", "version", "8.0.0"),
        ("hdk", "25.0.rc1.1", "hdk", "25.0.RC1"),
        ("torch-npu", "2.9.0.post2+git1", "version", "2.9.0.post2"),
        ("torch", "2.9.0", "torch", "2.9.0"),
        ("chips", "910C", "name", "A3"),
        ("products", "800i a2", "name", "Atlas 800I A2"),
        ("os", "910B3", "family", "910B"),
        ("downstream", "VLLM-Ascend", "project", "vllm-ascend"),
        ("breaks", "cann-9.2-without-libgraph", "id", "cann-9.2-without-libgraph"),
        ("contradictions", "hdk-for-cann-9.2.0", "id", "hdk-for-cann-9.2.0"),
    ],
)
def test_list_and_show(ascendenv: Any, kind: str, name: str, key: str, value: str) -> None:
    listed = ascendenv("list", kind, "--format", "json")
    assert (listed.code, listed.data["kind"]) == (0, kind)
    assert value in [row[key] for row in listed.data["rows"]]
    shown = ascendenv("show", kind, name, "--format", "json")
    assert shown.data["row"][key] == value
    assert ascendenv("list", kind).out.count("\n") == len(listed.data["rows"])
    assert value in ascendenv("show", kind, name).out


def test_lists_stand_newest_first(ascendenv: Any) -> None:
    names = [row["version"] for row in ascendenv("list", "cann", "--format", "json").data["rows"]]
    assert names.index("9.2.0") < names.index("9.2.0-beta.2") < names.index("9.0.1") < names.index("8.0.RC3")


def test_lint(ascendenv: Any, tmp_path: Path) -> None:
    (tmp_path / "breaks.yaml").write_text("- id: x\n  given: {cann: 9.0.0}\n")
    found = ascendenv("lint", str(tmp_path))
    assert found.code == 1
    assert "breaks.yaml:2: 0.given.cann: write versions in quotes" in found.out
    as_json = ascendenv("lint", str(tmp_path), "--format", "json")
    assert {(one["file"], one["line"], one["key"]) for one in as_json.data["mistakes"]} == {
        ("breaks.yaml", 2, "0.given.cann"),
        ("breaks.yaml", 1, "0.cause"),
        ("breaks.yaml", 1, "0.source"),
    }
    (tmp_path / "breaks.yaml").unlink()
    assert ascendenv("lint", str(tmp_path)).code == 0


def test_lint_reads_patterns_of_logs_too(ascendenv: Any, tmp_path: Path) -> None:
    (tmp_path / "signals").mkdir()
    (tmp_path / "signals" / "ours.yaml").write_text("- id: x\n  any: [abcd]\n")
    found = ascendenv("lint", str(tmp_path))
    assert found.code == 1
    assert "signals/ours.yaml:1: " in found.out


def test_a_site_folder_shows_where_its_rows_come_from(ascendenv: Any, tmp_path: Path) -> None:
    (tmp_path / "breaks.yaml").write_text(
        '- id: ours\n  given: {cann: "8.5.0", torch_npu: "2.9.0"}\n  cause: {en: it hangs, zh: 卡住}\n  source: [lab]\n'
    )
    given = ["--cann", "8.5.0", "--torch-npu", "2.9.0"]
    assert ascendenv("check", *given).code == 0
    found = ascendenv("check", *given, "--matrix", str(tmp_path), "--format", "json")
    assert found.code == 1
    broken = next(one for one in found.data["relations"] if one["level"] == "broken")
    assert broken["sources"] == [f"site: {tmp_path}", "lab"]


def test_words_are_chinese_when_asked_for(ascendenv: Any) -> None:
    found = ascendenv("check", "--cann", "9.1.0", "--driver", "25.0.rc1.1", "--lang", "zh")
    use_language("en")
    assert "不能搭配" in found.out
