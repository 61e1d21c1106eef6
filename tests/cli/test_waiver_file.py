"""Waiver files: what they may hold, every mistake at once, and what `doctor --waivers` makes of them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ascendenv.cli.run import run
from ascendenv.cli.waiver_file import WaiverMistakes, read_waivers
from ascendenv.doctor.catalogue import catalogue
from ascendenv.errors import ExitCode
from ascendenv.language import use_language
from ascendenv.versions import vendor

BROKEN = "ImportError: libhccl.so: cannot open shared object file: No such file or directory\n"
GOOD = """\
- id: CAN001
  when: {driver: "24.1.rc2", chip: 910B, in_container: true}
  reason: the vendor supports this pair
  by: ops@example.org
  until: 2027-03-31
- cause: hccl-tls-mismatch
  reason: "TLS is off on purpose"
  by: net
  until: "2026-12-31"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "broken.log").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_good_file(folder: Path) -> None:
    (folder / "w.yaml").write_text(GOOD)

    first, second = read_waivers("w.yaml", catalogue())

    assert (first.id, first.until, first.where) == ("CAN001", date(2027, 3, 31), "w.yaml:1")
    assert first.when is not None
    assert first.when.driver is not None
    assert first.when.driver.contains(vendor("24.1.RC2"))
    assert (second.cause, second.when, second.where) == ("hccl-tls-mismatch", None, "w.yaml:6")


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_sample_of_the_readme_is_good(name: str, folder: Path) -> None:
    text = (Path(__file__).resolve().parents[2] / name).read_text()
    (folder / "w.yaml").write_text(text.partition("```yaml\n")[2].partition("```")[0])

    assert [one.id for one in read_waivers("w.yaml", catalogue())] == ["DRV008"]


ROW = "- id: CAN001\n  reason: r\n  by: b\n  until: 2027-01-01\n"


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("", [":1: the file is empty"]),
        ("a: b\n", [":1: this file must hold a list of waivers"]),
        ("- just text\n", [":1: 0: this must hold keys"]),
        ("- [\n", ["this is not YAML"]),
        (ROW.replace("id: CAN001", "id: CAN999"), [":1: 0.id: there is no CAN999; did you mean CAN"]),
        (ROW.replace("id: CAN001", "cause: zzz"), [":1: 0.cause: there is no zzz"]),
        (ROW.replace("- id: CAN001\n ", "-"), [":1: 0: name the check with `id`"]),
        (ROW.replace("reason: r", 'reason: " "'), [":2: 0.reason: this must not be empty"]),
        (ROW.replace("  by: b\n", ""), [":1: 0.by: the key by is missing"]),
        (ROW.replace("2027-01-01", "soon"), [":4: 0.until: write the day as 2026-11-29"]),
        (ROW.replace("2027-01-01", "2027-02-30"), [":4: 0.until: write the day as 2026-11-29"]),
        (ROW.replace("2027-01-01", "20270101"), [":4: 0.until: this must be text"]),
        (ROW + "  expires: x\n", [":5: 0.expires: there is no key expires here"]),
        (ROW + '  when: {driver: "x y"}\n', [":5: 0.when.driver: "]),
        (ROW + "  when: {driver: 25.0}\n", [":5: 0.when.driver: write versions in quotes"]),
        (ROW + "  when: {gpu: H100}\n", [":5: 0.when.gpu: there is no key gpu here"]),
        (ROW + "  id: CAN002\n", [":5: 0.id: this key stands here twice"]),
        (
            ROW.replace("by: b", "by: ''") + ROW.replace("2027-01-01", "never"),
            [":3: 0.by: this must not be empty", ":8: 1.until: write the day"],
        ),
    ],
)
def test_every_mistake_has_file_line_and_key(text: str, mistakes: list[str], folder: Path) -> None:
    (folder / "w.yaml").write_text(text)

    with pytest.raises(WaiverMistakes) as refused:
        read_waivers("w.yaml", catalogue())

    shown = [str(one) for one in refused.value.mistakes]
    assert len(shown) == len(mistakes)
    for line, expected in zip(shown, mistakes, strict=True):
        assert line.startswith("w.yaml")
        assert expected in line


def test_mistakes_are_told_in_chinese(folder: Path) -> None:
    (folder / "w.yaml").write_text(ROW.replace("2027-01-01", "soon"))
    use_language("zh")
    try:
        with pytest.raises(WaiverMistakes) as refused:
            read_waivers("w.yaml", catalogue())
        assert "日期请写成" in str(refused.value.mistakes[0])
    finally:
        use_language("en")


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(["doctor", "--log", "broken.log", "--format", "json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def all_waived(until: str) -> str:
    """A waiver for each finding that is no consequence."""
    return f"- cause: cann-env-not-sourced\n  reason: r\n  by: b\n  until: {until}\n"


@pytest.mark.parametrize(
    ("until", "at", "code"),
    [
        ("2027-01-01", "2026-11-29", ExitCode.GOOD),
        ("2026-11-29", "2026-11-29", ExitCode.GOOD),
        ("2026-11-28", "2026-11-29", ExitCode.FINDINGS),
    ],
)
def test_only_what_counts_makes_the_exit_code(
    until: str, at: str, code: ExitCode, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "w.yaml").write_text(all_waived(until))

    found, document = doctor(capsys, "--select", "CAN001", "--waivers", "w.yaml", "--at", at)

    assert found == code
    assert bool(document["waived"]) == (code == ExitCode.GOOD)
    assert bool(document["expired_waivers"]) == (code != ExitCode.GOOD)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--waivers", "absent.yaml"],
        ["--waivers", "broken.log"],
        ["--waivers", "."],
        ["--at", "tomorrow"],
    ],
)
def test_what_cannot_be_used_is_refused(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = doctor(capsys, *arguments)

    assert code == ExitCode.UNUSABLE_INPUT
    assert document["error"]["message"]
