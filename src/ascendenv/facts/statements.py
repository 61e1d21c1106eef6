"""Versions that people write in free text, in English and Chinese.

"CANN: 8.0.RC3", "driver 24.1.rc3", "固件 7.5.0.1.129", "驱动版本：25.0.rc1", "torch/torch_npu 2.5.1", "python==3.11",
"| CANN | 8.2.RC1 |". A demand ("torch>=2.1", "needs CANN 8.1", "8.0 及以上") is no fact, and neither is a number that
cannot be a version of the thing, such as a component's 7.7.0.1.238 called a CANN version.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import OpsPackage
from ascendenv.facts.reading import package_claims, pep440_claim, vendor_claim, vendor_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["claims_of", "component_named", "read"]

_VERSION = (
    r"\d{1,4}(?:[._-](?:rc|alpha|beta|post|dev|t|b|sp|a)?\.?\d{1,12}|(?: rc|rc|alpha|beta|post|dev|sp)\.?\d{1,12}){1,10}"
    r"(?:\+(?:cpu|cu\d+|empty|git[0-9a-f]*|g[0-9a-f]{6,}))?"
)
_END = r"(?!\w|\*|\.[\w*])"
_COMPONENTS = {
    "torch_npu": r"(?:py)?torch[-_ ]npu|torchnpu",
    "torch": r"(?:py)?torch",
    "python": r"python",
    "cann": r"cann(?:[- ]toolkit|包|软件包)?|ascend[- ]toolkit",
    "driver": r"(?:(?:npu|ascend|昇腾)[- ]?)?(?:driver|驱动)(?:(?:和|与|及|/|、|&)?(?:固件|firmware))?|(?:ascend[- ])?hdk",
    "firmware": r"firmware|固件",
    "nnal": r"nnal|(?:nnal[/-])?atb",
    "vllm-ascend": r"vllm[-_ ]ascend",
    "vllm": r"vllm",
    "triton-ascend": r"triton[-_ ]ascend",
    "triton": r"triton",
    "transformers": r"transformers",
    "numpy": r"numpy",
    "scipy": r"scipy",
    "npu_smi": r"npu-smi",
}
_WORD = r"(?:(?:[ _-]?version|版本号?)(?:分别)?|ver\.|release|tag|package|包|is|为|是|用的是?|使用的?)"
_GAP = rf"[\s:：=|`*\"'(（\[]{{0,12}}(?:{_WORD}[\s:：=|`*\"'(（\[]{{0,12}}){{0,3}}v?"
_NAMES = "|".join(f"(?P<{name.replace('-', '__')}>{words})" for name, words in _COMPONENTS.items())
_STATED = re.compile(rf"(?<![\w/.-])(?:{_NAMES}){_GAP}(?P<version>{_VERSION}){_END}", re.ASCII)
_PAIR = re.compile(
    rf"(?<![\w/.-])(?:py)?torch\s?(?:/|、|和|与|&|\+|and)\s?torch[-_]npu{_GAP}(?P<torch>{_VERSION})"
    rf"(?:\s?(?:/|、|和|与|&|and)\s?(?P<torch_npu>{_VERSION}))?{_END}",
    re.ASCII,
)
_NAME_ALONE = re.compile(
    rf"(?:{_NAMES})(?:[ _-]?version|[ ]?版本号?)?(?:\s?[(（].{{0,20}}[)）])?", re.IGNORECASE | re.ASCII
)
_RUN_PACKAGE = re.compile(
    r"Ascend-(?:cann|hdk)-(?P<kind>toolkit|nnal|kernels-\w+|\w+-ops|\w+-npu-driver|\w+-npu-firmware|\w+-driver)"
    rf"_(?P<version>{_VERSION})|(?P<a3>Atlas-A3)-cann-kernels_(?P<a3_version>{_VERSION})",
    re.IGNORECASE | re.ASCII,
)
_BARE_PACKAGE = re.compile(r"\s*(?:[-*]\s*)?([A-Za-z][\w.-]{1,40}) v?(\d+\.\d[\w.+]*)\s*", re.ASCII)
_PINNED = re.compile(
    r"\s*(?!python)[A-Za-z][\w.-]{0,60}\s?={2,3}\s?\S+\s*$", re.IGNORECASE
)  # a package listing's
_TABLE_ROW = re.compile(r"\s*\| *\d")  # of npu-smi, where processes have names such as python3.1
_LOADED_CANN = re.compile(r"CANN version mismatch.*current environment version is (\d[\w.]*\w)")
_URL = re.compile(r"https?://\S+")
_DEMAND_BEFORE = re.compile(
    r"requir|need|must|should|expect|recommend|at least|support|compatible|upgrad|downgrad|install (?!ed)|built|compil"
    r"|collecting|from versions|depend|instead|requested|satisf|found for|only|prefer|not available|minimum|latest"
    r"|changed? to|switch|需要|要求|依赖|应该|应当|推荐|建议|支持|适配|升级[到至]|换成|改[成为]|降级|必须|最低|至少|配套|兼容|官方"
    r"|should be|versus|\bvs\b|<|>|≥|≤|~=|!=",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[。；;，,！!？?\n]|\. ")
_REACH = 40
_DEMAND_AFTER = re.compile(
    r"\s*(?:\+(?!\w)|[?？]|(?:or|and) (?:later|above|higher|newer|greater)|及?以上|及之后|或更高|及更高|以后|~|-\s?\d|(?:is|was) (?:required|needed))",
    re.IGNORECASE,
)
_WORDS = (
    "orch", "python", "cann", "driver", "驱动", "firmware", "固件", "hdk", "nnal", "atb", "vllm", "triton", "toolkit",
    "numpy", "scipy", "transformers", "npu-smi",
)  # fmt: skip
_NO_PACKAGE = frozenset((
    "python", "cuda", "driver", "firmware", "cann", "linux", "node", "version", "ubuntu", "kernel", "openeuler", "hdk",
    "torch", "torch-npu", "torch_npu", "glibc", "gcc", "cmake", "centos", "euleros", "debian", "k8s", "docker", "nnal", "npu-smi", "toolkit",
))  # fmt: skip
_TORCH = re.compile(r"[0-4]\.\d")
_HDK_MAJOR = range(20, 40)
_CANN_MAJOR = range(3, 20)
_COMPONENT_NUMBERS = 5
_FIRMWARE_NUMBERS = 4


def read(page: Page) -> Iterator[Claim]:
    """The versions that are stated, and those in names of .run packages."""
    for index in page.containing("ascend-", "atlas-a3"):
        yield from _run_packages(page.lines[index], page.evidence(index))
    for index in page.containing(*_WORDS):
        line = page.lines[index]
        if not _TABLE_ROW.match(line) and not _PINNED.match(line):
            yield from _stated(_URL.sub(" ", line) if "://" in line else line, page.evidence(index))
    for index, line in enumerate(page.lines):
        if " " in line and (found := _BARE_PACKAGE.fullmatch(line)) and found[1].lower() not in _NO_PACKAGE:
            yield from package_claims(found[1], found[2], Weight.STATED, page.evidence(index))


def _stated(line: str, evidence: Evidence) -> Iterator[Claim]:
    if loaded := _LOADED_CANN.search(line):
        yield from vendor_claim("cann", loaded[1], Weight.LISTED, evidence)
    low = line.lower()
    if len(low) != len(line):
        low = line
    for found in _PAIR.finditer(low):
        if not _is_demand(line, found.start(), found.end()):
            yield from pep440_claim("torch", found["torch"], Weight.STATED, evidence)
            yield from pep440_claim(
                "torch_npu", found["torch_npu"] or found["torch"], Weight.STATED, evidence
            )
    for found in _STATED.finditer(low):
        if not _is_demand(line, found.start(), found.end()):
            yield from claims_of(_component(found), line[slice(*found.span("version"))], evidence)


def component_named(text: str) -> str | None:
    """Our name of the component that `text` is the name of: `cann` for "CANN版本"; None where it is something else."""
    found = _NAME_ALONE.fullmatch(text)
    return _component(found) if found else None


def _component(found: re.Match[str]) -> str:
    named = next(name for name, text in found.groupdict().items() if text and name != "version")
    return named.replace("__", "-")


def _is_demand(line: str, start: int, end: int) -> bool:
    before = _CLAUSE_END.split(line[max(0, start - _REACH) : start])[-1]
    inside = line[start:end]
    return bool(
        _DEMAND_BEFORE.search(before)
        or any(sign in inside for sign in (">", "<", "~", "!", "≥"))
        or _DEMAND_AFTER.match(line, end)
    )


def claims_of(what: str, text: str, line: Evidence) -> Iterator[Claim]:
    """The claims that `what`, one of our names of components, is stated to have the version `text`."""
    text = text.replace(" ", ".")  # "24.1 rc3"
    if what in ("torch", "torch_npu"):
        if not _TORCH.match(text):  # the extension's own release has numbers such as 7.1.RC1
            return
        yield from pep440_claim(what, text, Weight.STATED, line)
    elif what == "python":
        if text.startswith("3."):
            yield from pep440_claim(what, text, Weight.STATED, line)
    elif what in ("cann", "driver", "firmware", "nnal", "npu_smi"):
        if _fits(what, text):
            yield from vendor_claim(what, text, Weight.STATED, line)
    else:
        yield from package_claims(what, text, Weight.STATED, line)


def _fits(what: str, text: str) -> bool:
    """Whether a number can be a version of this thing: the three schemes hardly overlap."""
    version = vendor_or_none(text)
    if version is None or not version.release:
        return False
    numbers = version.release
    if what in ("driver", "npu_smi"):
        return numbers[0] in _HDK_MAJOR
    if what == "firmware":
        return len(numbers) >= _FIRMWARE_NUMBERS or (numbers[0] == 1 and len(numbers) > 1)
    return numbers[0] in _CANN_MAJOR and len(numbers) < _COMPONENT_NUMBERS


def _run_packages(line: str, evidence: Evidence) -> Iterator[Claim]:
    """Names such as `Ascend-cann-kernels-910b_8.0.RC1_linux.run`."""
    for found in _RUN_PACKAGE.finditer(line):
        if found["a3"]:
            yield _ops("A3", found["a3_version"], evidence)
            continue
        kind, version = found["kind"].lower(), found["version"]
        if kind == "toolkit":
            yield from vendor_claim("cann", version, Weight.STATED, evidence)
        elif kind == "nnal":
            yield from vendor_claim("nnal", version, Weight.STATED, evidence)
        elif kind.endswith("driver"):
            yield from vendor_claim("driver", version, Weight.STATED, evidence)
        elif kind.endswith("firmware"):
            yield from vendor_claim("firmware", version, Weight.STATED, evidence)
        else:
            chip = found["kind"].removeprefix("kernels-").removesuffix("-ops")
            yield _ops(chip, version, evidence)


def _ops(chip: str, version: str, line: Evidence) -> Claim:
    return Claim("ops", OpsPackage(chip, vendor_or_none(version)), Weight.STATED, line)
