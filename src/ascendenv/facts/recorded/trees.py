"""Which of the CANN trees on disk a process uses: its variables tell, and where they name a link, the link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.facts.reading import vendor_or_none
from ascendenv.facts.toolkit import used_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.versions import Version

__all__ = ["TreesInUse", "trees_in_use"]

_TREE = re.compile(
    r"(?P<base>.*)/(?:(?:ascend-toolkit|nnae|nnrt)/(?P<old>[^/]+)|(?P<new>cann(?:-[^/]+)?))(?=/|$)"
)
_OLD_MEMBER = re.compile(r"(?:^|/)(?P<version>\d+\.\d+\.[\w.-]+)/")
_CFG = re.compile(r"_running_version=\[[^:\]]*:([^\]]+)\]")


@dataclass(frozen=True)
class TreesInUse:
    """Folders of the trees in use, without a slash at the end; empty where nothing tells, and then all count."""

    folders: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether a file lies in a tree in use; files that are part of no toolkit tree always do."""
        tree = _TREE.match(path)
        return tree is None or not self.folders or tree.group() in self.folders

    def versions(self) -> Iterator[tuple[Version, str]]:
        """The version that each folder is named by, and the folder."""
        for folder in self.folders:
            name = folder.rpartition("/")[2].removeprefix("cann-")
            if (version := vendor_or_none(name)) is not None:
                yield version, folder


def trees_in_use(snapshot: Snapshot) -> TreesInUse:
    """The tree that the variables of the process name, its links followed; else the only one, else none."""
    variables = snapshot.part("process", "environ")
    root = used_root({str(name): str(value) for name, value in variables.items()})
    if root is not None:
        folder = _real(snapshot, root)
        return TreesInUse((folder,) if folder else ())
    return TreesInUse(tuple(_only(snapshot)))


def _real(snapshot: Snapshot, root: str) -> str | None:
    """The numbered folder behind a path into a tree: `/x/cann-8.5.0` for `/x/cann` and `/x/ascend-toolkit/latest`."""
    tree = _TREE.match(root)
    if tree is None:
        return None
    base, old, new = tree["base"], tree["old"], tree["new"]
    if old is not None and old != "latest":
        return tree.group()
    if new is not None and new != "cann":
        return tree.group()
    links = snapshot.records("cann", "links")
    for path in (f"{base}/ascend-toolkit/latest", f"{base}/cann") if old else (f"{base}/cann",):
        target = str(links.get(path, {}).get("link", "")).rstrip("/").rpartition("/")[2]
        if target.startswith("cann-"):
            return f"{base}/{target}"
        if vendor_or_none(target):
            return f"{base}/ascend-toolkit/{target}"
    return _behind_folder_of_links(snapshot, base)


def _behind_folder_of_links(snapshot: Snapshot, base: str) -> str | None:
    """Up to 8.3, `latest` is a folder of links into the numbered folder beside it."""
    latest = f"{base}/ascend-toolkit/latest"
    for path, look in snapshot.records("cann", "links").items():
        found = _OLD_MEMBER.search(str(look.get("link", "")))
        if path.startswith(f"{latest}/") and found:
            return f"{base}/ascend-toolkit/{found['version']}"
    return None


def _only(snapshot: Snapshot) -> Iterator[str]:
    """The one tree that there is, if there is only one."""
    trees = {tree.group() for path in snapshot.part("cann", "files") if (tree := _TREE.match(path))}
    if len(trees) == 1:
        yield from trees
