"""The whole pip set of a stack for one architecture, with the hash of every wheel."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ascendenv.language import say
from ascendenv.lock.machine_index import machine_index
from ascendenv.lock.pylock import artefacts_of, preferences
from ascendenv.lock.requirements import CPU_BUILDS
from ascendenv.lock.sizes import with_sizes
from ascendenv.lock.spec import Sources
from ascendenv.lock.toml_file import read_toml
from ascendenv.lock.toml_text import line, table
from ascendenv.lock.uv import PipSetClash, environment_for, run_uv

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ascendenv.lock.model import Artefact
    from ascendenv.matrix.rows.base import Arch

__all__ = ["CUDA", "PipQuestion", "resolve_pip_set"]

CUDA = re.compile(r"(nvidia|cuda)-.*")
"""The normalised names of packages that only a machine of another maker can use."""
_TORCH_INDEX = "torch-cpu"


@dataclass(frozen=True, kw_only=True)
class PipQuestion:
    """What is asked of uv. `torch_index` is where CPU builds come from, None where the default index has the right ones.

    `platform` is a wheel platform such as `manylinux_2_28`, `kept` are versions that stay where nothing speaks against
    them, `folder` is what relative folders of `sources` start from. `from_source`
    names packages that are taken as source, `alone` asks for the requirements without what they depend on.
    """

    stack: str
    arch: Arch
    python: str
    requirements: tuple[str, ...]
    platform: str | None = None
    torch_index: str | None = None
    sources: Sources = field(default_factory=Sources)
    kept: Mapping[str, str] = field(default_factory=dict)
    folder: Path = field(default_factory=Path)
    from_source: tuple[str, ...] = ()
    alone: bool = False


def resolve_pip_set(question: PipQuestion, machine: Mapping[str, str] | None = None) -> tuple[Artefact, ...]:
    """Every wheel that is installed; `machine` is the environment of the process.

    Raises PipSetClash where requirements contradict each other or bring CUDA along, HostFailed where uv or the index fails.
    """
    environment = os.environ if machine is None else machine
    own_index = None if question.sources.index is not None else machine_index(environment)
    found = _resolved(question, environment_for(environment, question.sources.index or own_index))
    _refuse_cuda(question, found)
    missed = {one.name for one in found if one.name in CPU_BUILDS} - _direct(question.requirements)
    if question.torch_index is not None and missed:
        # uv takes a package from a chosen index only where it was asked for by name.
        asked = (*question.requirements, *sorted(missed))
        return resolve_pip_set(replace(question, requirements=asked), environment)
    sized = found if environment.get("UV_OFFLINE") else with_sizes(found)
    return tuple(_public(one, question, own_index) for one in sized)


def _resolved(question: PipQuestion, environment: Mapping[str, str]) -> tuple[Artefact, ...]:
    with tempfile.TemporaryDirectory(prefix="ascendenv-lock-") as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text(_project(question), encoding="utf-8")
        target = folder / "pylock.toml"
        if question.kept:
            target.write_text(preferences(question.kept), encoding="utf-8")
        what = say("the pip set of stack {stack} on {arch}", stack=question.stack, arch=question.arch)
        run_uv(_arguments(question), folder, environment, what)
        content = read_toml(target, "pylock.toml").data
    return artefacts_of(
        content if isinstance(content, dict) else {},
        arch=question.arch,
        python=question.python,
        platform=question.platform,
        sources=frozenset(canonicalize_name(one) for one in question.from_source),
    )


def _arguments(question: PipQuestion) -> list[str]:
    platform = f"{question.arch}-{question.platform or 'unknown-linux-gnu'}"
    links = [
        word for one in question.sources.find_links for word in ("--find-links", _link(one, question.folder))
    ]
    return [
        *("pyproject.toml", "--format", "pylock.toml", "--output-file", "pylock.toml", "--no-header"),
        *("--python-platform", platform, "--python-version", question.python),
        *("--only-binary", ":all:", "--no-annotate"),
        *(word for one in question.from_source for word in ("--no-binary", one)),
        *(["--no-deps"] if question.alone else []),
        *links,
    ]


def _project(question: PipQuestion) -> str:
    """A project that asks for the requirements, and for torch from the index of its CPU builds."""
    name = canonicalize_name(question.stack)
    head = [line("name", name), line("version", "0"), line("requires-python", f">={question.python}")]
    blocks = [table(("project",), [*head, line("dependencies", question.requirements)])]
    for number, url in enumerate(question.sources.extra_index):
        lines = [line("name", f"extra-{number}"), line("url", url)]
        blocks.append(table(("tool", "uv", "index"), lines, many=True))
    index = question.sources.torch_index or question.torch_index
    if question.torch_index is not None and index is not None and not _lies_in_folder(question):
        lines = [line("name", _TORCH_INDEX), line("url", index), line("explicit", value=True)]
        blocks.append(table(("tool", "uv", "index"), lines, many=True))
        direct = [one for one in CPU_BUILDS if one in _direct(question.requirements)]
        blocks.append(
            table(("tool", "uv", "sources"), [line(one, {"index": _TORCH_INDEX}) for one in direct])
        )
    return "\n".join(blocks)


def _lies_in_folder(question: PipQuestion) -> bool:
    """Whether a folder of the site has the CPU build of torch, so that no index need be asked."""
    if question.sources.torch_index is not None:
        return False
    folders = (Path(_link(one, question.folder)) for one in question.sources.find_links if "://" not in one)
    return any(True for folder in folders if folder.is_dir() for _ in folder.glob("torch-*+cpu-*.whl"))


def _link(text: str, folder: Path) -> str:
    return text if "://" in text else str((folder / text).resolve())


def _direct(requirements: Sequence[str]) -> set[str]:
    return {canonicalize_name(Requirement(one).name) for one in requirements}


def _refuse_cuda(question: PipQuestion, found: Sequence[Artefact]) -> None:
    """No package of CUDA reaches an Ascend machine: it would be gigabytes that nothing there can use."""
    cuda = [f"{one.name} {one.version}" for one in found if CUDA.fullmatch(one.name)]
    if cuda:
        raise PipSetClash(
            say(
                "the pip set of stack {stack} on {arch} would bring CUDA: {names}",
                stack=question.stack,
                arch=question.arch,
                names=", ".join(cuda),
            ),
            hint=say("a requirement of yours depends on them: look for a version of it without CUDA"),
        )


def _public(artefact: Artefact, question: PipQuestion, own_index: str | None) -> Artefact:
    """The file with its address only where the spec names the place, or it is the default one of all the world."""
    sources, url = question.sources, artefact.urls[0]
    indexes = (own_index or "", sources.index or "", *sources.extra_index, sources.torch_index or "")
    if url.startswith("file://") and not any(one.startswith("file://") for one in indexes):
        return replace(artefact, urls=(), verified="spec")  # a folder that the spec names
    return artefact if _is_public(artefact, question, own_index) else replace(artefact, urls=())


def _is_public(artefact: Artefact, question: PipQuestion, own_index: str | None) -> bool:
    sources, url = question.sources, artefact.urls[0]
    if own_index is None or (artefact.name in CPU_BUILDS and question.torch_index is not None):
        return True
    named = {urlsplit(one).netloc.rpartition("@")[2] for one in (*sources.extra_index, *sources.find_links)}
    return urlsplit(url).netloc in named - {""}
