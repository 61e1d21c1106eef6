"""The version and install records of driver, firmware, CANN and NNAL, printed one after the other in any order.

    package_name=Ascend-cann-toolkit          Version=25.0.rc1.1
    version=8.1.RC1                           ascendhal_version=7.35.23
    innerversion=V100R001C21SPC001B238        Innerversion=V100R001C21SPC002B220
    arch=aarch64                              compatible_version=[V100R001C20],[V100R001C21]
    path=/usr/local/Ascend/ascend-toolkit/…   compatible_version_fw=[7.0.0,7.7.99]

All are lines of `key=value`; which file it is shows in its keys, because the path is often left out of a report.
A file of driver or firmware tells what was unpacked; what runs may still be older, and npu-smi or upgrade-tool tell it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import CannInstall, DriverInfo, OpsPackage
from ascendenv.facts.reading import vendor_claim, vendor_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["read"]

_PAIR = re.compile(r"\s*(?:export\s+)?([A-Za-z][\w.]{0,63})\s*=\s*(.*)")
_BASELINE = re.compile(r"V\d{3}R\d{3}C\d+")
_RANGE = re.compile(r"\[([\d.]+),([\d.]+)\]")
_COMPONENT = re.compile(r"(\w+?)_(?:running|upgrade|installed)_version")
_COMPONENT_VERSION = re.compile(r"\[[^:\]]*:([^\]]+)\]")
_ATB = re.compile(r"\s*Ascend-cann-(?:atb|nnal)\s*:\s*(\S+)\s*$")
_OPS_PACKAGE = re.compile(
    r"Ascend-cann-kernels-(?P<old>\w+)|(?P<a3>Atlas-A3)-cann-kernels|Ascend-cann-(?P<new>\w+)-ops",
    re.IGNORECASE,
)
_FILE = re.compile(r"(driver|firmware)/version\.info")
_RUNNING = re.compile(r"Get (?:component|system) version\((\d[\d.]+)\) succeed")  # upgrade-tool
_NEAR = 3  # lines between the command that shows a file and the first line of it
_DRIVER_KEYS = frozenset(("ascendhal_version", "compatible_version_fw", "tdt_version", "tsfw_version"))
_FIRMWARE_KEYS = frozenset(("firmware_version", "compatible_version_drv"))
_LINK = re.compile(
    r"->\s+(?:\.\./|/\S*/ascend-toolkit/)(\d+\.\d+\.[\w.]+)/(?:runtime|compiler|hccl|opp|toolkit|atc)\b"
)


def read(page: Page) -> Iterator[Claim]:
    """Versions of driver, firmware, toolkits, operator packages and NNAL from their record files."""
    block = _Block()
    for index, line in enumerate(page.lines):
        if "=" in line and (pair := _PAIR.fullmatch(line)):
            if pair[1] in block.values and pair[1] in ("package_name", "Version"):
                yield from block.finished()
            block.add(pair[1], pair[2].strip(" \t\"'"), page.evidence(index))
            continue
        if line.strip():
            yield from block.finished()
        if found := _FILE.search(line):
            block.expect(found[1])
        elif "Ascend-cann-" in line and (found := _ATB.match(line)):
            yield from vendor_claim("nnal", found[1], Weight.MEASURED, page.evidence(index))
        elif "version(" in line and (found := _RUNNING.search(line)):
            yield from vendor_claim("firmware", found[1], Weight.MEASURED, page.evidence(index))
        elif "->" in line and (found := _LINK.search(line)):
            yield from _toolkit({"version": found[1]}, page.evidence(index))
    yield from block.finished()


class _Block:
    """Lines of `key=value` that stand together."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._lines: dict[str, Evidence] = {}
        self._expected = ""
        self._since = 0

    def expect(self, kind: str) -> None:
        """The next lines were announced as the file of `kind`."""
        self._expected, self._since = kind, 0

    def add(self, key: str, value: str, line: Evidence) -> None:
        self.values[key] = value
        self._lines[key] = line

    def finished(self) -> Iterator[Claim]:
        """The claims of this block, which is then empty again."""
        values, lines = self.values, self._lines
        self.values, self._lines = {}, {}
        self._since += 1
        expected = self._expected if self._since <= _NEAR else ""
        if values:
            self._expected = ""
            yield from _claims(values, lines, expected)


def _claims(values: Mapping[str, str], lines: Mapping[str, Evidence], expected: str) -> Iterator[Claim]:
    if "package_name" in values or {"version", "innerversion"} <= values.keys():
        yield from _package(values, lines.get("version") or next(iter(lines.values())))
    elif "Version" in values:
        yield from _version_info(values, lines["Version"], expected)
    for key, value in values.items():
        if (component := _COMPONENT.fullmatch(key)) and (found := _COMPONENT_VERSION.search(value)):
            yield from _component(component[1], found[1], lines[key])


def _package(values: Mapping[str, str], line: Evidence) -> Iterator[Claim]:
    name = values.get("package_name", "Ascend-cann-toolkit")
    if "toolkit" in name or "nnae" in name or "nnrt" in name:
        yield from _toolkit(values, line)
    elif "nnal" in name:
        yield from vendor_claim("nnal", values.get("version", ""), Weight.MEASURED, line)
    elif found := _OPS_PACKAGE.search(name):
        chip = found["old"] or found["new"] or "A3"
        yield Claim("ops", OpsPackage(chip, vendor_or_none(values.get("version", ""))), Weight.MEASURED, line)


def _toolkit(values: Mapping[str, str], line: Evidence) -> Iterator[Claim]:
    version = vendor_or_none(values.get("version", ""))
    if version is None:
        return
    install = CannInstall(version, values.get("path"), values.get("arch"), values.get("innerversion"))
    yield Claim("cann_installs", install, Weight.MEASURED, line)
    if install.arch:
        yield Claim("arch", install.arch, Weight.LISTED, line)


def _version_info(values: Mapping[str, str], line: Evidence, expected: str) -> Iterator[Claim]:
    if _FIRMWARE_KEYS & values.keys() or expected == "firmware":
        yield from vendor_claim("firmware", values["Version"], Weight.LISTED, line)
    elif _DRIVER_KEYS & values.keys() or expected == "driver":
        yield from vendor_claim("driver", values["Version"], Weight.LISTED, line)
        yield Claim("driver_info", _driver_info(values), Weight.MEASURED, line)
    elif "version_dir" in values:
        component = "opp_kernel" if "ops_version" in values else "runtime"
        yield from _component(component, values["version_dir"], line)


def _component(name: str, version: str, line: Evidence) -> Iterator[Claim]:
    if name == "opp_kernel":
        yield Claim("ops", OpsPackage(None, vendor_or_none(version)), Weight.MEASURED, line)
    else:
        yield from _toolkit({"version": version}, line)


def _driver_info(values: Mapping[str, str]) -> DriverInfo:
    firmware = _RANGE.search(values.get("compatible_version_fw", ""))
    return DriverInfo(
        inner_version=values.get("Innerversion"),
        package_version=values.get("package_version"),
        compatible_firmware=(firmware[1], firmware[2]) if firmware else None,
        compatible_cann=tuple(_BASELINE.findall(values.get("compatible_version", ""))),
    )
