"""Hardware, system and container as people name them in free text.

"Atlas 800T A2", "Ascend 910B3", "910C", "300I Duo", "A3 64G x16", "openEuler 22.03", "aarch64", "在容器内".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.chips import chip_named
from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.machine import architecture, os_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["read"]

_CHIP = re.compile(
    r"(?<![\w/.:-])(?:Ascend[ _-]?|昇腾 ?)?"
    r"(910B[1-4](?:-1|C)?|910[ABC]|910Pro[AB]|910_93\d{0,2}|310P[1357]?|310B[1-4]?|950(?:PR|DT))(?![\w/:-]|\.\w)",
    re.IGNORECASE | re.ASCII,
)
_SOC_VERSION = re.compile(
    r"(?:soc_?version\"?|SocVersion|device_name|device name)\s*[=:]?\s*[\[\"']?"
    r"(Ascend\d{3}\w*(?:-1)?)",
    re.IGNORECASE | re.ASCII,
)
_FULL_SOC = re.compile(
    r"(?<![\w/.-])Ascend(?:910B[1-4](?:-1|C)?|910_93\d\d|310P\d|310B\d|950(?:PR|DT)(?:_\w+)?)(?![\w/])"
)
_CURRENT_SOC = re.compile(
    r"current device soc_?ver\w*\s*[:=]?\s*(Ascend\d{3}\w*(?:-1)?)", re.IGNORECASE | re.ASCII
)
_PRODUCTS = (
    (re.compile(r"\b200I(?: DK)? A2\b|orange ?pi|香橙派|davinci-mini", re.IGNORECASE), "310B"),
    (re.compile(r"\b300[IV][ -]?(?:Duo|Pro)\b|\bAtlas 300V\b", re.IGNORECASE), "310P"),
    (re.compile(r"\b(?:Atlas|800[TI]?|900|300[TI]|200T|Ascend)\b[\w ]{0,16}\bA2\b", re.IGNORECASE), "910B"),
    (
        re.compile(
            r"\b(?:Atlas|800[TI]?|900|200T|Ascend)\b[\w ]{0,16}\bA3\b|\bCloudMatrix ?384\b", re.IGNORECASE
        ),
        "A3",
    ),
    (
        re.compile(
            r"\bAtlas (?:350|850|950)\b|\b(?:Atlas|Ascend)\b[\w ]{0,16}\bA5\b|\bAscend ?950\b", re.IGNORECASE
        ),
        "950",
    ),
    (re.compile(r"\bAtlas 800 ?\(?(?:9000|9010)\b|\bAtlas 900 PoD\b(?! A)", re.IGNORECASE), "910A"),
)
_SERIES = re.compile(
    r"(?<![\w/.-])A([235])(?=\s*(?:NPU|server|machine|box|board|node|cluster|card|pod|super|series|系列|机器|服务器|集群|单机|双机|卡|[(（]|\d+G|x ?\d|×|上|$))",
    re.IGNORECASE | re.ASCII,
)  # fmt: skip
_SERIES_FAMILY = {"2": "910B", "3": "A3", "5": "950"}
_SHORT_LINE = 80
_OS = re.compile(
    r"(?<![\w/.:-])(?P<name>ubuntu|openeuler|euleros|kylin|银河麒麟|麒麟|ctyunos|bclinux|centos|debian|uos|统信)"
    r"(?:[ _-]?(?:linux|server|os|advanced|release|系统|desktop|桌面版?)){0,3}[ :：_-]{0,3}"
    r"(?P<version>v10(?:[ (-]{0,2}sp\d)?|2[0-9]\.(?:03|04|09|10)|1[68]\.04|(?:7\.\d|8\.\d|2\.0|1[0-3])(?!\.\d))(?!\w)",
    re.IGNORECASE | re.ASCII,
)
_ARCH = re.compile(
    r"(?<![\w/.(-])(aarch64|arm64|x86_64|amd64|x86-64)(?![\w/)-]|\.\w)", re.IGNORECASE | re.ASCII
)
_HERE = re.compile(r"current environment \((aarch64|x86_64)\)")
_FILES = (".whl", ".run", ".rpm", ".deb", ".so", "http", "run package", "platform")
_INSIDE = re.compile(
    r"(?:\b(?:in|inside|within|into|enter(?:ed)?|using|use) (?:the |a |an |my |our )?(?:\w+[ -]){0,3}?(?:container|docker|pod)\b(?! image)"
    r"|容器(?:内|里|中)|docker(?:内|里|中|容器)|进入容器|docker部署|使用容器"
    r"|\bin[_ ]container[\"']?\s{0,3}[:=：]\s{0,3}[\"']?(?:yes|true)\b)",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:bare[- ]metal|not in (?:a |the )?(?:container|docker)|without (?:docker|container))\b|物理机|裸机|裸金属|非容器"
    r"|\bin[_ ]container[\"']?\s{0,3}[:=：]\s{0,3}[\"']?(?:no|false)\b",
    re.IGNORECASE,
)
_KERNEL = re.compile(
    r"(?:\bLinux|kernel(?: version)?|内核(?:版本)?)\s*[:：=]?\s*(\d+\.\d+\.\d+-[\w.+-]+)",
    re.IGNORECASE | re.ASCII,
)
_TABLE_ROW = re.compile(r"\s*\|\s*(?:\d|\||npu-smi|(?:NPU|Chip)\b.*\|\s*(?:Health|Bus-Id|Process))")
_CHIP_WORDS = (
    "910", "310p", "310b", "950", "a2", "a3", "a5", "300i", "300v", "200i", "orange", "香橙", "davinci-mini", "atlas",
    "soc_ver", "socver", "device_name", "device name", "cloudmatrix",
)  # fmt: skip
_SYSTEM_WORDS = (
    "ubuntu", "euler", "kylin", "麒麟", "centos", "uos", "统信", "debian", "ctyun", "bclinux", "arm64", "aarch64", "x86",
    "amd64", "kernel", "内核",
)  # fmt: skip
_CONTAINER_WORDS = ("container", "docker", " pod", "容器", "metal", "物理机", "裸机", "裸金属")


def read(page: Page) -> Iterator[Claim]:
    """Chip, system, architecture, kernel, and whether this is a container, as far as a sentence names them."""
    for words, reader in ((_CHIP_WORDS, _chips), (_SYSTEM_WORDS, _system), (_CONTAINER_WORDS, _container)):
        for index in page.containing(*words):
            if not _TABLE_ROW.match(page.lines[index]):
                yield from reader(page.lines[index], page.evidence(index))


def _chips(line: str, evidence: Evidence) -> Iterator[Claim]:
    if found := _CURRENT_SOC.search(line) or _SOC_VERSION.search(line):
        yield from _chip(found[1], Weight.STATED, evidence)
        return
    for found in _FULL_SOC.finditer(line):
        yield from _chip(found.group(), Weight.STATED, evidence)
    for found in _CHIP.finditer(line):
        yield from _chip(found[1], Weight.STATED, evidence)
    for pattern, family in _PRODUCTS:
        if pattern.search(line):
            yield Claim("chip", family, Weight.STATED, evidence)
            return
    if len(line) <= _SHORT_LINE and (found := _SERIES.search(line)):
        yield Claim("chip", _SERIES_FAMILY[found[1]], Weight.STATED, evidence)


def _chip(text: str, weight: Weight, evidence: Evidence) -> Iterator[Claim]:
    if chip := chip_named(text):
        yield Claim("chip", chip, weight, evidence)


def _system(line: str, evidence: Evidence) -> Iterator[Claim]:
    if found := _OS.search(line):
        name = {"银河麒麟": "kylin", "麒麟": "kylin", "统信": "uos"}.get(found["name"], found["name"])
        if release := os_release(f"{name} {found['version'].upper()}"):
            yield Claim("os", release, Weight.STATED, evidence)
    if found := _HERE.search(line):
        yield Claim("arch", found[1], Weight.STATED, evidence)
    elif found := _ARCH.search(line):
        arch = architecture(found[1])
        if arch and not any(mark in line for mark in _FILES):
            yield Claim("arch", arch, Weight.STATED, evidence)
    if found := _KERNEL.search(line):
        yield Claim("kernel", found[1], Weight.STATED, evidence)


def _container(line: str, evidence: Evidence) -> Iterator[Claim]:
    if _OUTSIDE.search(line):
        yield Claim("in_container", False, Weight.STATED, evidence)
    elif _INSIDE.search(line):
        yield Claim("in_container", True, Weight.STATED, evidence)
