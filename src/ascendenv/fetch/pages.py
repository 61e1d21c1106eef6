"""The files of a bundle that follow from its manifest: pages for pip and for people, and the list for `sha256sum -c`.

They hold nothing of their own, so that they can be checked by making them again.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from packaging.utils import canonicalize_name

from ascendenv.fetch.manifest import MANIFEST
from ascendenv.fetch.space import shown_size
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.fetch.manifest import BundledFile, Manifest

__all__ = ["SUMS", "pages"]

SUMS = "SHA256SUMS"
_HEAD = '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="pypi:repository-version" content="1.0">'
_STYLE = (
    "<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}"
    "td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}code{word-break:break-all}"
    "@media(prefers-color-scheme:dark){body{background:#16181d;color:#ddd}a{color:#8ab4f8}}</style>"
)


def pages(manifest: Manifest) -> dict[str, bytes]:
    """Each page by its path, and SHA256SUMS over everything but itself and the manifest."""
    found = {"index.html": _front(manifest)}
    projects: dict[str, dict[str, BundledFile]] = {}
    for one in manifest.files:
        if one.component == "pip":
            projects.setdefault(canonicalize_name(one.name), {})[one.path] = one
    if projects:
        found["simple/index.html"] = _page(
            "simple", (f'<a href="{quote(name)}/">{escape(name)}</a>' for name in sorted(projects))
        )
    for name, files in projects.items():
        links = (_link(one, "../../") for _, one in sorted(files.items()))
        found[f"simple/{name}/index.html"] = _page(name, links)
    return found | {SUMS: _sums(manifest)}


def _page(title: str, links: Iterable[str]) -> bytes:
    body = "<br>\n".join(links)
    return f"{_HEAD}<title>{escape(title)}</title></head>\n<body>\n{body}\n</body>\n</html>\n".encode()


def _front(manifest: Manifest) -> bytes:
    """All files in one table; pip reads it with --find-links, people with a browser."""
    head = (say("file"), say("what it is"), say("size"), say("whose word its hash is"))
    titles = "".join(f"<th>{escape(one.text())} · {escape(one.text('zh'))}</th>" for one in head)
    rows = {one.path: _row(one) for one in manifest.files}
    others = [
        f'<li><a href="{quote(one.path)}">{escape(one.path)}</a></li>'
        for one in (*manifest.locks, *manifest.texts)
    ]
    return (
        f"{_HEAD}<title>ascendenv</title>{_STYLE}</head>\n<body>\n<h1>ascendenv</h1>\n"
        f'<ul>\n<li><a href="{MANIFEST}">{MANIFEST}</a></li>\n<li><a href="{SUMS}">{SUMS}</a></li>\n'
        + "\n".join([*others, "</ul>"])
        + f"\n<table>\n<tr>{titles}</tr>\n"
        + "\n".join(rows.values())
        + "\n</table>\n</body>\n</html>\n"
    ).encode()


def _row(one: BundledFile) -> str:
    what = escape(" ".join(text for text in (one.name, one.version, one.arch) if text))
    return f"<tr><td>{_link(one, '')}</td><td>{what}</td><td>{shown_size(one.size)}</td><td>{one.verified}</td></tr>"


def _link(one: BundledFile, up: str) -> str:
    name = one.path.rpartition("/")[2]
    return f'<a href="{up}{quote(one.path)}#sha256={one.sha256}">{escape(name)}</a>'


def _sums(manifest: Manifest) -> bytes:
    return "".join(f"{one.sha256}  {path}\n" for path, one in sorted(manifest.listed().items())).encode()
