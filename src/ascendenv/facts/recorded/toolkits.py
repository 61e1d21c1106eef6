"""CANN on disk: which tree the links mean, its components and what they demand of each other, kernels for each chip."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.model import CannComponent, Link, OpsPackage
from ascendenv.facts.recorded.claims import measured
from ascendenv.facts.recorded.trees import trees_in_use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_components", "read_kernels", "read_links", "read_picks", "read_platforms", "read_tools"]

_RECORD = re.compile(
    r"(?P<root>.*/(?:ascend-toolkit/[^/]+|cann-[^/]+))/(?:share/info/)?(?P<name>[^/]+)/version\.info"
)
_VERSION = re.compile(r"^Version=(\S+)", re.MULTILINE)
_REQUIRED = re.compile(r'^required_package_([\w-]+)_version="?([^"\n]+?)"?\s*$', re.MULTILINE)
_MEMBER = re.compile(r"/ascend-toolkit/latest/\w+$")


def read_links(snapshot: Snapshot) -> Iterator[Claim]:
    """Links of the toolkit and where they lead."""
    if not snapshot.section("cann") or "failed" in snapshot.section("cann"):
        return
    yield measured("cann_links", None, "/usr/local/Ascend")
    for path, look in snapshot.part("cann", "links").items():
        if "link" in look and not _MEMBER.search(path):
            link = Link(path, str(look["link"]), bool(look.get("broken")))
            yield measured("cann_links", link, path, f"-> {link.target}{' (broken)' if link.broken else ''}")
    for version, where in trees_in_use(snapshot).versions():
        yield measured("cann", version, where)


def read_components(snapshot: Snapshot) -> Iterator[Claim]:
    """The components of the tree in use."""
    used = trees_in_use(snapshot)
    for path, record in snapshot.part("cann", "files").items():
        found = _RECORD.fullmatch(path)
        text = record.get("text")
        if found is None or not isinstance(text, str) or not used.covers(path):
            continue
        version = _VERSION.search(text)
        if version:
            requires = {name: spec.strip() for name, spec in _REQUIRED.findall(text)}
            component = CannComponent(found["name"], version[1], found["root"], requires)
            yield measured("cann_components", component, path, version[0])


def read_kernels(snapshot: Snapshot) -> Iterator[Claim]:
    """The chips for which the tree in use has operator binaries; that it has none where it could be looked into."""
    used = trees_in_use(snapshot)
    listings = snapshot.part("cann", "kernels")
    chips = [
        (path, str(name))
        for path, listing in listings.items()
        for name in listing.get("names", ())
        if used.covers(path) and str(name).startswith("ascend")
    ]
    if used.folders and not chips:
        yield measured("ops", None, used.folders[0], "no folder of operator binaries")
    for path, name in chips:
        yield measured("ops", OpsPackage(name.removeprefix("ascend"), None), path, name)


def read_platforms(snapshot: Snapshot) -> Iterator[Claim]:
    """The chips for which the tree in use has platform data, by the names of its files: `Ascend910B3`."""
    used = trees_in_use(snapshot)
    for path, listing in snapshot.part("cann", "platforms").items():
        for name in listing.get("names", ()) if used.folders and used.covers(path) else ():
            if str(name).endswith(".ini"):
                yield measured("cann_platforms", str(name).removesuffix(".ini"), path, str(name))


def read_picks(snapshot: Snapshot) -> Iterator[Claim]:
    """The libraries that the loader would take for torch_npu."""
    rows = snapshot.section("symbols").get("libraries")
    for row in rows if isinstance(rows, list) else ():
        path = str(row["path"])
        yield measured(
            "picked_libraries", path, path, f"found by {row.get('how')} for {row.get('needed_by')}"
        )


def read_tools(snapshot: Snapshot) -> Iterator[Claim]:
    """The vendor's programs that test the hardware."""
    for path in snapshot.section("cann").get("tools") or ():
        yield measured("evidence_tools", str(path), str(path), "installed")
