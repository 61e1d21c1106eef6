"""The Python in question and the packages that it has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import Interpreter, RuntimeLibrary
from ascendenv.facts.reading import package_claims, pep440_claim
from ascendenv.facts.recorded.claims import measured
from ascendenv.facts.recorded.printable import printable
from ascendenv.versions import InvalidVersion, pep440

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.versions import Version

__all__ = ["read_interpreter", "read_runtimes"]

_VERSION = re.compile(r"""^__version__\s{0,4}=\s{0,4}['"]([^'"\n]{1,80})['"]""", re.MULTILINE)


def read_interpreter(snapshot: Snapshot) -> Iterator[Claim]:
    """Version, search path and packages."""
    record = snapshot.section("interpreter")
    if not record.get("executable"):
        return
    interpreter = _interpreter(record)
    where = printable(interpreter.path)
    yield measured("interpreter", interpreter, where, f"chosen by {interpreter.chosen_by}")
    version = str(record.get("version") or "")
    yield from pep440_claim("python", version, Weight.MEASURED, Evidence(where, printable(version)))
    distributions = record.get("distributions")
    if isinstance(distributions, list) and (distributions or "failed" not in record):
        yield from _packages(distributions, where)


def _interpreter(record: Mapping[str, object]) -> Interpreter:
    failed = record.get("failed")
    return Interpreter(
        str(record["executable"]),
        str(record.get("chosen_by", "")),
        None if failed is None else str(failed),
        _names(record.get("shadows")),
        _names(record.get("leftovers")),
        _names(record.get("autoload")),
        dict(_built_as(record.get("version_files"))),
    )


def _built_as(files: object) -> Iterator[tuple[str, Version]]:
    """(package, version) of each `version.py`; a version that is none says nothing."""
    for name, text in files.items() if isinstance(files, dict) else ():
        found = _VERSION.search(str(text))
        try:
            if found is not None:
                yield str(name).partition("/")[0], pep440(found[1])
        except InvalidVersion:
            continue


def _names(value: object) -> tuple[str, ...]:
    return tuple(printable(str(name)) for name in value) if isinstance(value, list) else ()


def _packages(distributions: list[object], where: str) -> Iterator[Claim]:
    yield measured("packages", None, where, "importlib.metadata")
    seen: set[str] = set()
    for one in distributions:
        if not isinstance(one, list):
            raise TypeError(one)
        name, version, folder = (str(part) for part in one)
        if name not in seen:  # the first on sys.path is the one that is imported
            seen.add(name)
            line = Evidence(printable(folder), printable(f"{name}=={version}"))
            yield from package_claims(name, version, Weight.MEASURED, line)


def read_runtimes(snapshot: Snapshot) -> Iterator[Claim]:
    """The copies of the C++ and OpenMP run-time libraries, in the order in which a process of this Python looks."""
    for one in snapshot.section("runtimes").get("libstdc++") or ():
        nodes = {key: str(one[key]) for key in ("GLIBCXX", "CXXABI") if key in one}
        path = str(one["path"])
        yield measured("runtime_libraries", RuntimeLibrary("libstdc++", path, nodes), path, str(nodes))
    for path in snapshot.section("runtimes").get("libgomp") or ():
        yield measured("runtime_libraries", RuntimeLibrary("libgomp", str(path), {}), str(path))
