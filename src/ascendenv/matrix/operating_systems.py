"""Operating systems as people and /etc/os-release write them, compared with the lists of the matrix."""

from __future__ import annotations

import re

__all__ = ["is_same_system", "system_of"]

_WORD = re.compile(r"[a-z]+[0-9]*|[0-9]+(?:\.[0-9]+)*", re.IGNORECASE)
_NOISE = frozenset({"linux", "lts", "gnu", "server", "release", "advanced", "os"})
_SAME = {"ubuntu": "ubuntu", "red": "rhel", "alibaba": "alinux", "uniontech": "uos", "tencentos": "tlinux"}


def system_of(text: str) -> frozenset[str]:
    """The words that tell a system: `Ubuntu 22.04.5 LTS` is {"ubuntu", "22.04"}."""
    words = [word.lower() for word in _WORD.findall(text.replace("-", " ").replace("_", " "))]
    return frozenset(_short(_SAME.get(word, word)) for word in words if word not in _NOISE)


def is_same_system(system: frozenset[str], name: str, release: str) -> bool:
    """Whether `system` is that release of that system, as far as both tell."""
    listed = system_of(f"{name} {release}")
    return name.lower() in system and (listed <= system or system <= listed)


def _short(word: str) -> str:
    """`22.04.5` is 22.04: point releases do not matter to the lists."""
    parts = word.split(".")
    return ".".join(parts[:2]) if word[:1].isdigit() else word
