"""Collects on another machine over the system's own ssh: one connection, the script on its standard input."""

from __future__ import annotations

import io
import re
import subprocess

from ascendenv.collect.script import collector_script
from ascendenv.collect.snapshot import Snapshot, read_snapshot
from ascendenv.errors import HostFailed, UnusableInput
from ascendenv.language import say

__all__ = ["collect_from"]

_DESTINATION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@:%-]*")
"""`node`, `user@node`, an address; never something that ssh would read as an option or a shell as a command."""

_SECONDS = 120
_OPTIONS = ("-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
"""No questions; the known host keys of this user decide, as always."""


def collect_from(host: str) -> Snapshot:
    """The snapshot of `host`; nothing is written there.

    Raises UnusableInput for a name that is none, HostFailed where ssh, the connection or Python there fails.
    """
    if not _DESTINATION.fullmatch(host):
        raise UnusableInput(
            say("this is no host name"), where=host, hint=say("give host:NODE or host:USER@NODE")
        )
    try:
        answer = subprocess.run(
            ["ssh", *_OPTIONS, "--", host, "python3", "-"],
            input=collector_script().encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise HostFailed(say("ssh is not installed here"), where=host) from error
    except subprocess.TimeoutExpired as error:
        raise HostFailed(
            say("there was no answer within {seconds} s", seconds=_SECONDS), where=host
        ) from error
    if answer.returncode != 0:
        raise _failed(host, answer.stderr)
    return read_snapshot(io.BytesIO(answer.stdout), host)


def _failed(host: str, errors: bytes) -> HostFailed:
    lines = [line.strip() for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    reason = lines[-1] if lines else "-"
    return HostFailed(
        say("the machine could not be looked at: {reason}", reason="".join(filter(str.isprintable, reason))),
        where=host,
        hint=say("try: ssh {host} python3 --version", host=host),
    )
