"""The loader refuses mistakes, all of them at once, each with file, line and key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.errors import ExitCode
from ascendenv.matrix.lint import lint
from ascendenv.matrix.load import ARTEFACT_KINDS, MatrixMistakes, load_raw
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "cann/9.0.0.yaml": """
version: "9.0.0"
channel: release
layout: cann
chips: ["910B"]
hdk_cells:
  - hdk: "25.5.X"
    level: compatible
    source: [a]
source: [a]
""",
    "hdk/25.5.1.yaml": """
hdk: "25.5.1"
pairs:
  - families: ["910B"]
    driver: "25.5.1"
    firmware: "7.8.0.6.201"
    source: [a]
source: [a]
""",
    "torch_npu/2.9.0.yaml": """
version: "2.9.0"
torch: "2.9.0"
basis: official
cann: ["9.0.0"]
on_index: true
source: [a]
""",
    "torch.yaml": """
- torch: "2.9.0"
  source: [a]
""",
    "chips/910B.yaml": """
name: "910B"
source: [a]
chips:
  - {name: Ascend910B3, memory: 65536, source: [a]}
""",
    "products.yaml": """
- name: Atlas 800I A2
  family: "910B"
  source: [a]
""",
}


def written(folder: Path, **changes: str) -> Path:
    files = FILES | {name.replace("__", "/") + ".yaml": text for name, text in changes.items()}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))
    return folder


def mistakes(folder: Path) -> list[tuple[str, int, str, str]]:
    with pytest.raises(MatrixMistakes) as caught:
        load_raw(folder)
    assert caught.value.exit_code == ExitCode.UNUSABLE_INPUT
    return [(one.file, one.line, one.key, str(one.message)) for one in caught.value.mistakes]


def test_a_right_folder_loads(tmp_path: Path) -> None:
    raw = load_raw(written(tmp_path))
    assert {kind: len(rows) for kind, rows in raw.items() if rows} == {
        "cann": 1,
        "hdk": 1,
        "torch_npu": 1,
        "torch": 1,
        "families": 1,
        "products": 1,
    }


@pytest.mark.parametrize(
    ("change", "line", "key", "words"),
    [
        (("cann/9.0.0.yaml", "channel: release", "channel: release\nchannel: beta"), 3, "channel", "twice"),
        (("cann/9.0.0.yaml", 'version: "9.0.0"', "version: 9.0.0"), 1, "version", "in quotes"),
        (("hdk/25.5.1.yaml", '    driver: "25.5.1"', "    driver: 25.5"), 4, "pairs.0.driver", "in quotes"),
        (("hdk/25.5.1.yaml", '"7.8.0.6.201"', "7.8.0.6.201"), 5, "pairs.0.firmware", "in quotes"),
        (("cann/9.0.0.yaml", '"25.5.X"', "25.5.X"), 6, "hdk_cells.0.hdk", "in quotes"),
        (("torch_npu/2.9.0.yaml", '["9.0.0"]', "[9.0.0]"), 4, "cann.0", "in quotes"),
        (("torch_npu/2.9.0.yaml", 'torch: "2.9.0"', "torch: 2.9.0rc1"), 2, "torch", "in quotes"),
        (("torch_npu/2.9.0.yaml", 'torch: "2.9.0"', "torch: 2.9.0.post2+git1"), 2, "torch", "in quotes"),
        (("cann/9.0.0.yaml", '"25.5.X"', "25.0.rc1_sph001"), 6, "hdk_cells.0.hdk", "in quotes"),
        (("torch_npu/2.9.0.yaml", "on_index: true", "on_index: 1.0"), 5, "on_index", "in quotes"),
        (("cann/9.0.0.yaml", "    source: [a]\n", ""), 6, "hdk_cells.0.source", "missing"),
        (("cann/9.0.0.yaml", "source: [a]\n", ""), 1, "source", "missing"),
        (("products.yaml", "  source: [a]\n", ""), 1, "0.source", "missing"),
        (("chips/910B.yaml", ", source: [a]}", "}"), 4, "chips.0.source", "missing"),
        (("hdk/25.5.1.yaml", "    firmware:", "    firmwares:"), 5, "pairs.0.firmwares", "no key firmwares"),
        (("cann/9.0.0.yaml", "level: compatible", "level: fine"), 7, "hdk_cells.0.level", "one of"),
        (("cann/9.0.0.yaml", '"25.5.X"', '"25.5.Y"'), 6, "hdk_cells.0.hdk", "word 'y'"),
        (("chips/910B.yaml", "memory: 65536", 'memory: "65536"'), 4, "chips.0.memory", "integer"),
        (("torch_npu/2.9.0.yaml", "on_index: true", 'on_index: "true"'), 5, "on_index", "boolean"),
        (("torch_npu/2.9.0.yaml", '["9.0.0"]', '"9.0.0"'), 4, "cann", "a list"),
        (("torch_npu/2.9.0.yaml", '["9.0.0"]', '["9.1.0"]'), 4, "cann.0", "no cann 9.1.0"),
        (("torch_npu/2.9.0.yaml", '["9.0.0"]', '["8.5.X"]'), 4, "cann.0", "no cann 8.5.X"),
        (("torch_npu/2.9.0.yaml", 'torch: "2.9.0"', 'torch: "2.8.0"'), 2, "torch", "no torch 2.8.0"),
        (("cann/9.0.0.yaml", '["910B"]', '["910Z"]'), 4, "chips.0", "no family 910Z"),
        (("hdk/25.5.1.yaml", '["910B"]', '["910Z"]'), 3, "pairs.0.families.0", "no family 910Z"),
        (("products.yaml", '"910B"', '"A3"'), 2, "0.family", "no family A3"),
        (("torch.yaml", '- torch: "2.9.0"\n  ', 'torch: "2.9.0"\n'), 1, "", "list of rows"),
        (("cann/9.0.0.yaml", 'version: "9.0.0"', 'version: "9.0.1"'), 1, "version", "file is called 9.0.0"),
        (
            ("products.yaml", "- name", "- name: A\n  family: x\n  source: [a]\n- name"),
            2,
            "0.family",
            "no family x",
        ),
        (("torch.yaml", "source: [a]", "source: [a"), 3, "", "not YAML"),
        (("torch.yaml", "- torch", "\x00- torch"), 0, "", "cannot be read"),
    ],
)
def test_one_mistake(tmp_path: Path, change: tuple[str, str, str], line: int, key: str, words: str) -> None:
    folder, (file, old, new) = written(tmp_path), change
    text = (folder / file).read_text()
    assert old in text
    head, found, tail = text.rpartition(old) if old == "source: [a]\n" else text.partition(old)
    assert found
    (folder / file).write_text(head + new + tail)

    found_mistakes = mistakes(folder)

    assert [(one[0], one[1], one[2]) for one in found_mistakes] == [(file, line, key)], found_mistakes
    assert words in found_mistakes[0][3]


def test_an_empty_file_is_a_mistake(tmp_path: Path) -> None:
    assert mistakes(written(tmp_path, breaks="# nothing yet\n")) == [
        ("breaks.yaml", 1, "", "the file is empty")
    ]


def test_a_row_that_stands_twice_names_the_first(tmp_path: Path) -> None:
    twice = '- torch: "2.9.0"\n  source: [a]\n- torch: "2.9.0"\n  source: [b]\n'
    assert mistakes(written(tmp_path, torch=twice)) == [
        ("torch.yaml", 3, "torch", "2.9.0 stands in torch.yaml:1 already")
    ]


def test_references_inside_a_file_are_refused(tmp_path: Path) -> None:
    nested = '- torch: "2.9.0"\n  source: &s [*s]\n'
    shared = '- torch: "2.9.0"\n  source: &s [a]\n- torch: "2.8.0"\n  source: *s\n'
    assert [one[2] for one in mistakes(written(tmp_path, torch=shared))] == ["1.source"]
    assert "write it out" in mistakes(written(tmp_path, torch=nested))[0][3]


def test_all_mistakes_come_at_once(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        cann__9_0_0="x: 1\n",
        products="- name: A\n  name: B\n  family: 1.5\n",
        breaks="- id: one\n  given: {cann: '=>9'}\n  cause: {en: a}\n",
    )
    found = mistakes(folder)
    assert {one[0] for one in found} == {"breaks.yaml", "cann/9_0_0.yaml", "products.yaml"}
    assert {(one[0], one[1], one[2]) for one in found} >= {
        ("products.yaml", 2, "0.name"),
        ("products.yaml", 3, "0.family"),
        ("products.yaml", 1, "0.source"),
        ("breaks.yaml", 2, "0.given.cann"),
        ("breaks.yaml", 3, "0.cause.zh"),
        ("breaks.yaml", 1, "0.source"),
        ("cann/9_0_0.yaml", 1, "x"),
        ("cann/9_0_0.yaml", 1, "version"),
        ("cann/9_0_0.yaml", 1, "source"),
    }


def test_a_folder_without_a_matrix_is_a_mistake(tmp_path: Path) -> None:
    assert mistakes(tmp_path)[0][3] == "there is no matrix in this folder"


def test_a_site_folder_may_refer_to_the_shipped_matrix(tmp_path: Path) -> None:
    path = tmp_path / "torch_npu" / "2.9.0.post99.yaml"
    path.parent.mkdir()
    path.write_text(
        'version: "2.9.0.post99"\ntorch: "2.9.0"\nbasis: official\ncann: ["9.0.0"]\nsource: [us]\n'
    )

    assert lint(tmp_path).mistakes == ()
    assert len(load_raw(tmp_path, base=shipped_matrix().raw)["torch_npu"]) == 1


def test_lint_tells_rows_or_mistakes(tmp_path: Path) -> None:
    assert lint(written(tmp_path)).rows["cann"] == 1
    (tmp_path / "torch.yaml").write_text("- torch: 2.9\n")
    found = lint(tmp_path)
    assert found.rows == {}
    assert [str(one).split(": ")[0] for one in found.mistakes] == ["torch.yaml:1", "torch.yaml:1"]


ARTEFACT = """
component: cann
release: "9.0.0"
files:
  - package: toolkit
    version: "9.0.0"
    filename: toolkit.run
    format: run
    sha256: "{sha256}"
    source: [a]
