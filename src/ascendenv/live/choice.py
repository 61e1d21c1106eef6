"""Which card the live probe may use: one that was named, and that nobody is using."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.live.run import FREE_MB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.model import HostFacts, Npu
    from ascendenv.language import Message

__all__ = ["device_of", "reason_against"]

_DEVICE = re.compile(r"npu:(\d{1,4})|cpu")
_NODE = re.compile(r"/dev/davinci(\d{1,4})")


def device_of(text: str) -> str:
    """`cpu` or `npu:0` as the user typed it; raises UnusableInput for anything else."""
    if not _DEVICE.fullmatch(text):
        raise UnusableInput(
            say("--live-device {text}: this is no device", text=repr(text)),
            hint=say("name one card, e.g. npu:0 as torch counts them, or cpu"),
        )
    return text


def reason_against(facts: HostFacts, device: str | None) -> Message | None:
    """Why nothing is computed on that device; None where it is free. What cannot be seen counts as in use."""
    if device == "cpu":
        return None
    if device is None:
        return say("no card was named, so none was opened: name a free one with --live-device npu:0")
    visible = _visible(facts)
    if visible is None:
        return say("the cards in ASCEND_RT_VISIBLE_DEVICES cannot be told apart, so none is used")
    number = int(device.partition(":")[2])
    cards = known(facts.npus)
    if cards is None:
        return say("whether {device} is in use cannot be told: npu-smi shows no table", device=device)
    chosen = visible[number] if visible and number < len(visible) else None if visible else number
    if chosen is None or chosen >= len(cards):
        count = len(visible) or len(cards)
        return say("there is no {device}: {count} cards are visible", device=device, count=count)
    return next(_uses(facts, device, chosen, cards[chosen]), None)


def _visible(facts: HostFacts) -> tuple[int, ...] | None:
    """The numbers behind torch's 0, 1, ...: empty where all cards are visible, None where the text is no list."""
    text = (known(facts.environment) or {}).get("ASCEND_RT_VISIBLE_DEVICES")
    if text is None:
        return ()
    numbers = [part.strip() for part in text.split(",")]
    return tuple(int(one) for one in numbers) if all(one.isdecimal() for one in numbers) else None


def _uses(facts: HostFacts, device: str, number: int, card: Npu) -> Iterator[Message]:
    """Every sign that somebody uses the card, the surest first."""
    for process in known(facts.npu_processes) or ():
        if process.npu_id == card.npu_id and process.chip_id in (None, card.chip_id):
            yield say(
                "{device} is in use by process {pid} ({name})",
                device=device,
                pid=process.pid,
                name=process.name,
            )
    node = _node(facts, number, card)
    for holder in known(facts.holders) or ():
        if node in holder.nodes:
            yield say(
                "{device} is in use by process {pid} ({name})",
                device=device,
                pid=holder.pid,
                name=holder.name,
            )
    if card.aicore_percent:
        yield say(
            "{device} is in use: its AI cores are {percent} % busy",
            device=device,
            percent=card.aicore_percent,
        )
    used = card.hbm_used if card.hbm_total else card.memory_used
    if used is None:
        yield say("whether {device} is in use cannot be told: its memory is not shown", device=device)
    elif used > FREE_MB:
        yield say("{device} is in use: {used} MB of its memory are taken", device=device, used=used)


def _node(facts: HostFacts, number: int, card: Npu) -> str:
    """The card's node. Nodes keep the numbers of the host in a container, where torch counts from 0."""
    if card.phy_id is not None:
        return f"/dev/davinci{card.phy_id}"
    nodes = known(facts.device_nodes) or ()
    numbers = sorted(int(found[1]) for node in nodes if (found := _NODE.fullmatch(node.path)))
    return f"/dev/davinci{numbers[number] if number < len(numbers) else number}"
