"""Facts that happen to stand in the lines of a log: in paths of tracebacks, names of libraries, prompts.

::

    File "/usr/local/python3.10.14/lib/python3.10/site-packages/torch_npu/__init__.py", line 17, in <module>
    …/vllm_ascend_C.cpython-311-aarch64-linux-gnu.so
    /usr/local/Ascend/ascend-toolkit/8.0.RC2/lib64/libhccl.so
    /usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1/lib/libatb.so
    root@0f3b2a6c9d1e:/workspace# python train.py

They are worth less than anything else that is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import User
from ascendenv.facts.reading import package_claims, pep440_claim, vendor_claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["read"]

_PYTHON = re.compile(r"/(?:python(3\.\d{1,2}\.\d{1,2})/)?(?:lib|lib64)/python(3\.\d{1,2})(?:t)?/")
_ARCH = re.compile(r"[/_.-](aarch64|x86_64)-linux(?:-gnu|/|$|\b)")
_TOOLKIT = re.compile(
    r"/(?:ascend-toolkit/|cann-)(\d+\.\d+\.(?:RC|T)?\d+[\w.]*?(?:-beta\.\d+)?)/", re.IGNORECASE
)
_ATB = re.compile(r"/nnal/atb/(\d+\.\d+\.[\w.]+|latest)/(?:atb/)?(?:cxx_abi_([01])\b)?")
_ABI = re.compile(r"\batb/(?:[^/\s:]+/)?cxx_abi_([01])\b")
_DIST_INFO = re.compile(r"/([A-Za-z]\w{1,40})-(\d+\.\d[\w.+]*?)\.dist-info\b")
_ENGINE = re.compile(r"\bLLM engine \(v(\d[\w.+]*)\)|vLLM API server version v?(\d[\w.+]*)")
_PROMPT = re.compile(
    r"^\s*(?:\(\S+\)\s*)?\[?([a-z_][\w-]{0,31})@[\w.-]+(?:[: ][^#$\]\n]{0,80})?\]?\s?([#$])(?:\s|$)"
)
_KERNEL = re.compile(r"/(?:lib/modules|usr/src/(?:linux-headers-|kernels/))/?(\d+\.\d+\.\d+-[\w.+-]+)")


def read(page: Page) -> Iterator[Claim]:
    """What paths and prompts give away."""
    for index, line in enumerate(page.lines):
        if "/" in line:
            yield from _paths(line, page.evidence(index))
        if "@" in line and (found := _PROMPT.match(line)):
            root = found[1] == "root" or found[2] == "#"
            yield Claim("user", User(found[1], 0 if root else None), Weight.HINT, page.evidence(index))
        if "LLM" in line and (found := _ENGINE.search(line)):
            yield from package_claims("vllm", found[1] or found[2], Weight.LISTED, page.evidence(index))


def _paths(line: str, evidence: Evidence) -> Iterator[Claim]:
    if "python3" in line and (found := _PYTHON.search(line)):
        exact, short = found.groups()
        fits = exact is not None and exact.startswith(f"{short}.")
        yield from pep440_claim("python", exact if fits else short, Weight.HINT, evidence)
    if "-linux" in line and (found := _ARCH.search(line)):
        yield Claim("arch", found[1], Weight.HINT, evidence)
    if ("scend" in line or "cann" in line) and not line.startswith("path="):
        for version in dict.fromkeys(_TOOLKIT.findall(line)):
            yield from vendor_claim("cann", version, Weight.HINT, evidence)
    if "atb/" in line:
        yield from _nnal(line, evidence)
    if ".dist-info" in line and (found := _DIST_INFO.search(line)):
        yield from package_claims(found[1], found[2], Weight.HINT, evidence)
    if found := _KERNEL.search(line):
        yield Claim("kernel", found[1].rstrip("."), Weight.HINT, evidence)


def _nnal(line: str, evidence: Evidence) -> Iterator[Claim]:
    """The first tree on a path is the one in use."""
    set_here = "ATB_HOME_PATH" in line or "LD_LIBRARY_PATH" in line
    if found := _ABI.search(line):
        yield Claim("nnal_cxx_abi", int(found[1]), Weight.LISTED if set_here else Weight.HINT, evidence)
    if (found := _ATB.search(line)) and found[1] != "latest":
        yield from vendor_claim("nnal", found[1], Weight.LISTED if set_here else Weight.HINT, evidence)
