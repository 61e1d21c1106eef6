"""The records of an installed CANN, driver and firmware: a folder of `version.info` and install records.

Both layouts are read (`ascend-toolkit/<version>` and `cann-<version>`), from any folder above them. What an
installation tells is what was published for it: its version, and which driver and firmware accept each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.sources.reading import vendor_version
from ascendenv.sources.statement import (
    Part,
    Reading,
    Skipped,
    Statement,
    Subject,
    UnreadableSource,
)
from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.material import Document, Material

__all__ = ["is_wanted", "read"]

_DOCUMENT = re.compile(r"^version\.info of ")
_FILES = frozenset({"version.info", "version.cfg", "ascend_toolkit_install.info"})
_PAIR = re.compile(r"[ \t]*([A-Za-z][\w. -]{0,62}?)[ \t]*[=:][ \t]*(.*)")
_COMPONENT = re.compile(r"\[[^:\]]*:([^\]:]+)\]")
_RANGE = re.compile(r"\[([\d.]+),([\d.]+)\]")
_LINE = re.compile(r"\[([^,\]]+),[^\]]*\]")
_INNER = re.compile(r"V\d{3}R\d{3}(C\d+)")
_NNAL = "Ascend-cann-atb"
_NEW_LAYOUT = re.compile(r"(?:^|/)cann-\d")


@dataclass(frozen=True)
class _Told:
    """What an import was asked, and what it left out."""

    asked: Asked
    skipped: list[Skipped]


@dataclass(frozen=True)
class _Record:
    """One record file: its keys, and the line of each."""

    document: Document
    values: Mapping[str, str]
    lines: Mapping[str, int]

    def __contains__(self, key: str) -> bool:
        return bool(self.values.get(key))

    def __getitem__(self, key: str) -> str:
        return self.values[key]

    def version(self, key: str) -> str:
        """The vendor version under that key; raises UnreadableSource."""
        return vendor_version(self.document, self.lines[key], self.values[key])

    def place(self, key: str) -> str:
        """The line of that key."""
        return self.document.place(self.lines[key])


def is_wanted(path: str) -> bool:
    """Whether a file of that path is a record of versions."""
    return path.rpartition("/")[2] in _FILES


def read(material: Material, asked: Asked) -> Reading:
    """The releases that are installed there; raises UnreadableSource."""
    records = [_record(one) for one in material.documents if one.data.strip()]
    skipped: list[Skipped] = []
    statements = [*_toolkits(records, asked), *_hardware(records, _Told(asked, skipped))]
    skipped += [
        Skipped(one.place(_NNAL), f"NNAL {one[_NNAL]}", say("the matrix has no such software"))
        for one in records
        if _NNAL in one
    ]
    if not statements and not skipped:
        raise UnreadableSource(
            say("there is no version.info of CANN, driver or firmware here"),
            name=material.name,
            hint=say("give the folder of an installation, for example /usr/local/Ascend"),
        )
    return Reading(statements=tuple(statements), document=_DOCUMENT, skipped=tuple(skipped))


def _record(document: Document) -> _Record:
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(document.text().split("\n"), 1):
        match = _PAIR.fullmatch(line)
        if match is not None and match[1] not in values:
            values[match[1]] = match[2].strip(" \t\"'")
            lines[match[1]] = number
    return _Record(document, values, lines)


def _toolkits(records: list[_Record], asked: Asked) -> Iterator[Statement]:
    """A row for each CANN, as the first of its records tells it; install records name the architecture, too."""
    found: dict[str, tuple[_Record, str]] = {}
    for record in sorted(records, key=lambda one: "package_name" not in one):
        for key, version in _cann_versions(record):
            found.setdefault(asked.cann_name(version), (record, key))
    for version, (record, key) in found.items():
        values: dict[str, object] = {"layout": _layout(record, version, asked)}
        if "arch" in record:
            values["arch"] = [record["arch"].replace("-", "_")]
        yield Statement(
            subject=Subject("cann", (version,)),
            values=values,
            assumed={"channel": asked.channel(version)},
            source=asked.origin.of(
                record.document.name, usual=f"version.info of an installed CANN {version}"
            ),
            place=record.place(key),
        )


def _cann_versions(record: _Record) -> Iterator[tuple[str, str]]:
    """The CANN versions in a record, each with its key. A component's own version is no CANN version up to 8.5."""
    path = record.document.name
    if "package_name" in record and "version" in record:
        yield "version", record.version("version")
    elif "version_dir" in record:
        yield "version_dir", record.version("version_dir")
    elif path.endswith("version.cfg"):
        for key, value in record.values.items():
            for one in _COMPONENT.findall(value) if key.endswith("_version") else ():
                yield key, vendor_version(record.document, record.lines[key], one)


