"""How a row's source is written: the document, its version as far as the address tells it, and the day it was read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

__all__ = ["Origin", "short_name"]

_RAW = re.compile(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/(?:refs/(?:heads|tags)/)?([^/]+)/(.+)")
_FORGE = re.compile(
    r"https://(?:www\.)?(github\.com|gitcode\.com|gitee\.com)/([^/]+/[^/]+)/(?:raw|blob|raw/refs/heads)/([^/]+)/(.+)"
)


@dataclass(frozen=True)
class Origin:
    """Where the documents of one import come from: as the user names it, or else as it was given."""

    day: str
    named: str | None = None

    def of(self, document: str, *, usual: str | None = None, several: bool = False) -> str:
        """The source of rows from `document`, an address or the name of a file.

        `usual` stands for it where the user named no origin; with `several` documents the user's name gets the name
        of the one added.
        """
        if self.named is not None:
            text = f"{self.named} {document}" if several else self.named
        else:
            text = usual or short_name(document)
        return f"{text}, read {self.day}"


def short_name(document: str) -> str:
    """An address as sources are written (`owner/repo:path@branch`), without login and query; a file by its name."""
    if "://" not in document:
        return f"file {document.rpartition('/')[2]}"
    address = unquote(document.partition("?")[0].partition("#")[0])
    if match := _RAW.fullmatch(address):
        return f"{match[1]}:{match[3]}@{match[2]}"
    if match := _FORGE.fullmatch(address):
        host = "" if match[1] == "github.com" else f"{match[1]}/"
        return f"{host}{match[2]}:{match[4]}@{match[3]}"
    parts = urlsplit(document)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
