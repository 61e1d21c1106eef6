"""Pages on what an environment tool cannot judge: it says so, and where to look."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["topic_names"]


def topic_names() -> tuple[str, ...]:
    """The names of all topics."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".zh.md") for name in names if name.endswith(".zh.md")))
