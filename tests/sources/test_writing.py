"""Writing: people's files stay as they are but for what is new, pass lint, and a second run has nothing to do."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from tests.sources.conftest import FILES, SAMPLES, compared, imported, written

from ascendenv.errors import UnusableInput
from ascendenv.files import write_whole
from ascendenv.matrix.lint import lint
from ascendenv.matrix.store import shipped_matrix, with_site
from ascendenv.sources.plan import Plan
from ascendenv.sources.standing import Standing
from ascendenv.sources.writing import WouldBreak, write
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "| TorchNPU安装包版本 | GitCode分支 | PyTorch版本 | CANN版本 |\n|--|--|--|--|\n"
LIFE = "| TorchNPU软件包版本 | 当前状态 | 发布时间 | 后续状态 | EOL日期 |\n|--|--|--|--|--|\n"
POLICY = "| vLLM Ascend | vLLM | Python | Stable CANN | PyTorch/torch_npu |\n|--|--|--|--|--|\n"
SOURCE = "Ascend/pytorch:COMPATIBILITY.md@abc"
READ = f'"{SOURCE}, read 2026-11-29"'


def difference(folder: Path) -> dict[str, list[str]]:
    """The lines that left (-) and came (+), by file."""
    found = {}
    for path in sorted(folder.rglob("*.yaml")):
        name = path.relative_to(folder).as_posix()
        old = FILES.get(name, "").lstrip("\n").splitlines()
        lines = list(
            difflib.unified_diff(old, path.read_text(encoding="utf-8").splitlines(), lineterm="", n=0)
        )
        if lines:
            found[name] = [line for line in lines[2:] if not line.startswith("@@")]
    return found


def test_a_new_release_with_all_that_it_refers_to(folder: Path) -> None:
    changed = imported(
        "compatibility", HEAD + "| 2.10.0 | v2.10.0-26.1.0 | 2.10.0 | CANN 9.1.0 |\n", folder, source=SOURCE
    )
    assert changed == ("torch.yaml", "cann/9.1.0.yaml", "torch_npu/2.10.0.yaml") or set(changed[:2]) == {
        "cann/9.1.0.yaml",
        "torch.yaml",
    }
    assert (folder / "torch_npu/2.10.0.yaml").read_text() == (
        'version: "2.10.0"\ntorch: "2.10.0"\nproduct: "26.1.0"\nbasis: official\ncann: ["9.1.0"]\n'
        f"source:\n  - {READ}\n"
    )
    assert (folder / "cann/9.1.0.yaml").read_text() == (
        f'version: "9.1.0"\nchannel: release\nlayout: cann\nsource:\n  - {READ}\n'
    )
    assert (
        (folder / "torch.yaml")
        .read_text()
        .startswith(
            f'# Newest first.\n- torch: "2.10.0"\n  source:\n    - {READ}\n- torch: "2.9.0"\n  # told by SUPPORT\n'
        )
    )


@pytest.mark.parametrize(
    ("kind", "text", "lines"),
    [
        (
            "compatibility",
            HEAD + "| 2.9.0.post2 | v2.9.0-26.0.0 | 2.9.0 | CANN 9.0.0 |\n| 2.9.0 | x | 2.9.0 | CANN 8.5.0 |\n",
            {
                "torch_npu/2.9.0.post2.yaml": [
                    "-basis: inferred",
                    '-cann: ["9.0.X"]   # by its date',
                    '+product: "26.0.0"',
                    "+basis: official",
                    '+cann: ["9.0.0"]  # by its date',
                    f"+  - {READ}",
                ]
            },
        ),
        (
            "support",
            LIFE + "| 2.9.0 | 维护 | 2026/01/15 | - | - |",
            {
                "torch.yaml": [
                    "-    status: development",
                    "+    status: maintenance",
                    '-    as_of: "2026-08-21"',
                    '+    as_of: "2026-11-29"',
                    f"+    - {READ}",
                ]
            },
        ),
        (
            "images",
            json.dumps(["9.0.0-910b-ubuntu22.04-py3.12", "9.0.0-310p-ubuntu22.04-py3.11", "9.0.0-910b-ubuntu22.04-py3.11"]),
            {
                "images/cann.yaml": [
                    '+    - "9.0.0-310p-ubuntu22.04-py3.11"',
                    "-  source: [image tag list]",
                    '+    - "9.0.0-910b-ubuntu22.04-py3.12"',
                    "+  source:",
                    "+    - image tag list",
                    f"+    - {READ}",
                ]
            },
        ),
        (
            "vllm-ascend",
            POLICY + "| v0.22.0 | v0.22.0 | >= 3.10, < 3.13 | 9.0.0 | 2.9.0 / 2.9.0.post2 |",
            {
                "downstream/vllm-ascend.yaml": [
                    '+  - version: "v0.22.0"',
                    "+    kind: release",
                    '+    cann: "9.0.0"',
                    '+    torch: "2.9.0"',
                    '+    torch_npu: "2.9.0.post2"',
                    '+    python: ">=3.10,<3.13"',
                    '+    vllm: "v0.22.0"',
                    "+    source:",
                    f"+      - {READ}",
                ]
            },
        ),
        (
            "compatibility",  # both sides stand in the list of contradictions, and the row stays
            HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |",
            {
                "contradictions.yaml": [
                    "+- id: torch-npu-2.9.0-cann",
                    "+  subject: cann of torch_npu 2.9.0",
                    "+  says:",
                    '+    - {who: "Ascend/pytorch:COMPATIBILITY.en.md@9e73e70", what: "8.5.0"}',
                    f'+    - {{who: {READ}, what: "9.0.0"}}',
                    '+  advice: {en: "not decided; the row that stood before is followed", zh: "未确定；暂以原有条目为准"}',
                    "+  source:",
                    '+    - "Ascend/pytorch:COMPATIBILITY.en.md@9e73e70"',
                    "+    - release note",
                    f"+    - {READ}",
                ]
            },
        ),
    ],
)  # fmt: skip
def test_only_what_differs_is_touched(
    folder: Path, kind: str, text: str, lines: dict[str, list[str]]
) -> None:
    imported(kind, text, folder, source=SOURCE)
    assert difference(folder) == lines


def test_a_source_stands_in_a_row_once(folder: Path) -> None:
    imported(
        "support",
        LIFE + "| 2.9.0 | 维护 | 2026/01/15 | - | - |",
        folder,
        source="Ascend/pytorch:SUPPORT.en.md@9e73e70",
    )
    assert not [line for line in difference(folder)["torch.yaml"] if "SUPPORT" in line]


def test_a_third_claim_joins_the_contradiction(folder: Path) -> None:
    imported("compatibility", HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |\n", folder, source="one")
    written(folder, {"cann/9.0.1.yaml": FILES["cann/9.0.0.yaml"].replace("9.0.0", "9.0.1")})
    assert imported("compatibility", HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.1 |\n", folder, source="two")
    (row,) = [
        one
        for one in yaml.safe_load((folder / "contradictions.yaml").read_text())
        if "torch-npu" in one["id"]
    ]
    assert [one["what"] for one in row["says"]] == ["8.5.0", "9.0.0", "9.0.1"]
    assert len(row["source"]) == 4


@pytest.mark.parametrize(
    ("kind", "sample"),
    [
        ("compatibility", "COMPATIBILITY.md"),
        ("support", "SUPPORT.en.md"),
        ("vllm-ascend", "versioning_policy.md"),
        ("images", "cann_publish_version.json"),
        ("images", "torch_npu-OVERVIEW.md"),
        ("index", "torch-npu.html"),
        ("deployer", "deployer/software/CANN_9.0.0.json"),
        ("deployer", "deployer/software/NPU_26.0.RC1.json"),
        ("deployer", "deployer/software/Torch-npu_2.5.1.post1.json"),
        ("deployer", "deployer/version_match.json"),
    ],
)
def test_a_whole_document_fills_the_matrix_once(folder: Path, kind: str, sample: str) -> None:
    """All of a document goes in, lint holds, and the second run, on another day, finds nothing to do."""
    text = (SAMPLES / sample).read_bytes()
    assert imported(kind, text, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    again = compared(kind, text, folder, source="another name of it")
    assert not again.to_write
    assert again.agreed + len(again.known) >= again.read
    assert imported(kind, text, folder, source="another name of it") == ()
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before


def test_one_document_after_the_other(folder: Path) -> None:
    """What several documents say of one release ends up in one row, and none undoes the other."""
    for kind, sample in (
        ("index", "torch-npu.json"),
        ("deployer", "deployer/version_match.json"),
        ("compatibility", "COMPATIBILITY.en.md"),
        ("support", "SUPPORT.md"),
    ):
        imported(kind, (SAMPLES / sample).read_bytes(), folder, source=sample)
    row = yaml.safe_load((folder / "torch_npu/2.5.1.post1.yaml").read_text())
    assert (row["basis"], row["cann"], row["on_index"]) == ("official", ["8.2.RC1"], True)
    assert row["wheels"]["aarch64"] == ["cp39", "cp310", "cp311"]
    assert row["source"] == [
        f"{one}, read 2026-11-29"
        for one in ("torch-npu.json", "deployer/version_match.json", "COMPATIBILITY.en.md")
    ]
    for kind, sample in (("index", "torch-npu.html"), ("compatibility", "COMPATIBILITY.md")):
        assert not compared(kind, (SAMPLES / sample).read_bytes(), folder).to_write


def test_nothing_is_written_that_lint_would_refuse(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Plan, "texts", lambda _: {"cann/9.0.0.yaml": "version: 9.0.0\n", "torch.yaml": "[]\n"}
    )
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    comparison = compared("compatibility", HEAD + "| 2.10.0 | x | 2.10.0 | CANN 9.0.0 |\n", folder)
    with pytest.raises(WouldBreak, match="write versions in quotes"):
        write(comparison, Standing(folder))
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before


def test_two_runs_at_once_lose_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(texts: Path, *_: object) -> list[Any]:
        written(folder, {"torch.yaml": FILES["torch.yaml"] + "# somebody else\n"})
        return type("Lint", (), {"mistakes": ()})  # type: ignore[return-value]

    monkeypatch.setattr("ascendenv.sources.writing.lint", other)
    comparison = compared("compatibility", HEAD + "| 2.10.0 | x | 2.10.0 | CANN 9.0.0 |\n", folder)
    with pytest.raises(UnusableInput, match="somebody else wrote this file"):
        write(comparison, Standing(folder))
    assert not (folder / "torch_npu/2.10.0.yaml").exists()
    assert "# somebody else" in (folder / "torch.yaml").read_text()


def test_an_interrupted_write_leaves_whole_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others refer to is written first: wherever it stops, lint holds, and the next run goes on."""
    text = HEAD + "| 2.10.0 | x | 2.10.0 | CANN 9.1.0 |\n| 2.11.0 | x | 2.11.0 | CANN 9.2.0 |\n"
    calls: list[Path] = []

    def failing(path: Path, data: bytes) -> None:
        calls.extend([path] if folder in path.parents else [])
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        write_whole(path, data)

    monkeypatch.setattr("ascendenv.sources.writing.write_whole", failing)
    for _ in range(4):
        calls.clear()
        with pytest.raises(UnusableInput, match="No space left"):
            write(compared("compatibility", text, folder), Standing(folder))
        assert not lint(folder).mistakes
        assert not list(folder.rglob(".*"))
    monkeypatch.undo()
    assert len(imported("compatibility", text, folder)) == 1
    assert not compared("compatibility", text, folder).to_write


