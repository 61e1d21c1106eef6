"""The numeric user id of the process has no entry in /etc/passwd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["UidWithoutPasswdEntry"]

_HCCL_FAILED = "hccl:19"
_RA_CODES = ("", "19")


class UidWithoutPasswdEntry(Check):
    """The user id of the process has no entry in /etc/passwd, and HCCL cannot start."""

    id = "DEV005"
    causes = ("uid-without-passwd-entry",)
    rank = 4

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on a failed lookup of the user, and on HCCL's "ra init failed" with 19 unless this is root."""
        lookup = signals.of("passwd-entry-missing")
        network = [one for one in signals.of("hccl-ra-init-failed") if one.get("code") in _RA_CODES]
        user = known(facts.user)
        if not lookup and (not network or (user is not None and user.is_root)):
            return
        hccl = (*network, *signals.codes(_HCCL_FAILED))
        yield self.finding(
            title=say("The user id of the process has no entry in /etc/passwd"),
            observed=say("HCCL's network agent did not start (error 19)")
            if network
            else say("looking up the user by its number failed"),
            expected=say("a line for this uid in /etc/passwd of the container"),
            why=say("HCCL looks up the name and home of the user when it starts its network agent"),
            confidence=Confidence.CERTAIN if lookup and network else Confidence.LIKELY,
            severity=Severity.ERROR if hccl or signals.first("error-code") else Severity.WARNING,
            evidence=[one.evidence for one in (*lookup, *hccl)],
            fix=(
                Fix("id; getent passwd $(id -u)", say("shows whether there is an entry")),
                Fix(
                    "RUN groupadd -g 1000 HwHiAiUser && useradd -m -u 1000 -g 1000 HwHiAiUser",
                    say("in a derived image, with the uid and gid that the pod uses"),
                ),
                Fix(
                    'echo "user:x:$(id -u):$(id -g)::/tmp:/bin/bash" >> /etc/passwd',
                    say("where the image is fixed and /etc/passwd is writable"),
                ),
            ),
            sources=(
                "https://github.com/vllm-project/vllm-ascend/issues/9490",
                "https://github.com/vllm-project/vllm-ascend/pull/9495",
            ),
        )
