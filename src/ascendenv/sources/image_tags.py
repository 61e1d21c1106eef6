"""Lists of container-image tags: registry answers, publish lists, overview pages, or one tag a line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ascendenv.language import say
from ascendenv.sources.reading import python_version, vendor_version
from ascendenv.sources.statement import Reading, Skipped, Statement, Subject, UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.material import Document, Material

__all__ = ["read"]

_TAG = re.compile(
    r"(?:(?P<torch_npu>\d[\w.+]*)-cann)?(?P<cann>\d+\.\d[\w.]*(?:-(?:alpha|beta|rc)[.\w]*)?)"
    r"-(?P<chip>[0-9a-z]+)-(?P<os>[a-z]+\d[\d.]*)-py(?P<python>\d+\.\d+)(?:-[a-z]+)?",
    re.IGNORECASE,
)
_SPAN = re.compile(r"`([^`\s]+)`")
_API = re.compile(r"^/(?:api/v1/repository/(?P<api>.+?)/tag|v2/(?P<v2>.+?)/tags/list)/?$")
_USUAL = {False: "quay.io/ascend/cann", True: "quay.io/ascend/torch-npu"}
_DOCUMENT = re.compile(r"^image tag list|^Ascend/cann-container-image:|^Ascend/pytorch:docker/OVERVIEW")
_Key = tuple[str, str, str]


def read(material: Material, asked: Asked) -> Reading:
    """The tags by repository, CANN and torch_npu; raises UnreadableSource."""
    document = material.document
    tags, repository, is_whole = _tags(document)
    rows: dict[_Key, dict[str, int | None]] = {}
    skipped = []
    for tag, line in tags:
        match = _TAG.fullmatch(tag)
        if match is None:
            skipped.append(
                Skipped(
                    document.place(line), tag, say("this tag does not name CANN, chip, system and Python")
                )
            )
            continue
        rows.setdefault(_key(document, match, line, asked.repository or repository, asked), {})[tag] = line
    if not rows:
        raise UnreadableSource(
            say("this lists no image tags such as 9.0.0-910b-ubuntu22.04-py3.11"),
            name=document.name,
        )
    source = asked.origin.of(document.name)
    statements = [
        Statement(
            subject=Subject("images", key),
            values={"tags": sorted(found)},
            source=source,
            place=document.place(next(iter(found.values()))),
        )
        for key, found in rows.items()
    ]
    whole = frozenset(one.subject for one in statements) if is_whole else frozenset()
    return Reading(statements=tuple(statements), document=_DOCUMENT, whole=whole, skipped=tuple(skipped))


def _key(
    document: Document, match: re.Match[str], line: int | None, repository: str | None, asked: Asked
) -> _Key:
    cann = vendor_version(document, line, match["cann"])
    torch_npu = python_version(document, line, match["torch_npu"]) if match["torch_npu"] else ""
    return repository or _USUAL[bool(torch_npu)], asked.cann_name(cann), torch_npu


def _tags(document: Document) -> tuple[list[tuple[str, int | None]], str | None, bool]:
    """The tags with their lines, the repository where the list names one, and whether the list is complete."""
    text = document.prose(say("a list of image tags"))
    if text.lstrip()[:1] in ("{", "["):
        return _listed_in_json(document)
    spans: list[tuple[str, int | None]] = [
        (match[1], number)
        for number, line in enumerate(text.split("\n"), 1)
        for match in _SPAN.finditer(line)
        if _TAG.fullmatch(match[1])
    ]
    if spans:
        return spans, None, False
    lines = [(line.strip(), number) for number, line in enumerate(text.split("\n"), 1)]
    return [(_bare(line), number) for line, number in lines if line and line[0] != "#"], None, False


def _bare(line: str) -> str:
    """The tag of a line that may be a whole image reference, or have columns behind it."""
    word = line.split(maxsplit=1)[0]
    return word.rpartition(":")[2] if "/" in word else word


def _listed_in_json(document: Document) -> tuple[list[tuple[str, int | None]], str | None, bool]:
    data = document.parsed_json(say("a list of image tags"))
    repository = _named(document, data)
    found = [(tag, document.line_of(json.dumps(tag))) for tag in dict.fromkeys(_texts(data))]
    is_whole = isinstance(data, dict) and "tags" in {key.casefold() for key in data if isinstance(key, str)}
    is_page = isinstance(data, dict) and (data.get("has_additional") or data.get("next"))
    return found, repository, is_whole and not is_page


def _named(document: Document, data: object) -> str | None:
    """The repository: skopeo names it in full, a registry without its host, which the address tells."""
    parts = urlsplit(document.name)
    if parts.scheme == "https" and (match := _API.match(parts.path)):
        return f"{parts.netloc.rpartition('@')[2]}/{match['api'] or match['v2']}"
    full = data.get("Repository") if isinstance(data, dict) else None
    return full if isinstance(full, str) else None


def _texts(data: object, depth: int = 6) -> Iterator[str]:
    """Every text that stands where lists of tags keep them: below `tags`, bare or under `name`."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict) and depth:
        for key, value in data.items():
            if key.casefold() == "tags" and isinstance(value, list):
                yield from (name for one in value if (name := _name(one)) is not None)
            elif isinstance(value, list | dict):
                yield from _below(value, depth)
    elif isinstance(data, list) and depth:
        for one in data:
            yield from _texts(one, depth - 1)


def _below(value: object, depth: int) -> Iterator[str]:
    """The tags in what an object holds; bare texts there are other things."""
    inner = value if isinstance(value, list) else [value]
    for one in inner:
        if isinstance(one, dict):
            yield from _texts(one, depth - 1)


def _name(one: object) -> str | None:
    if isinstance(one, dict):
        one = one.get("name")
    return one if isinstance(one, str) else None