def test_a_site_gets_its_own_rows_on_top(tmp_path: Path, ascendenv: Any) -> None:
    """A row of the shipped matrix that changes is copied into the site's folder, and changed there."""
    site, document = tmp_path / "site", tmp_path / "COMPATIBILITY.md"
    site.mkdir()
    document.write_text(
        HEAD
        + "| 2.99.0 | v2.99.0-30.0.0 | 2.99.0 | CANN 30.0.0 |\n| 2.10.0 | v2.10.0-26.0.0 | 2.10.0 | CANN 9.0.0 |\n"
    )
    arguments = ("import", "compatibility", str(document), "--matrix", str(site), "--at", "2026-11-29")
    found = ascendenv(*arguments, "--write", "--format", "json")
    assert found.code == 0
    assert set(found.data["written"]) == {
        "cann/30.0.0.yaml",
        "torch.yaml",
        "torch_npu/2.99.0.yaml",
        "torch_npu/2.10.0.yaml",
    }
    assert not lint(site).mistakes
    merged = with_site(shipped_matrix(), site)
    own, shipped = (one.find_torch_npu(pep440("2.10.0")) for one in (merged, shipped_matrix()))
    assert own is not None
    assert shipped is not None
    assert (shipped.basis, own.basis, own.wheels) == ("attested", "official", shipped.wheels)
    assert merged.find_torch_npu(pep440("2.99.0")) is not None
    assert merged.find_torch(pep440("2.9.0")) is not None
    assert ascendenv(*arguments, "--write").code == 0
    assert ascendenv(*arguments, "--format", "json").data["new"] == []
