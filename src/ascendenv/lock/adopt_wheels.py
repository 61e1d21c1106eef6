"""The wheels behind the packages of a machine: a snapshot knows names and versions, an index knows files and hashes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ascendenv.errors import HostFailed
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.lock.model import UNVERIFIED, Artefact
from ascendenv.lock.pip_set import CUDA, PipQuestion, resolve_pip_set
from ascendenv.lock.uv import PipSetClash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.facts.model import HostFacts, Package
    from ascendenv.language import Message
    from ascendenv.lock.model import Stack
    from ascendenv.lock.spec import Sources
    from ascendenv.matrix.model import Matrix

__all__ = ["wheels_of"]

_TRIES = 20
"""How often the index is asked anew without the packages that it does not have."""


def wheels_of(
    facts: HostFacts, stack: Stack, matrix: Matrix, sources: Sources, *, ask_index: bool = True
) -> tuple[tuple[Artefact, ...], tuple[Message, ...]]:
    """A wheel for each package but those of CUDA, as far as an index knows it, and what could not be known."""
    packages = known(facts.packages)
    listed = sorted(packages, key=lambda one: one.name) if packages is not None else []
    cuda = [one for one in listed if CUDA.fullmatch(one.name)]
    wanted = [one for one in listed if one not in cuda]
    told = [
        say("{name} {version} is left out: it is a package of CUDA", name=one.name, version=one.version)
        for one in cuda
    ]
    found: dict[str, Artefact] = {}
    if ask_index and wanted and stack.value("python") is not None:
        torch = packages.get("torch") if packages is not None else None
        is_cpu_build = torch is not None and torch.version.endswith("+cpu")
        question = _question(stack, matrix, sources, is_cpu_build=is_cpu_build)
        found, why = _asked(question, {one.name: f"{one.name}=={one.version}" for one in wanted})
        told += [why] if why is not None else []
    missing = [one for one in wanted if one.name not in found]
    if missing:
        names = ", ".join(f"{one.name} {one.version}" for one in missing)
        told.append(say("no hash is known for the packages {names}", names=names))
    wheels = tuple(found.get(one.name) or _nameless(one) for one in wanted)
    return wheels, tuple(told)


def _question(stack: Stack, matrix: Matrix, sources: Sources, *, is_cpu_build: bool) -> PipQuestion:
    index = next(iter(matrix.torch_indexes), None) if is_cpu_build else None
    return PipQuestion(
        stack=stack.name,
        arch=stack.arch[0],
        python=stack.value("python") or "",
        requirements=(),
        torch_index=index.url if index is not None else None,
        sources=sources,
        alone=True,
    )


def _asked(
    question: PipQuestion, pins: Mapping[str, str], tries: int = _TRIES
) -> tuple[dict[str, Artefact], Message | None]:
    """What the index has of these requirements by name; a message where it could not be asked."""
    try:
        found = resolve_pip_set(replace(question, requirements=tuple(pins.values())))
    except HostFailed as error:
        return {}, error.message
    except PipSetClash as error:
        left = {name: pin for name, pin in pins.items() if not _is_named(str(error.message), name)}
        if tries and left and len(left) < len(pins):
            return _asked(question, left, tries - 1)
        return {}, error.message
    return {one.name: one for one in found}, None


def _is_named(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _nameless(package: Package) -> Artefact:
    return Artefact(component="pip", name=package.name, version=package.version, verified=UNVERIFIED)
