"""Documents that are not what they should be: exit 2, with the line, the column or the version that is wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conftest import SAMPLES, reading

from ascendenv.errors import AscendenvError
from ascendenv.matrix.store import shipped_matrix
from ascendenv.sources.kinds import KINDS
from ascendenv.sources.material import Document, Material

if TYPE_CHECKING:
    from pathlib import Path

COMPATIBILITY = (SAMPLES / "COMPATIBILITY.md").read_text(encoding="utf-8")
SUPPORT = (SAMPLES / "SUPPORT.en.md").read_text(encoding="utf-8")
POLICY = (SAMPLES / "versioning_policy.md").read_text(encoding="utf-8")
INDEX = (SAMPLES / "torch-npu.json").read_text(encoding="utf-8")
CANN = (SAMPLES / "deployer" / "software" / "CANN_9.0.0.json").read_text(encoding="utf-8")
MATCH = (SAMPLES / "deployer" / "version_match.json").read_text(encoding="utf-8")
PAGE = "<!DOCTYPE html>\n<html><head><title> 404 -\n Not Found</title></head><body>| a | b |</body></html>"
TREES = frozenset({"deployer", "version-info"})


def line(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def file(folder: Path, text: str | bytes) -> str:
    path = folder / "given"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


@pytest.mark.parametrize("kind", [one.name for one in KINDS if one.name != "version-info"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "this is empty"),
        ("\ufeff \n\n", "this is empty"),
        (b"a\nb\xff\xfe", ":2: this is not UTF-8 text"),
        (PAGE, "web page (404 - Not Found)"),
    ],
)
def test_any_kind(ascendenv: Any, tmp_path: Path, kind: str, text: str | bytes, words: str) -> None:
    found = ascendenv("import", kind, file(tmp_path, text))
    assert found.code == 2
    assert words in found.err
    assert "Traceback" not in found.err


@pytest.mark.parametrize(
    ("kind", "text", "where", "words"),
    [
        (
            "compatibility",
            COMPATIBILITY.replace("CANN版本", "昇腾版本"),
            line(COMPATIBILITY, "TorchNPU安装包版本  |"),
            "no column «CANN version / CANN版本»",
        ),
        (
            "compatibility",  # only the table of past releases, below the fold
            COMPATIBILITY[::-1].replace("支分edoCtiG", "edoCtiG", 1)[::-1],
            line(COMPATIBILITY, "TorchNPU安装包版本    |"),
            "no column «GitCode Branch / GitCode分支»",
        ),
        ("compatibility", COMPATIBILITY.replace("Python版本  ", "Py  "), line(COMPATIBILITY, "PyTorch版本   |  "), "no column «Python version"),
        ("compatibility", SUPPORT, None, "no table with the columns «TorchNPU installation"),
        ("compatibility", "no table here", None, "no table with the columns"),
        (
            "compatibility",
            COMPATIBILITY.replace("2.10.0.post4 ", "2.10.0-final "),
            line(COMPATIBILITY, "2.10.0.post4"),
            "the version '2.10.0-final' cannot be read",
        ),
        ("compatibility", COMPATIBILITY.replace("CANN 8.1.RC1 |", "CANN soon |", 1), line(COMPATIBILITY, "CANN 8.1.RC1 |"), "'CANN soon'"),
        ("compatibility", COMPATIBILITY.replace("Python3.9, Python3.10 ", "Py39, Python3.10 "), line(COMPATIBILITY, "PyTorch 2.2.0"), "'Py39' is no Python version"),
        ("compatibility", COMPATIBILITY.replace("2.9.0.post6  | v2", "2.9.0.post6  v2"), line(COMPATIBILITY, "2.9.0.post6"), "3 cells, the table has 4 columns"),
        ("support", SUPPORT.replace("Current status", "Status"), line(SUPPORT, "Current status"), "«Current status / 当前状态»"),
        ("support", SUPPORT.replace("Planned", "Frozen"), line(SUPPORT, "Planned"), "'Frozen' is no status"),
        ("support", SUPPORT.replace("2024 / 11 / 08", "2024 / 13 / 08"), line(SUPPORT, "2024 / 11 / 08"), "is no day"),
        ("support", SUPPORT.replace("2.5.1 ", "two.5 "), line(SUPPORT, " 2.5.1 "), "'two.5' cannot be read"),
        ("support", COMPATIBILITY, None, "no table with the columns"),
        ("vllm-ascend", POLICY.replace("Stable CANN", "Toolkit"), line(POLICY, "Stable CANN"), "no column «Stable CANN / CANN»"),
        ("vllm-ascend", POLICY.replace("2.10.0 / 2.10.0.post4 ", "2.10.0 "), line(POLICY, "2.10.0 / 2.10.0.post4"), "no pair of torch and torch_npu"),
        ("vllm-ascend", POLICY.replace("8.0.0 ", "latest "), line(POLICY, " 8.0.0 "), "'latest' cannot be read"),
        ("vllm-ascend", POLICY.replace(">= 3.10, < 3.13 | 9.1.0", "any | 9.1.0"), line(POLICY, "| 9.1.0"), "'any' cannot be read"),
        ("vllm-ascend", POLICY.replace("2026.08.16", "2026.8"), line(POLICY, "2026.08.16"), "is no day"),
        ("deployer", CANN[:900], CANN[:900].count("\n") + 1, "JSON breaks off here"),
        ("deployer", CANN.replace('"version": "9.0.0"', '"version": "nine"'), line(CANN, '"version": "9.0.0"'), "'nine' cannot be read"),
        ("deployer", CANN.replace("d7b1fd32", "d7b1fd3"), line(CANN, "toolkit_9.0.0_linux-aarch64.zip"), "is no sha256"),
        ("deployer", CANN.replace("https://ascend-repo", "http://ascend-repo", 1), line(CANN, "toolkit_9.0.0_linux-aarch64.zip"), "is no url"),
        ("deployer", CANN.replace('"filename"', '"file"', 1), None, "has no filename"),
        ("deployer", CANN.replace("toolkit_9.0.0_linux-aarch64.zip", "toolkit_9.0.0_linux-aarch64", 1), line(CANN, "toolkit_9.0.0_linux-aarch64.zip"), "cannot be read"),
        ("deployer", MATCH.replace('"CANN_8.5.0"', '"CANN_x"', 1), line(MATCH, '"CANN_8.5.0"'), "'CANN_x' cannot be read"),
        ("deployer", '{"a": 1}', None, "neither a software list"),
        ("deployer", "[]", None, "neither a software list"),
        ("images", '{"tags": ["latest"]}', None, "lists no image tags"),
        ("images", "nothing\nof the kind", None, "lists no image tags"),
        ("images", '["9.x-910b-ubuntu22.04-py3.11", "9.1.zz-910b-ubuntu22.04-py3.11"]', 1, "'9.1.zz' cannot be read"),
        ("images", '["9.0.0-910b-ubuntu22.04-py3.11",', 1, "JSON breaks off here"),
        ("images", "[" * 5000, None, "this is no JSON"),
        ("index", INDEX[:2000], INDEX[:2000].count("\n") + 1, "JSON breaks off here"),
        ("index", INDEX.replace('"files"', '"wheels"'), None, "the key files is missing"),
        ("index", INDEX.replace("torch_npu", "torch"), None, "lists no files of torch-npu"),
        ("index", '{"files": [{"name": "x"}]}', None, "has no filename"),
        ("index", INDEX.replace("torch_npu-2.9.0-cp310-cp310", "torch_npu-2.9.0-cp310"), line(INDEX, "torch_npu-2.9.0-cp310"), "cannot be read"),
        ("index", "<html><body>nothing</body></html>", None, "web page (-) lists no files"),
    ],
)  # fmt: skip
def test_what_is_wrong_and_where(  # noqa: PLR0917  (fixtures and one row of the table)
    ascendenv: Any, tmp_path: Path, kind: str, text: str, where: int | None, words: str
) -> None:
    path = file(tmp_path, text)
    found = ascendenv("import", kind, path)
    assert found.code == 2
    assert words in found.err
    assert (f"{path}:{where}: " if where is not None else f"{path}: ") in found.err
    assert "Traceback" not in found.err


def test_errors_are_one_json_document_too(ascendenv: Any, tmp_path: Path) -> None:
    found = ascendenv("import", "support", file(tmp_path, "x"), "--format", "json")
    assert found.code == 2
    assert found.data["error"]["code"] == "unreadable-source"
    assert found.data["error"]["where"].endswith("given")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((), "no version.info of CANN, driver or firmware here"),
        (("readme.txt", "lib/x.so"), "no version.info"),
    ],
)
def test_a_folder_without_records(ascendenv: Any, tmp_path: Path, names: tuple[str, ...], words: str) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = ascendenv("import", "version-info", str(tmp_path))
    assert found.code == 2
    assert words in found.err
    assert "/usr/local/Ascend" in found.err


def test_a_record_with_a_version_that_cannot_be_read(ascendenv: Any, tmp_path: Path) -> None:
    record = tmp_path / "cann-9.0.0" / "x86_64-linux" / "ascend_toolkit_install.info"
    record.parent.mkdir(parents=True)
    record.write_text("package_name=Ascend-cann-toolkit\n\nversion=next week\n")
    found = ascendenv("import", "version-info", str(tmp_path))
    assert found.code == 2
    assert "cann-9.0.0/x86_64-linux/ascend_toolkit_install.info:3: the version 'next week'" in found.err


@pytest.mark.parametrize("kind", [one.name for one in KINDS if one.name not in TREES])
def test_a_folder_where_a_file_is_wanted(ascendenv: Any, tmp_path: Path, kind: str) -> None:
    found = ascendenv("import", kind, str(tmp_path))
    assert (found.code, "this is a folder" in found.err) == (2, True)


def test_a_folder_without_lists_of_the_deployer(ascendenv: Any, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    found = ascendenv("import", "deployer", str(tmp_path))
    assert (found.code, "no version list of ascend-deployer here" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("kind", "where", "words"),
    [
        ("compatibility", "/nowhere/COMPATIBILITY.md", "No such file"),
        ("compatibility", "http://host.example/COMPATIBILITY.md", "only https addresses are read"),
        ("compatibility", "ftp://host.example/COMPATIBILITY.md", "only https addresses are read"),
        ("compatible", "x", "the nearest one is compatibility"),
        ("zzz", "x", "the kinds are: compatibility, support"),
    ],
)
def test_what_cannot_be_had(ascendenv: Any, kind: str, where: str, words: str) -> None:
    found = ascendenv("import", kind, where)
    assert (found.code, words in found.err) == (2, True)


def test_a_damaged_wheel(ascendenv: Any, tmp_path: Path) -> None:
    path = tmp_path / "ascend_deployer-26.0.0-py3-none-any.whl"
    path.write_bytes(b"PK\x03\x04" + b"\0" * 100)
    found = ascendenv("import", "deployer", str(path))
    assert (found.code, "this archive is damaged" in found.err) == (2, True)


MATRIX = shipped_matrix()
TEXTS = [
    COMPATIBILITY,
    SUPPORT,
    POLICY,
    INDEX,
    CANN,
    MATCH,
    (SAMPLES / "torch-npu.html").read_text(encoding="utf-8"),
]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_no_bytes_make_a_reader_fail(kind: Any, data: bytes) -> None:
    with suppress(AscendenvError):
        reading(kind.name, Material("x", (Document("a/version.info", data),)), matrix=MATRIX)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_no_damage_makes_a_reader_fail(kind: Any, text: str, random: Any) -> None:
    """A document with a piece cut out, doubled or replaced is read or refused, in words."""
    start, end = sorted(random.randrange(len(text)) for _ in range(2))
    piece = random.choice(["", text[start:end] * 2, "|", "\n", "{", '"', "[" * 50, "-- | --", "\0"])
    damaged = text[:start] + piece + text[min(end, start + 200) :]
    try:
        found = reading(kind.name, Material("x", (Document("x", damaged.encode()),)), matrix=MATRIX)
    except AscendenvError:
        return
    for one in found.statements:
        assert json.dumps(one.row())
