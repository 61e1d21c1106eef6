"""The sizes of files whose index does not tell them: one question a file, at once, and no harm where none is answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.lock.model import Artefact

__all__ = ["with_sizes"]

_PATIENCE = 10.0
"""Seconds for one answer."""
_AT_ONCE = 8


def with_sizes(artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
    """The same files, with the sizes that their servers tell."""
    silent = [one for one in artefacts if one.size is None and one.urls and one.urls[0].startswith("http")]
    if not silent:
        return tuple(artefacts)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        sizes = dict(zip(silent, pool.map(_size, (one.urls[0] for one in silent)), strict=True))
    return tuple(replace(one, size=sizes.get(one, one.size)) for one in artefacts)


def _size(url: str) -> int | None:
    import requests

    try:
        answer = requests.head(
            url, timeout=_PATIENCE, allow_redirects=True, headers={"Accept-Encoding": "identity"}
        )
    except requests.RequestException:
        return None
    length = answer.headers.get("Content-Length", "")
    return int(length) if answer.ok and length.isdigit() else None
