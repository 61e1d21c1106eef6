"""How a line of a log is told in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal

__all__ = ["described", "is_fatal"]


def is_fatal(signal: Signal) -> bool:
    """Whether the line tells of an exception, and not of something that a program notes in passing."""
    text = signal.evidence.text
    return any(word in text for word in ("Error", "ERROR", "Exception", "错误")) and "WARN" not in text


def described(signal: Signal) -> Message:
    """What the line says, in words; the line itself where it has no form of its own."""
    module, name = signal.get("module"), signal.get("attribute") or signal.get("name")
    if signal.id == "missing-module":
        return say("no module named {module}", module=module)
    if signal.id in {"missing-attribute", "missing-name", "circular-import"} and name:
        return say("{module} has no {name}", module=module, name=name)
    if signal.id == "missing-library":
        return say("the library {library} is not found", library=signal.get("library"))
    return say("the log says: {text}", text=signal.evidence.text.strip())
