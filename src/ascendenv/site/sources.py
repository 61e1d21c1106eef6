"""Which rows are a site's own."""

from __future__ import annotations

from ascendenv.matrix.store import SITE

__all__ = ["is_of_site"]


def is_of_site(sources: tuple[str, ...]) -> bool:
    """Whether a row with these sources came from a site's matrix folder."""
    return any(one.startswith(SITE) for one in sources)