def _layout(record: _Record, version: str, asked: Asked) -> str:
    path = record.values.get("path") or record.document.name
    if _NEW_LAYOUT.search(path):
        return "cann"
    return "ascend-toolkit" if "ascend-toolkit" in path else asked.layout(version)


def _hardware(records: list[_Record], told: _Told) -> Iterator[Statement]:
    """What driver and firmware say of each other; which chips they are for, no record tells."""
    drivers = [one for one in records if "ascendhal_version" in one and "Version" in one]
    firmware = [one for one in records if "firmware_version" in one and "Version" in one]
    for one in drivers:
        yield from _driver(one, told)
    for one in firmware:
        yield from _firmware(one, told)


def _driver(record: _Record, told: _Told) -> Iterator[Statement]:
    driver = record.version("Version")
    source = told.asked.origin.of(record.document.name, usual=f"version.info of an installed driver {driver}")
    hdk = told.asked.hdk_name(driver)
    inner = _INNER.match(record.values.get("Innerversion", ""))
    yield Statement(
        subject=Subject("hdk", (hdk,)),
        values={"inner_version": inner[1]} if inner is not None else {},
        source=source,
        place=record.place("Version"),
    )
    accepted = _RANGE.findall(record.values.get("compatible_version_fw", ""))
    spans = [{"low": low, "high": high} for low, high in accepted]
    yield from _paired(record, (hdk, driver), {"accepts_firmware": spans}, source, told)


def _firmware(record: _Record, told: _Told) -> Iterator[Statement]:
    firmware = record.version("Version")
    if "package_version" not in record:
        words = say("it does not tell the driver it belongs to")
        told.skipped.append(Skipped(record.place("Version"), f"firmware {firmware}", words))
        return
    driver = record.version("package_version")
    source = told.asked.origin.of(
        record.document.name, usual=f"version.info of an installed firmware {firmware}"
    )
    accepted = [_span(one) for one in _LINE.findall(record.values.get("compatible_version_drv", ""))]
    values: dict[str, object] = {"firmware": firmware, "accepts_driver": accepted}
    yield from _paired(record, (told.asked.hdk_name(driver), driver), values, source, told)


def _paired(
    record: _Record,
    name: tuple[str, str],
    values: dict[str, object],
    source: str,
    told: _Told,
) -> Iterator[Statement]:
    """What is told of the pair with that driver; a build that no pair names is left out, for its chips are not known."""
    hdk, driver = name
    release = told.asked.matrix.hdk.get(hdk)
    known = next(
        (
            pair
            for pair in (release.pairs if release else ())
            if vendor(driver) in (pair.driver, *pair.builds)
        ),
        None,
    )
    if known is None and release is not None and release.pairs:
        words = say("no pair of HDK {hdk} names this build, and the files do not tell its chips", hdk=hdk)
        told.skipped.append(Skipped(record.place("Version"), driver, words))
        return
    own = str(known.driver) if known is not None and known.driver is not None else driver
    yield Statement(
        subject=Subject("hdk", (hdk,), Part("pairs", (("driver", own),))),
        values={key: value for key, value in values.items() if value},
        source=source,
        place=record.place("Version"),
    )


def _span(text: str) -> str:
    """A driver that a firmware accepts; `25.0` is how the files write the whole line."""
    bare = text.strip()
    try:
        vendor(bare)
    except InvalidVersion:
        return f"{bare}.X"
    return bare if bare.count(".") > 1 else f"{bare}.X"
