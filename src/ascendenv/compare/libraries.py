"""Libraries as a comparison sees them: by name, at a place that does not depend on where an environment lies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["libraries_by_name"]

# What stands before these folders is where somebody keeps environments, and says nothing about the library.
_ENVIRONMENT = re.compile(r".*(?=/(?:site|dist)-packages/)|.*(?=/lib/python3\.\d+/)")
_VERSION = re.compile(r"\.so(?:\.[\w.]+)?$")


def libraries_by_name(paths: Iterable[str]) -> dict[str, str]:
    """Name (`libascendcl.so`) and place of each library; one that is there twice has both places."""
    found: dict[str, set[str]] = {}
    for path in paths:
        folder, _, file = path.rpartition("/")
        found.setdefault(_VERSION.sub(".so", file), set()).add(_place(folder, file))
    return {name: " + ".join(sorted(places)) for name, places in sorted(found.items())}


def _place(folder: str, file: str) -> str:
    return _ENVIRONMENT.sub("...", f"{folder}/{file}", count=1)
