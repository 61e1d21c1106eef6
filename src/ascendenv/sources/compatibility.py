"""torch_npu's COMPATIBILITY tables: which torch and CANN each release is made for, and the Pythons of each torch.

Both languages of the document are read; the tables of past releases stand below a fold and look like the first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.sources.markdown import Column, Shape, read_tables
from ascendenv.sources.reading import python_version, vendor_version
from ascendenv.sources.statement import Reading, Statement, Subject, UnreadableSource
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.markdown import Line
    from ascendenv.sources.material import Document, Material

__all__ = ["read"]

_TORCH = Column("torch", ("PyTorch Version", "PyTorch版本"))
_RELEASES = Shape(
    (
        Column(
            "torch_npu",
            ("TorchNPU installation package version", "TorchNPU安装包版本", "torch_npu安装包版本"),
        ),
        Column("branch", ("GitCode Branch", "GitCode分支", "Branch", "分支")),
        _TORCH,
        Column("cann", ("CANN version", "CANN版本")),
    )
)
_PYTHONS = Shape((_TORCH, Column("python", ("Python version", "Python版本"))), optional=True)
_DOCUMENT = re.compile(r"^(?:https?://\S+/)?(?:gitcode\.com/|gitee\.com/)?Ascend/pytorch[:/]\S*COMPATIBILITY")
_PYTHON = re.compile(r"Python\s*(\d+\.\d+)(?:\s*[(（].*)?", re.IGNORECASE)
_BRANCH = re.compile(r"v[\d.]+-(\d\S*)")
_TAG = re.compile(r"\d+\.\d+\.\w+\.tr\d+")


def read(material: Material, asked: Asked) -> Reading:
    """The rows of the tables; raises UnreadableSource."""
    document = material.document
    text = document.prose(say("torch_npu's compatibility table"))
    releases, lines = read_tables(document, text, (_RELEASES, _PYTHONS))
    source = asked.origin.of(document.name)
    pythons = {torch: (line, found) for torch, line, found in _pythons(document, lines)}
    stated = {torch: found for torch, (_, found) in pythons.items()}
    statements = [_release(document, line, stated, source) for line in releases]
    statements += [
        Statement(
            subject=Subject("torch", (torch,)),
            values={"pythons_documented": found},
            source=source,
            place=document.place(line),
        )
        for torch, (line, found) in pythons.items()
    ]
    return Reading(statements=tuple(statements), document=_DOCUMENT, whole=frozenset({"torch_npu"}))


def _release(document: Document, line: Line, pythons: Mapping[str, list[str]], source: str) -> Statement:
    version = python_version(document, line.number, line["torch_npu"])
    torch = python_version(document, line.number, line["torch"])
    values: dict[str, object] = {"torch": torch}
    product = _product(line["branch"])
    if product is not None:
        values["product"] = product
    values |= {"basis": "official", "cann": [vendor_version(document, line.number, line["cann"])]}
    own = pythons.get(pep440(version).base)
    if own is not None:
        values["pythons_documented"] = own
    return Statement(
        subject=Subject("torch_npu", (version,)),
        values=values,
        source=source,
        place=document.place(line.number),
    )


def _product(branch: str) -> str | None:
    """The product version in the name of a branch: `26.1.0` in `v2.12.0-26.1.0`; the oldest are named by it alone."""
    match = _BRANCH.fullmatch(branch)
    if match is not None:
        return match[1]
    return branch if _TAG.fullmatch(branch) else None


def _pythons(document: Document, lines: list[Line]) -> Iterator[tuple[str, int, list[str]]]:
    for line in lines:
        bare = re.sub(r"^PyTorch\s*", "", line["torch"], flags=re.IGNORECASE)
        torch = python_version(document, line.number, bare)
        found = []
        for one in re.split(r"[,，、/]", line["python"]):
            match = _PYTHON.fullmatch(one.strip())
            if match is None:
                words = say("{text} is no Python version", text=repr(one.strip()))
                raise UnreadableSource(words, name=document.name, line=line.number)
            found.append(match[1])
        yield torch, line.number, found
