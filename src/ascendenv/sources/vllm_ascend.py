"""vllm-ascend's release compatibility matrix: the CANN, torch, torch_npu and Python that each release wants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.sources.markdown import Column, Shape, read_tables
from ascendenv.sources.reading import day, is_nothing, python_range, python_version, vendor_version
from ascendenv.sources.statement import Part, Reading, Skipped, Statement, Subject, UnreadableSource

if TYPE_CHECKING:
    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.markdown import Line
    from ascendenv.sources.material import Document, Material

__all__ = ["read"]

_PROJECT = "vllm-ascend"
_RELEASES = Shape(
    (
        Column("version", ("vLLM Ascend",)),
        Column("vllm", ("vLLM",)),
        Column("python", ("Python",)),
        Column("cann", ("Stable CANN", "CANN")),
        Column("pair", ("PyTorch/torch_npu",)),
        Column("triton", ("Triton Ascend",), needed=False),
    )
)
_DAYS = Shape((Column("day", ("Date", "日期")), Column("event", ("Event", "事件"))), optional=True)
_DOCUMENT = re.compile(r"^(?:https?://\S+/)?vllm-project/vllm-ascend[:/]\S*community/versioning_policy")
_VERSION = re.compile(r"v\d+\.\d+\.\d+\S*")


def read(material: Material, asked: Asked) -> Reading:
    """The releases of the table, with their day where the release window tells it; raises UnreadableSource."""
    document = material.document
    text = document.prose(say("vllm-ascend's release table"))
    releases, events = read_tables(document, text, (_RELEASES, _DAYS))
    days = {
        one["event"].rpartition(",")[2].strip(): day(document, one.number, one["day"])
        for one in events
        if _VERSION.fullmatch(one["event"].rpartition(",")[2].strip())
    }
    source = asked.origin.of(document.name)
    listed = [one for one in releases if _VERSION.fullmatch(one["version"])]
    return Reading(
        statements=tuple(_release(document, one, days.get(one["version"]), source) for one in listed),
        document=_DOCUMENT,
        whole=frozenset({Subject("downstream", (_PROJECT,))}),
        skipped=tuple(
            Skipped(document.place(one.number), one["version"], say("this is a branch, not a release"))
            for one in releases
            if one not in listed
        ),
    )


def _release(document: Document, line: Line, released: str | None, source: str) -> Statement:
    torch, slash, torch_npu = (one.strip() for one in line["pair"].partition("/"))
    if not slash:
        words = say("{text} is no pair of torch and torch_npu", text=repr(line["pair"]))
        raise UnreadableSource(words, name=document.name, line=line.number)
    values: dict[str, object] = {} if released is None else {"released": released}
    values |= {
        "cann": vendor_version(document, line.number, line["cann"]),
        "torch": python_version(document, line.number, torch),
        "torch_npu": python_version(document, line.number, torch_npu),
    }
    if not is_nothing(line.get("triton")):
        values["triton_ascend"] = python_version(document, line.number, line.get("triton"))
    values |= {"python": python_range(document, line.number, line["python"]), "vllm": line["vllm"]}
    return Statement(
        subject=Subject("downstream", (_PROJECT,), Part("releases", (("version", line["version"]),))),
        values=values,
        assumed={"kind": "release"},
        source=source,
        place=document.place(line.number),
    )
