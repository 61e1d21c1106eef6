"""Digests of what a lock installs: of each part, of a stack, and of the whole lock.

They cover versions, settings and the bytes of files, and nothing else: no level, source, address, size, name of a file
whose hash is known, matrix, or comment. So a new row of the matrix or another mirror voids no approval, and another
firmware rebuilds no Python environment. The form is described in docs/lock.md.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from ascendenv.lock.model import UNVERIFIED

if TYPE_CHECKING:
    from ascendenv.lock.model import Artefact, Lock, Part, Stack

__all__ = ["digest", "part_digest", "stack_digest"]

_FORM = 1


def digest(lock: Lock) -> str:
    """The digest of the whole lock, as `sha256:` and 64 digits."""
    return _of({"stacks": {one.name: stack_digest(one) for one in lock.stacks}})


def stack_digest(stack: Stack, arch: str | None = None) -> str:
    """The digest of a stack, or of what one architecture installs of it."""
    return _of({"parts": {one.name: part_digest(one, stack, arch) for one in stack.parts}})


def part_digest(part: Part, stack: Stack, arch: str | None = None) -> str:
    """The digest of a part of that stack, or of what one architecture installs of it."""
    if arch is None:
        return _of({"part": part.name, "arch": {one: part_digest(part, stack, one) for one in stack.arch}})
    files = sorted(_named(one) for one in part.artefacts if one.is_for(arch))
    return _of({"part": part.name, "values": sorted([*one] for one in part.values), "files": files})


def _named(artefact: Artefact) -> list[str]:
    bytes_of = artefact.sha256 or f"{UNVERIFIED}:{artefact.file or ''}"
    return [artefact.component, artefact.name, artefact.version, bytes_of]


def _of(content: dict[str, object]) -> str:
    text = json.dumps({"form": _FORM, **content}, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"sha256:{sha256(text.encode('ascii')).hexdigest()}"
