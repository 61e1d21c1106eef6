"""Finds the addresses of wheels that a lock leaves out, because it was made behind an index that it does not name."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from packaging.utils import canonicalize_name

from ascendenv.fetch.answers import Broken, Refused, shown
from ascendenv.fetch.download import NotFetched
from ascendenv.fetch.http import Client
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.fetch.goal import Goal
    from ascendenv.language import Message

__all__ = ["Indexes"]

_TRIES = 3
_WORKERS = 8


@dataclass(frozen=True)
class Indexes:
    """Package indexes (PEP 503 or 691) in the order in which they are asked, and folders or pages with wheels before them."""

    bases: tuple[str, ...]
    links: tuple[str, ...] = ()
    ca: str | None = None

    def addresses(self, goals: Sequence[Goal]) -> dict[Goal, str | NotFetched]:
        """The address of each wheel, or why there is none; other files are left out."""
        wheels = [one for one in goals if one.first.component == "pip" and one.first.file]
        with ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="index") as pool:
            return dict(zip(wheels, pool.map(self._address, wheels), strict=True))

    def _address(self, goal: Goal) -> str | NotFetched:
        reasons: list[Message] = []
        with closing(Client(ca=self.ca)) as client:
            for page in self._pages(goal):
                try:
                    found = dict(reversed(list(_files(client, page))))
                except (Broken, Refused) as error:
                    reasons.append(say("{url}: {reason}", url=shown(page), reason=error.reason))
                    continue
                if goal.first.file in found:
                    return found[goal.first.file]
                reasons.append(say("{url}: it does not list the file", url=shown(page)))
        return NotFetched(_joined(reasons), where=goal.name, hint=_name_one() if not self.bases else None)

    def _pages(self, goal: Goal) -> Iterator[str]:
        yield from self.links
        for base in self.bases:
            yield f"{base.rstrip('/')}/{canonicalize_name(goal.first.name)}/"


def _files(client: Client, page: str) -> Iterator[tuple[str, str]]:
    """Name and address of every file that a page or a folder lists."""
    if "://" not in page or page.startswith("file://"):
        yield from _in_folder(Path(unquote(urlsplit(page).path) if "://" in page else page))
        return
    url, kind, data = _read(client, page)
    yield from _json(data, url) if "json" in kind else _html(data, url)


def _read(client: Client, page: str, tries: int = _TRIES) -> tuple[str, str, bytes]:
    try:
        return client.page(page)
    except Broken:
        if tries <= 1:
            raise
    return _read(client, page, tries - 1)


def _in_folder(folder: Path) -> Iterator[tuple[str, str]]:
    index = folder / "index.html"
    if index.is_file():
        yield from _html(index.read_bytes(), index.as_uri())
        return
    if not folder.is_dir():
        raise Refused(say("there is no such folder"))
    for path in sorted(folder.iterdir()):
        if path.suffix == ".whl":
            yield path.name, path.resolve().as_uri()


def _json(data: bytes, url: str) -> Iterator[tuple[str, str]]:
    try:
        files = json.loads(data)["files"]
        found = [(str(one["filename"]), urljoin(url, str(one["url"]))) for one in files]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refused(say("this is no page of a package index")) from error
    yield from found


def _html(data: bytes, url: str) -> Iterator[tuple[str, str]]:
    parser = _Links()
    parser.feed(data.decode("utf-8", "replace"))
    for link in parser.found:
        address = urldefrag(urljoin(url, link)).url
        yield unquote(urlsplit(address).path.rpartition("/")[2]), address


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


def _joined(reasons: Sequence[Message]) -> Message:
    if len(reasons) == 1:
        return reasons[0]
    found = say("no package index has it")
    for one in reasons:
        found = say("{before}\n  {reason}", before=found, reason=one)
    return found


def _name_one() -> Message:
    return say("name the package index: index in [sources] of ascendenv.toml, or PIP_INDEX_URL=https://...")
