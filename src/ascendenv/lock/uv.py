"""Runs uv, which resolves for another platform and Python than its own; pip judges markers by the running interpreter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import HostFailed, UnusableInput
from ascendenv.language import Message, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["PipSetClash", "environment_for", "find_uv", "run_uv"]

_KEPT = re.compile(
    r"UV_(CACHE_DIR|OFFLINE|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|KEYRING_PROVIDER|CONCURRENT_\w+"
    r"|HTTP_\w+|REQUEST_TIMEOUT|INDEX_\w+_(USERNAME|PASSWORD))"
)
"""Settings of uv that say how to reach an index, not which one, nor what to choose from it."""


class PipSetClash(UnusableInput):
    """The requirements of the pip set contradict each other."""

    code: ClassVar[str] = "pip-set-clash"


def find_uv() -> str:
    """The path of uv: the one beside this Python, else the one on PATH; raises HostFailed."""
    try:
        from uv import find_uv_bin

        return str(find_uv_bin())
    except (ImportError, FileNotFoundError):
        found = shutil.which("uv")
    if found is None:
        raise HostFailed(
            say("uv is missing: it resolves the pip set for other platforms and Pythons than this one"),
            hint=Message(f"{sys.executable} -m pip install 'ascendenv[provision]'"),
        )
    return found


def environment_for(machine: Mapping[str, str], index: str | None) -> dict[str, str]:
    """The environment in which uv asks `index` (its own default where None) and obeys no other setting of the machine."""
    kept = {
        name: value
        for name, value in machine.items()
        if not name.startswith(("UV_", "PIP_", "VIRTUAL_ENV", "CONDA_")) or _KEPT.fullmatch(name)
    }
    if index is not None:
        kept["UV_DEFAULT_INDEX"] = index  # in the environment, because an address may hold a password
    return kept | {"UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1"}


def run_uv(arguments: Sequence[str], folder: Path, environment: Mapping[str, str], what: Message) -> None:
    """Run `uv pip compile` in `folder`; raises PipSetClash with uv's reasons, or HostFailed. `what` names the pip set."""
    # Naming an interpreter spares uv the search for one, half a second; the target is told by the arguments.
    own = ["--python", sys.executable] if sys.executable else []
    command = [find_uv(), "pip", "compile", "--no-config", "--quiet", "--no-progress", *own, *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=dict(environment),
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise HostFailed(say("uv cannot be run: {reason}", reason=os.strerror(error.errno or 0))) from error
    if done.returncode == 0:
        return
    told = _told(done.stderr.decode("utf-8", "replace"))
    if "No solution found" in told:
        words = say("{what} cannot be resolved:\n{told}", what=what, told=_reasons(told))
        raise PipSetClash(words, hint=_hint(told))
    raise HostFailed(say("uv failed on {what}:\n{told}", what=what, told=told), hint=_way_to_index(told))


def _told(text: str) -> str:
    """What uv said, without passwords in addresses and without control characters."""
    shown = "".join(one if one.isprintable() or one == "\n" else "?" for one in text)
    return re.sub(r"://[^/@\s]+@", "://", shown).strip()


def _reasons(told: str) -> str:
    """The reasons without the head that says no more than that there are some."""
    return re.sub(r"^(error: |[×\s]*)No solution found[^\n]*\n\s*(cause:|╰─▶)?\s*", "", told)


def _hint(told: str) -> Message | None:
    if "manylinux" in told or "platform tag" in told:
        return say('where the machines have a newer glibc, say so in the stack: glibc = "2.34"')
    if "no usable wheels" in told or "building from source is disabled" in told:
        return say('where a package has no wheel, name it in the stack: from_source = ["NAME"]')
    return None


def _way_to_index(told: str) -> Message | None:
    if "Failed to fetch" in told or "error sending request" in told:
        return say("name an index, a mirror or a folder with wheels that this machine reaches in [sources]")
    return None
