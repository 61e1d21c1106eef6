"""Runs the live probe: one child of the interpreter in question, in its own process group and with a time limit."""

from __future__ import annotations

import json
import pkgutil
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ascendenv.facts.live import LiveCall, LiveError, LiveResult, LiveStep
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascendenv.facts.live import LiveEnd
    from ascendenv.language import Message

__all__ = ["FREE_MB", "LiveRun", "run_live"]

FREE_MB = 4096
"""Memory in use up to which a card counts as free: idle ones show 2.6 to 3.4 GB (npu-smi of 910B, A3 and 950)."""
OPENED_MB = 2048
"""What opening a card may add to that."""

_FRAME = re.compile(r'\s*File "(?P<file>[^"]*)", line (?P<line>\d+) in (?P<function>\S+)')
_SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}


@dataclass(frozen=True)
class LiveRun:
    """The result, and the texts to be read like a log: (step, text)."""

    result: LiveResult
    texts: tuple[tuple[str, str], ...] = ()


def run_live(
    python: str,
    device: str | None,
    environ: Mapping[str, str],
    *,
    seconds: float,
    unused: Message | None = None,
) -> LiveRun:
    """What the probe told. `device` is `cpu`, `npu:0` or None; with `unused`, the reason against it, it is not opened."""
    from ascendenv.collect.probes.command import Command
    from ascendenv.collect.probes.system import System

    # The stack of a step that hangs must be on its way before the child is killed.
    arguments = [
        device if device and not unused else "",
        str(FREE_MB + OPENED_MB),
        str(max(seconds - 1, seconds / 2)),
    ]
    command = Command(System(), [python, "-c", _source(), *arguments], seconds, dict(environ))
    answer = command.answer()
    heard = Heard()
    for record in _records(str(answer.get("stdout", ""))):
        heard.take(record)
    stderr = str(answer.get("stderr", ""))
    end, reason = _end(answer, heard)
    result = LiveResult(
        python=python,
        device=device,
        end=end,
        seconds=seconds,
        reason=reason,
        unused=unused or heard.busy(device),
        steps=tuple(heard.steps.values()),
        stack=tuple(_stack(stderr)) if end in ("timeout", "crashed") else (),
        **heard.facts,
    )
    return LiveRun(result, tuple(_texts(heard, result, stderr)))


@dataclass
class Heard:
    """What the child's records say, put together as they come."""

    steps: dict[str, LiveStep] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    failures: list[tuple[str, str]] = field(default_factory=list)
    used: float | None = None
    ended: bool = False

    def take(self, record: Mapping[str, Any]) -> None:
        """Add one record."""
        name = str(record.get("step", ""))
        if name == "end":
            self.ended = True
            return
        errors = tuple(LiveError(one["type"], one["text"], one["where"]) for one in record.get("errors", ()))
        self.steps[name] = LiveStep(name, record["outcome"], errors)
        if record.get("text"):
            self.failures.append((name, str(record["text"])))
        reader = _READERS.get(name)
        if reader is not None and isinstance(record.get("result"), dict):
            reader(self, record["result"])

    def busy(self, device: str | None) -> Message | None:
        """Why the card was left alone although it had looked free from outside."""
        if self.used is None:
            return None
        return say(
            "{device} is in use: {used} MB of its memory are taken", device=device, used=round(self.used)
        )


def _version(heard: Heard, result: Mapping[str, Any], name: str) -> None:
    heard.facts["versions"] = {**heard.facts.get("versions", {}), name: str(result["version"])}


def _available(heard: Heard, result: Mapping[str, Any]) -> None:
    heard.facts.update(available=result["available"], count=result["count"])


def _runtime(heard: Heard, result: Mapping[str, Any]) -> None:
    calls = tuple(LiveCall(one["name"], one["code"], one["text"]) for one in result["calls"])
    heard.facts.update(calls=calls, runtime_count=result["count"], soc=result["soc"])


def _device(heard: Heard, result: Mapping[str, Any]) -> None:
    heard.facts["name"] = result["name"]
    heard.used = None if result["free"] else float(result["used"])


def _training(heard: Heard, result: Mapping[str, Any]) -> None:
    heard.facts.update(losses=tuple(float(one) for one in result["losses"]), repeats=result["repeats"])


_READERS = {
    "torch": lambda heard, result: _version(heard, result, "torch"),
    "torch_npu": lambda heard, result: _version(heard, result, "torch_npu"),
    "available": _available,
    "runtime": _runtime,
    "device": _device,
    "product": lambda heard, result: heard.facts.update(error=float(result["error"])),
    "training": _training,
}


def _source() -> str:
    data = pkgutil.get_data("ascendenv.live", "child.py")
    if data is None:
        raise FileNotFoundError("child.py")
    return data.decode("utf-8")


def _records(text: str) -> Iterator[dict[str, Any]]:
    """The records, also of a child that was cut off in the middle of a line."""
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "step" in record and "outcome" in record:
            yield record


def _end(answer: Mapping[str, Any], heard: Heard) -> tuple[LiveEnd, str]:
    error = str(answer.get("error", ""))
    if error == "timeout":
        return "timeout", ""
    if error:
        return "not-started", error
    if heard.ended:
        return "done", ""
    code = int(answer["rc"])
    if not heard.steps:
        words = str(answer.get("stderr", "")).strip().splitlines()
        return "not-started", words[-1] if words else f"exit code {code}"
    return "crashed", _SIGNALS.get(-code, f"signal {-code}") if code < 0 else f"exit code {code}"


def _stack(stderr: str) -> Iterator[str]:
    """The frames that faulthandler wrote, innermost first, without the probe's own."""
    for line in stderr.splitlines():
        found = _FRAME.match(line)
        if found and not found["file"].startswith("<"):
            yield f"{found['file']}:{found['line']} {found['function']}"


def _texts(heard: Heard, result: LiveResult, stderr: str) -> Iterable[tuple[str, str]]:
    yield from heard.failures
    if result.available is False:
        yield "available", "torch.npu.is_available() -> False"
    for call in result.calls:
        if call.code:
            yield "runtime", f"NPU function error: {call.name}, error code is {call.code}\n{call.text}"
    if stderr.strip():
        yield "stderr", stderr
