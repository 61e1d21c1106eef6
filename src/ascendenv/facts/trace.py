"""Whether a text has to do with Ascend at all: a report about another machine is no healthy one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.facts.page import Page

__all__ = ["TRACE", "has_ascend_trace", "trace_in"]

TRACE = "ascend_trace"
"""The key of `HostFacts.provenance` under which the first line that speaks of Ascend is kept."""

_WORDS = re.compile(
    r"ascend|昇腾|\bnpu\b|npu[-_]smi|torch[-_]npu|triton[-_]ascend|\bcann\b|hccl|hccn|davinci|devmm_svm|hisi_hdc|hwhiai"
    r"|\bacl(?:rt|nn|op|init|mdl)|\bACL_|libacl|libatb|libge_|libhccl|dcmi|drvret|drverr|uda_occupy|\batlas (?:[2-9]\d\d|a[235])"
    r"|\b910[abc]\b|\b910b\d|\b310p\d?\b|huawei\.com/|\btbe\b|te_fusion|opp_kernel|kernel_meta|\bE[A-Z]\d{4}\b|msprof"
    r"|tsdopen|\bERR\d{5}\b|acl api|\b50[07]\d{3}\b|\b107\d{3}\b|bishengir|aicore|aicpu|\bnnal\b|mindie|mindspore",
    re.IGNORECASE,
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


def trace_in(page: Page) -> Evidence | None:
    """The first line that speaks of Ascend."""
    for index, line in enumerate(page.lines):
        if _WORDS.search(line):
            return page.evidence(index)
    return None


def has_ascend_trace(facts: HostFacts) -> bool:
    """Whether anything in the input has to do with Ascend."""
    if facts.seen(TRACE):
        return True
    return any(not isinstance(getattr(facts, name), Unknown) for name in _TELLING)