"""


@pytest.mark.parametrize(
    ("sha256", "right"),
    [("0" * 64, True), ("a1" * 32, True), ("0" * 63, False), ("G" * 64, False), ("A" * 64, False)],
)
def test_hashes_of_artefacts(tmp_path: Path, sha256: str, right: bool) -> None:
    path = tmp_path / "artefacts" / "cann" / "9.0.0.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(ARTEFACT.lstrip("\n").replace("{sha256}", sha256))
    if right:
        assert len(load_raw(tmp_path, kinds=ARTEFACT_KINDS)["artefacts"]) == 1
        return
    with pytest.raises(MatrixMistakes) as caught:
        load_raw(tmp_path, kinds=ARTEFACT_KINDS)
    assert [(one.line, one.key) for one in caught.value.mistakes] == [(8, "files.0.sha256")]


@pytest.mark.parametrize(
    "url", ["http://host/toolkit.run", "%20https://host/toolkit.run", "https://host/a b.run", "ftp"]
)
def test_addresses_of_artefacts(tmp_path: Path, url: str) -> None:
    path = tmp_path / "artefacts" / "cann" / "9.0.0.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(ARTEFACT.lstrip("\n").replace('sha256: "{sha256}"', f'url: "{url}"'))
    with pytest.raises(MatrixMistakes) as caught:
        load_raw(tmp_path, kinds=ARTEFACT_KINDS)
    assert [(one.line, one.key) for one in caught.value.mistakes] == [(8, "files.0.url")]
