"""torch_npu's SUPPORT table: where each torch line stands in its life, and what comes next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.sources.markdown import Column, Shape, read_tables
from ascendenv.sources.reading import day, is_nothing, month_or_day, python_version
from ascendenv.sources.statement import Reading, Skipped, Statement, Subject, UnreadableSource

if TYPE_CHECKING:
    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.markdown import Line
    from ascendenv.sources.material import Document, Material

__all__ = ["read"]

_LINES = Shape(
    (
        Column(
            "torch_npu",
            ("TorchNPU software package version", "TorchNPU软件包版本", "torch_npu软件包版本"),
        ),
        Column("status", ("Current status", "当前状态")),
        Column("released", ("Release time", "发布时间")),
        Column("next", ("Follow-up status", "后续状态")),
        Column("eol", ("EOL Date", "EOL日期")),
    )
)
_DOCUMENT = re.compile(r"^(?:https?://\S+/)?(?:gitcode\.com/|gitee\.com/)?Ascend/pytorch[:/]\S*SUPPORT")
_STAGES = {
    "planned": "planned",
    "计划": "planned",
    "development": "development",
    "开发": "development",
    "maintenance": "maintenance",
    "维护": "maintenance",
    "eol": "eol",
}
_NEXT = {
    "eol": "eol",
    "maintenance": "maintenance",
    "维护": "maintenance",
    "released": "development",
    "发布": "development",
}
_UNPUBLISHED = frozenset({"unpublished", "unreleased", "未发布"})


def read(material: Material, asked: Asked) -> Reading:
    """The life of each line, as it was published on the day of the import; raises UnreadableSource."""
    document = material.document
    text = document.prose(say("torch_npu's support table"))
    (lines,) = read_tables(document, text, (_LINES,))
    source = asked.origin.of(document.name)
    skipped = [
        Skipped(document.place(line.number), line["next"], say("what follows is not understood"))
        for line in lines
        if not is_nothing(line["next"]) and _next(line["next"]) is None
    ]
    return Reading(
        statements=tuple(
            Statement(
                subject=Subject("torch", (python_version(document, line.number, line["torch_npu"]),)),
                values={"lifecycle": _life(document, line, asked.origin.day)},
                source=source,
                place=document.place(line.number),
            )
            for line in lines
        ),
        document=_DOCUMENT,
        whole=frozenset({"torch"}),
        skipped=tuple(skipped),
    )


def _life(document: Document, line: Line, today: str) -> dict[str, object]:
    status = _STAGES.get(line["status"].casefold())
    if status is None:
        words = say("{text} is no status of a version that is known", text=repr(line["status"]))
        raise UnreadableSource(words, name=document.name, line=line.number)
    life: dict[str, object] = {"status": status}
    if not is_nothing(line["released"]) and line["released"].casefold() not in _UNPUBLISHED:
        life["first_release"] = day(document, line.number, line["released"])
    if not is_nothing(line["eol"]):
        life["eol"] = day(document, line.number, line["eol"])
    following = _next(line["next"])
    if following is not None:
        life["next_status"], life["next_from"] = following
    return {**life, "as_of": today}


def _next(text: str) -> tuple[str, str] | None:
    """The stage that is announced, and its first day or month."""
    since = month_or_day(text)
    words = text.casefold()
    stage = next((stage for word, stage in _NEXT.items() if word in words), None)
    return None if since is None or stage is None else (stage, since)
