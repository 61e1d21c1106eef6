"""Which of the CANN toolkits that were seen is in use.

collect_env scripts print the toolkit below /usr/local/Ascend even where another one is in use. The environment tells:
ASCEND_HOME_PATH and ASCEND_TOOLKIT_HOME are set by the set_env.sh that was sourced, and the first toolkit on
LD_LIBRARY_PATH is the one whose libraries are loaded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascendenv.facts.model import CannInstall
from ascendenv.facts.unknown import Unknown
from ascendenv.language import say
from ascendenv.versions import InvalidVersion, Version, vendor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Tree", "resolve", "tree_of", "used_root"]

_HOMES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_TOOLKIT_LATEST_HOME")
_ROOT = re.compile(
    r"/(?:ascend-toolkit|nnae|nnrt|cann)(?P<rest>[-/](?P<version>latest|v?\d[\w.-]*))?(?=/|$)", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?:^|/)(?:[\w.-]*?cann[-_]?v?)?(\d{1,2}\.\d{1,2}\.(?:RC|T)?\d{1,3}[\w.]*)(?=/|$)", re.IGNORECASE
)


@dataclass(frozen=True)
class Tree:
    """A place where toolkits of several versions may lie side by side, and the version named, if one is."""

    path: str
    version: Version | None


def tree_of(path: str) -> Tree | None:
    """The tree of a toolkit's path: `/usr/local/Ascend/cann` and 8.5.0 for /usr/local/Ascend/cann-8.5.0/lib64."""
    path = path.strip()
    found = _ROOT.search(path)
    if found is None:
        return None
    return Tree(path[: found.end() - len(found["rest"] or "")], _version(found["version"] or ""))


def used_root(environment: Mapping[str, str]) -> str | None:
    """The root of the toolkit that this environment uses; None where it does not tell."""
    for name in _HOMES:
        if (value := environment.get(name, "").strip()) and "$" not in value:
            return value.rstrip("/") or None
    for entry in environment.get("LD_LIBRARY_PATH", "").split(":"):
        if found := _ROOT.search(entry):
            return entry[: found.end()].strip()
    return None


def resolve(
    installs: Sequence[CannInstall], environment: Mapping[str, str], told: Version | Unknown
) -> tuple[tuple[CannInstall, ...], Version | Unknown]:
    """The installs with `in_use` decided, and the version of the toolkit in use.

    `told` is what was said about the version outside of the records: it decides where they leave it open.
    """
    root = used_root(environment)
    if root is None:
        return tuple(installs), _only(installs, told)
    judged = [replace(one, in_use=_belongs(one, root)) for one in installs]
    used = [one for one in judged if one.in_use]
    named = version_in_path(root)
    if used and (named is None or any(one.version == named for one in used)):
        return tuple(judged), _only([one for one in used if named in (None, one.version)], told)
    if named is not None:
        return (*judged, CannInstall(named, root, in_use=True)), named
    if judged and isinstance(told, Unknown):
        reason = say("the toolkit in use is {root}, and its version was not seen", root=root)
        return tuple(judged), Unknown(reason)
    return tuple(judged), told


def version_in_path(path: str) -> Version | None:
    """The CANN version that a folder name of `path` tells: 8.3.rc2 of /home/me/cann8.3.rc2/ascend-toolkit/latest."""
    if (tree := tree_of(path)) and tree.version is not None:
        return tree.version
    found = _NAMED.search(path)
    return _version(found.group(1)) if found else None


def _only(installs: Sequence[CannInstall], told: Version | Unknown) -> Version | Unknown:
    versions = list(dict.fromkeys(one.version for one in installs))
    if not versions:
        return told
    if len(versions) == 1 or told in versions:
        return next((one for one in versions if one == told), versions[0])
    shown = ", ".join(map(str, versions))
    return Unknown(
        say("several toolkits were seen ({versions}), and nothing tells which is in use", versions=shown)
    )


def _belongs(install: CannInstall, root: str) -> bool:
    if install.path is None:
        return version_in_path(root) == install.version
    mine, used = tree_of(install.path), tree_of(root)
    if mine is None or used is None:
        return install.path.startswith(root)
    same_tree = mine.path == used.path or _linked(mine.path, used)
    return same_tree and used.version in (None, install.version)


def _linked(path: str, used: Tree) -> bool:
    """From 8.5 on ascend-toolkit/latest is a link to the cann folder beside it."""
    parent, _, name = used.path.rpartition("/")
    return name == "ascend-toolkit" and used.version is None and path == f"{parent}/cann"


def _version(text: str) -> Version | None:
    try:
        return vendor(text.lower().removeprefix("v") if text[:1] in "vV" else text)
    except InvalidVersion:
        return None
