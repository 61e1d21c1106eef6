"""Laws of importing: what the matrix itself would print changes nothing, and a second import finds nothing to do."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conftest import compared, document, imported, written

from ascendenv.matrix.store import shipped_artefacts, shipped_matrix
from ascendenv.sources.comparison import Verdict, compare
from ascendenv.sources.kinds import Asked, source_kind
from ascendenv.sources.origin import Origin
from ascendenv.sources.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.sources.comparison import Comparison, Finding

MATRIX = shipped_matrix()
RAW: dict[str, Any] = {**MATRIX.raw, **shipped_artefacts().raw}
STANDING = Standing(None, raw=RAW)

OFFICIAL = [one for one in RAW["torch_npu"] if one["basis"] == "official" and len(one.get("cann", ())) == 1]
LIVES = [one for one in RAW["torch"] if "lifecycle" in one]
INDEXED = [one for one in RAW["torch_npu"] if one.get("on_index") and " / " not in str(one["platforms"])]
(VLLM,) = [one for one in RAW["downstream"] if one["project"] == "vllm-ascend"]
RELEASES = [
    one
    for one in VLLM["releases"]
    if one["kind"] == "release" and {"vllm", "torch_npu", "python"} <= one.keys()
]
IMAGES = [one for one in RAW["images"] if one["repository"].startswith("quay.io/")]
SETS = [one for one in RAW["artefacts"] if all("sha256" in file and "url" in file for file in one["files"])]
HEADS = {
    "en": ("TorchNPU installation package version", "GitCode Branch", "PyTorch Version", "CANN version"),
    "zh": ("TorchNPU安装包版本", "GitCode分支", "PyTorch版本", "CANN版本"),
}
STAGES = {"planned": "计划", "development": "开发", "maintenance": "维护", "eol": "EOL"}
NEXT = {
    "development": "预计{day}发布",
    "maintenance": "预计{day}起进入维护状态",
    "eol": "预计{day}起进入EOL状态",
}


def table(*rows: Sequence[object]) -> str:
    head, *rest = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *rest]) + "\n"


def compatibility(rows: Sequence[Any], language: str) -> str:
    lines = [
        (one["version"], f"v{one['torch']}-{one['product']}", one["torch"], f"CANN {one['cann'][0]}")
        if "product" in one
        else (one["version"], "-", one["torch"], one["cann"][0])
        for one in rows
    ]
    return table(HEADS[language], *lines)


def support(rows: Sequence[Any]) -> str:
    lines = []
    for one in rows:
        life = one["lifecycle"]
        following = (
            NEXT[life["next_status"]].format(day=life["next_from"].replace("-", "/"))
            if "next_status" in life
            else "-"
        )
        days = (life.get("first_release", "未发布"), life.get("eol", "-"))
        released, eol = (day.replace("-", "/") if day[0].isdigit() else day for day in days)
        lines.append((one["torch"], STAGES[life["status"]], released, following, eol))
    return table(("TorchNPU软件包版本", "当前状态", "发布时间", "后续状态", "EOL日期"), *lines)


def policy(rows: Sequence[Any]) -> str:
    lines = [
        (
            one["version"],
            one["vllm"],
            one["python"].replace(",", ", "),
            one["cann"],
            f"{one['torch']} / {one['torch_npu']}",
            one.get("triton_ascend", "N/A"),
        )
        for one in rows
    ]
    days = [(one["released"].replace("-", "."), f"x, {one['version']}") for one in rows if "released" in one]
    head = ("vLLM Ascend", "vLLM", "Python", "Stable CANN", "PyTorch/torch_npu", "Triton Ascend")
    return table(head, *lines) + "\n" + table(("Date", "Event"), *days)


def index(rows: Sequence[Any]) -> str:
    names = [
        f"torch_npu-{one['version']}-{tag}-{tag}-{one['platforms'][arch]}.whl"
        for one in rows
        for arch, tags in one["wheels"].items()
        for tag in tags
    ]
    return json.dumps({"files": [{"filename": name} for name in names]})


def software(row: Any) -> str:
    name = {"cann": "CANN", "hdk": "NPU", "torch_npu": "Torch-npu"}[row["component"]]
    return json.dumps({"name": name, "version": row["release"], "other": row["files"]})


def against_shipped(kind: str, text: str) -> Comparison:
    asked = Asked(Origin("2026-11-29"), MATRIX)
    return compare(source_kind(kind).read(document(text), asked), STANDING, asked)


def some(rows: list[Any]) -> Any:
    """Some of the rows, each once; drawn by number, for Hypothesis prints what it draws from."""
    numbers = st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=12, unique=True)
    return numbers.map(lambda some_of: [rows[number] for number in some_of])


def without_gone(comparison: Comparison) -> list[Finding]:
    return [one for one in comparison.findings if one.verdict is not Verdict.GONE]


DOCUMENTS: Any = st.one_of(
    st.tuples(
        st.just("compatibility"), st.builds(compatibility, some(OFFICIAL), st.sampled_from(["en", "zh"]))
    ),
    st.tuples(st.just("support"), st.builds(support, some(LIVES))),
    st.tuples(st.just("vllm-ascend"), st.builds(policy, some(RELEASES))),
    st.tuples(st.just("index"), st.builds(index, some(INDEXED))),
    st.tuples(
        st.just("images"),
        some(IMAGES).map(lambda rows: "\n".join(tag for one in rows for tag in one["tags"])),
    ),
    st.tuples(st.just("deployer"), some(SETS).map(lambda rows: software(rows[0]))),
)
"""Documents that say what the shipped matrix says, as upstream would print it."""


@settings(deadline=None)
@given(DOCUMENTS)
def test_what_the_matrix_would_print_changes_nothing(given_: tuple[str, str]) -> None:
    kind, text = given_
    found = against_shipped(kind, text)
    assert not without_gone(found)
    assert found.agreed == found.read > 0


@settings(max_examples=10, deadline=None)
@given(st.lists(DOCUMENTS, min_size=1, max_size=3))
def test_importing_twice_is_importing_once(documents: list[tuple[str, str]]) -> None:
    """Into a small matrix that stands: lint holds after each, and nothing is left to do in any order."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = written(Path(temporary) / "matrix")
        for kind, text in documents:
            imported(kind, text, folder, source=kind)
        before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
        for kind, text in documents:
            assert not compared(kind, text, folder, source=kind).to_write
            assert not imported(kind, text, folder, source=kind)
        assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before


@settings(max_examples=25, deadline=None)
@given(some(OFFICIAL), st.data())
def test_one_changed_cell_is_one_finding(rows: list[Any], data: st.DataObject) -> None:
    """Whatever else stands in the document, a changed CANN is told of just that row, and never lost."""
    changed = rows[data.draw(st.integers(0, len(rows) - 1))]
    text = compatibility([{**one, "cann": ["99.9.9"]} if one is changed else one for one in rows], "en")
    found = without_gone(against_shipped("compatibility", text))
    assert {str(one.subject) for one in found if str(one.subject) != "cann 99.9.9"} == {
        f"torch_npu {changed['version']}"
    }
