"""CANN fails below torch, and torch only says that there is no NPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks import chip, device, driver
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.facts.evidence import Evidence
from ascendenv.language import Message, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.live import LiveCall, LiveResult

__all__ = ["RuntimeRefuses"]

_CAUSES = {"aclInit": "acl-init-fails", "aclrtGetDeviceCount": "device-count-fails"}
_REPEATED = 100002
"""ACL_ERROR_REPEAT_INITIALIZE: torch_npu had started CANN before us."""


class RuntimeRefuses(Check):
    """With --live: aclInit or the device count fails, which is_available() hides behind False."""

    id = "LIV004"
    causes = ("acl-init-fails", "device-count-fails")
    consequence_of = tuple(check.id for family in (chip, device, driver) for check in family.CHECKS)

    def check(self, live: LiveResult) -> Iterator[Finding]:
        """The first call that fails; the calls after it fail for the same reason."""
        for call in live.calls:
            if call.code not in (0, _REPEATED):
                yield self._refused(call, live)
                return

    def _refused(self, call: LiveCall, live: LiveResult) -> Finding:
        return self.finding(
            cause=_CAUSES.get(call.name, self.causes[0]),
            confidence=Confidence.CERTAIN,
            title=say("{call} of CANN fails, which torch hides", call=call.name),
            observed=say(
                "{call} returns {code}; torch.npu.is_available() is {available}",
                call=call.name,
                code=call.code,
                available=live.available,
            ),
            expected=Message("0"),
            why=say(
                "is_available() is the same False for no device, a failing aclInit and a failing device count"
            ),
            evidence=[Evidence(f"live {call.name}", line) for line in _words(call)],
            fix=(
                Fix(f"ascendenv explain {call.code}", say("what the code means and its usual causes")),
                Fix(
                    "grep -rh ERROR ~/ascend/log/debug/plog | tail -20",
                    say("the runtime's own log of this call has the reason some lines before the code"),
                ),
            ),
            sources=("the live probe", "CANN: acl_base.h, error codes of the runtime"),
        )


def _words(call: LiveCall) -> list[str]:
    said = [line.strip() for line in call.text.splitlines() if line.strip()]
    return [f"{call.name} -> {call.code}", *said]
