"""The reports of collect_env scripts (PyTorch, torch_npu, vLLM, vllm-ascend, sglang, LLaMA-Factory, transformers).

::

    PyTorch version: 2.5.1                      PyTorch: 2.8.0+cpu                    (sglang)
    Torch-npu version: 2.5.1+git1234567         CANN: 8.3.0.2.220:8.3.RC2
    OS: Ubuntu 22.04.5 LTS (aarch64)            Ascend Driver Version: 24.1.rc3
    Libc version: glibc-2.35                    NPU 0,1,2,3: Ascend910B4-1
    Python version: 3.11.11 (main, …)           - NPU type: Ascend910B1               (LLaMA-Factory)
    vLLM Ascend Version: 0.9.0rc2               CANN:
    CANN:                                       8.0.RC1                               (torch_npu)
    package_name=Ascend-cann-toolkit

Package lists, variables, records and tables inside such a report are read by the parsers made for them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.chips import chip_named
from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.reading import package_claims, pep440_claim, vendor_claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["read"]

_FIELD = re.compile(r"\s*(?:[-*]\s*)?`?(?P<key>[A-Za-z][\w .()?/,-]{1,50}?)`?\s*[:：]\s+(?P<value>\S.*?)\s*")
_ASIDE = re.compile(r"\s*\(.*\)$|\s+$")
_VERSION = re.compile(r"v?(\d[\w.+!-]*)")
_IN_BRACKETS = re.compile(r"\((\d+\.\d[\w.+]*)\)")
_BANNER = re.compile(r"^\s*Python (3\.\d+\.\d+)(?: \||\s+\((?:main|default|heads|tags|v3)|\s*$)")
_BARE_VERSION = re.compile(r"\s*['\"]?(\d+\.\d+[\w.+-]*)['\"]?\s*")
_ASKED = re.compile(r"\b(torch_npu|torch|vllm|vllm_ascend|numpy|triton)\.__version__")
_ASKED_PRINTED = re.compile(r"\.__version__\W{1,6}(\d+\.\d+[\w.+]*)")
_DEVICE_FIELD = re.compile(r"NPU(?: \d+(?:,\d+)*)?|NPU type|NPU name|Device name", re.IGNORECASE)
_CANN_HEADING = re.compile(r"\s*CANN(?: version)?\s*:\s*")
_COMPONENT_AND_RELEASE = re.compile(r"[\d.]+:(\S+)")
_WORDS = (
    "version", "torch:", "torch_npu:", "torch-npu:", "python:", "python 3.", "cann:", "npu ", "npu type", "device name",
    "sglang:", "triton:", "numpy:", "transformers:",
)  # fmt: skip
_TOLD = {
    "pytorch version": "torch",
    "pytorch": "torch",
    "torch version": "torch",
    "torch-npu version": "torch_npu",
    "torch_npu version": "torch_npu",
    "torch npu version": "torch_npu",
    "torch-npu": "torch_npu",
    "torch_npu": "torch_npu",
    "vllm version": "vllm",
    "vllm ascend version": "vllm-ascend",
    "vllm-ascend version": "vllm-ascend",
    "sglang": "sglang",
    "triton": "triton",
    "transformers version": "transformers",
    "transformers": "transformers",
    "numpy": "numpy",
    "numpy version": "numpy",
    "deepspeed version": "deepspeed",
    "accelerate version": "accelerate",
}
_PYTHON_KEYS = frozenset(("python version", "python"))
_CANN_KEYS = frozenset(("cann version", "cann"))
_DRIVER_KEY = "ascend driver version"


def read(page: Page) -> Iterator[Claim]:
    """What the fields of such reports tell, and what an interpreter answered to a question for a version."""
    for index in page.containing(*_WORDS):
        line = page.lines[index]
        answer = _BARE_VERSION.fullmatch(page.lines[index + 1]) if index + 1 < len(page.lines) else None
        if ".__version__" in line and (questions := _ASKED.findall(line)):
            if found := _ASKED_PRINTED.search(line):
                yield from package_claims(questions[-1], found[1], Weight.MEASURED, page.evidence(index))
            elif answer:
                yield from package_claims(questions[0], answer[1], Weight.MEASURED, page.evidence(index + 1))
        elif answer and _CANN_HEADING.fullmatch(line):
            yield from _cann(answer[1], page.evidence(index + 1))
        elif found := _BANNER.match(line):
            yield from pep440_claim("python", found[1], Weight.MEASURED, page.evidence(index))
        elif field := _FIELD.fullmatch(line):
            yield from _field(_ASIDE.sub("", field["key"].lower()), field["value"], page.evidence(index))


def _field(key: str, value: str, line: Evidence) -> Iterator[Claim]:
    version = _VERSION.match(value)
    if key in _TOLD:
        if inner := _IN_BRACKETS.search(
            value
        ):  # transformers prints "PyTorch version (NPU?): 2.1.0 (2.1.0.post8)"
            yield from package_claims("torch_npu", inner[1], Weight.MEASURED, line)
        if version:
            yield from package_claims(_TOLD[key], version[1], Weight.MEASURED, line)
    elif key in _PYTHON_KEYS and version:
        yield from pep440_claim("python", version[1], Weight.MEASURED, line)
    elif key in _CANN_KEYS and version:
        release = _COMPONENT_AND_RELEASE.match(value)
        yield from _cann(release[1] if release else version[1], line)
    elif key == _DRIVER_KEY and version:
        yield from vendor_claim("driver", version[1], Weight.MEASURED, line)
    elif _DEVICE_FIELD.fullmatch(key) and (chip := chip_named(value)):
        yield Claim("chip", chip, Weight.MEASURED, line)


def _cann(text: str, line: Evidence) -> Iterator[Claim]:
    """A version of five numbers is a component's, which is not the release it lies in."""
    if text.count(".") < 4:  # noqa: PLR2004
        yield from vendor_claim("cann", text, Weight.LISTED, line)
