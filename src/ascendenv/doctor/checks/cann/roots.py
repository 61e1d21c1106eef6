"""Which CANN trees the variables of a process name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["HOME_VARIABLES", "is_sourced", "loaded_roots", "roots_in", "separate_roots"]

HOME_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_LISTS = ("LD_LIBRARY_PATH", "PYTHONPATH")
_NAMED = (*HOME_VARIABLES, "ASCEND_OPP_PATH", "ASCEND_AICPU_PATH", "TOOLCHAIN_HOME")
_ROOT = re.compile(
    r"(?P<base>/(?:[^:]*/)?)(?P<tree>(?:ascend-toolkit|nnae|nnrt)/[^/:]+|cann(?:-[^/:]+)?)(?=/|$)"
)
_LINKS = ("latest", "cann")


def is_sourced(environment: Mapping[str, str] | None) -> bool | None:
    """Whether set_env.sh of a toolkit was sourced where these variables were read; None when no variable tells."""
    if not environment:
        return None
    if any(environment.get(name) for name in HOME_VARIABLES):
        return True
    return bool(roots_in(environment.get("LD_LIBRARY_PATH", "").split(":")))


def roots_in(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Base folder and tree of each toolkit that `paths` point into: `("/usr/local/Ascend/", "cann-8.5.0")`."""
    found: dict[tuple[str, str], None] = {}
    for path in paths:
        if (match := _ROOT.match(path.strip())) is not None:
            found[match["base"], match["tree"]] = None
    return tuple(found)


def loaded_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """The toolkits that libraries of one process come from, where these are several; links count as their target.

    `latest` and `cann` are links to one of the numbered trees beside them, so they only count in a folder of their own.
    """
    bases: dict[str, dict[str, None]] = {}
    for base, tree in roots_in(paths):
        bases.setdefault(base, {})[tree] = None
    apart: list[str] = []
    for base, trees in bases.items():
        numbered = [tree for tree in trees if tree.rpartition("/")[2] not in _LINKS]
        apart.extend(f"{base}{tree}" for tree in numbered or [next(iter(trees))])
    return tuple(apart) if len(apart) > 1 else ()


def separate_roots(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The toolkits that are named at the same time and cannot be one tree seen through a link; empty for one alone.

    `latest` and `cann` are links to one of the numbered trees beside them, so they only count in a folder of their own.
    """
    paths = [path for name in _LISTS for path in environment.get(name, "").split(":")]
    paths.extend(environment[name] for name in _NAMED if name in environment)
    bases: dict[str, dict[str, None]] = {}
    links: dict[str, str] = {}
    for base, tree in roots_in(paths):
        numbered = bases.setdefault(base, {})
        if tree.rpartition("/")[2] not in _LINKS:
            numbered[tree.rpartition("/")[2].removeprefix("cann-")] = None
        else:
            links.setdefault(base, tree)
    apart = [f"{base}{tree}" for base, trees in bases.items() for tree in (trees or (links[base],))]
    return tuple(apart) if len(apart) > 1 else ()
