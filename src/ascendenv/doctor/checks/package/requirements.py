"""Requirements as pip and uv write them: `torch-npu==2.7.1`, `torch>=2.5.1`, `torch-npu 2.9.0`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.versions import InvalidVersion, pep440

if TYPE_CHECKING:
    from ascendenv.versions import Version

__all__ = ["Requirement", "read_requirement", "requirements_in", "version_of"]

_REQUIREMENT = re.compile(
    r"(?<![\w.-])([A-Za-z][\w.-]*?)(?:\[[\w,-]+\])?\s*(===?|>=|<=|~=|!=|>|<)\s*v?(\d[\w.+!*]*)"
)
_NAME = re.compile(r"[A-Za-z][\w.-]*")


@dataclass(frozen=True)
class Requirement:
    """A wanted distribution: normalised name, operator and version as written (both empty for a bare name)."""

    name: str
    operator: str = ""
    version: str = ""

    @property
    def pinned(self) -> Version | None:
        """The version when exactly one is wanted and it can be read."""
        return version_of(self.version) if self.operator in {"==", "==="} else None

    def __str__(self) -> str:
        """As pip takes it."""
        return f"{self.name}{self.operator}{self.version}"


def requirements_in(text: str) -> list[Requirement]:
    """All requirements with a version that a message names."""
    return [
        Requirement(_normal(name), operator, version)
        for name, operator, version in _REQUIREMENT.findall(text)
    ]


def read_requirement(text: str) -> Requirement | None:
    """The first requirement of a text, which may be a bare name; None where there is none."""
    found = requirements_in(text)
    if found:
        return found[0]
    name = _NAME.match(text.strip())
    return Requirement(_normal(name.group())) if name else None


def version_of(text: str) -> Version | None:
    """The version that a text is, or None."""
    try:
        return pep440(text.strip().lstrip("v"))
    except InvalidVersion:
        return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
