"""Whether a text has to do with Ascend at all: a report about another machine is no healthy one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.facts.page import Page

__all__ = ["FOREIGN", "TRACE", "has_ascend_trace", "traces_in"]

TRACE = "ascend_trace"
"""The key of `HostFacts.provenance` under which the first line that speaks of Ascend is kept."""
FOREIGN = "foreign_trace"
"""The key under which the first line is kept that speaks of an accelerator of another maker."""

_WORDS = re.compile(
    r"ascend|昇腾|\bnpu\b|npu[-_]smi|torch[-_]npu|triton[-_]ascend|\bcann\b|hccl|hccn|davinci|devmm_svm|hisi_hdc|hwhiai"
    r"|\bacl(?:rt|nn|op|init|mdl)|\bACL_|libacl|libatb|libge_|libhccl|dcmi|drvret|drverr|uda_occupy|\batlas (?:[2-9]\d\d|a[235])"
    r"|\b910[abc]\b|\b910b\d|\b310p\d?\b|huawei\.com/|\btbe\b|te_fusion|opp_kernel|kernel_meta|\bE[A-Z]\d{4}\b|msprof"
    r"|tsdopen|\bERR\d{5}\b|acl api|drvmng|\[asctools\]|\[(?:driver|firmware)\] \[|\bACL\b|atrace|\b50[07]\d{3}\b|\b107\d{3}\b|bishengir|aicore|aicpu|\bnnal\b|mindie|mindspore",
    re.IGNORECASE,
)
_FOREIGN_WORDS = re.compile(
    r"nvidia(?! driver version *: *(?:no|could|none))|geforce|\btesla\b|libcud|\bCUDA (?:error|out of memory|runtime version *: *\d)"
    r"|\bROCm version|\bHIP error|hipError|\bnccl(?:Unhandled|System|Internal)|\bMI\d00X?\b|habana|cambricon",
    re.IGNORECASE,
)
_MAKERS = (
    "nvidia",
    "geforce",
    "tesla",
    "libcud",
    "cuda ",
    "rocm",
    "hip",
    "nccl",
    "habana",
    "cambricon",
    "mi3",
)
_TELLING = (
    "driver",
    "firmware",
    "npu_smi",
    "npus",
    "chip",
    "cann",
    "cann_installs",
    "nnal",
    "torch_npu",
    "ops",
    "ports",
)


def traces_in(page: Page) -> dict[str, Evidence]:
    """The first line that speaks of Ascend, and the first that speaks of another maker's accelerator."""
    found: dict[str, Evidence] = {}
    everywhere, makers = range(len(page.lines)), page.containing(*_MAKERS)
    for name, words, places in ((TRACE, _WORDS, everywhere), (FOREIGN, _FOREIGN_WORDS, makers)):
        index = next((index for index in places if words.search(page.lines[index])), None)
        if index is not None:
            found[name] = page.evidence(index)
    return found


def has_ascend_trace(facts: HostFacts) -> bool:
    """Whether the input has to do with Ascend.

    A few lines of an error need not name the machine: where a known message was seen and nothing speaks of another
    maker's accelerator, they are taken for Ascend's.
    """
    if facts.seen(TRACE) or any(not isinstance(getattr(facts, name), Unknown) for name in _TELLING):
        return True
    return bool(facts.signals) and not facts.seen(FOREIGN)
