"""Facts of a collected snapshot: its texts go through the same parsers as pasted ones, its records become claims."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ascendenv.errors import AscendenvError
from ascendenv.facts import hccn, machine, npu_smi, npu_smi_pages, version_files
from ascendenv.facts.assemble import assembled
from ascendenv.facts.decode import read_text
from ascendenv.facts.page import page_of
from ascendenv.facts.recorded import recorded_claims
from ascendenv.facts.recorded.trees import trees_in_use
from ascendenv.facts.symbol_faults import fault_signals
from ascendenv.facts.unknown import NOT_GIVEN, Unknown
from ascendenv.language import say
from ascendenv.signals.model import Signals
from ascendenv.signals.scan import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim
    from ascendenv.facts.model import HostFacts
    from ascendenv.facts.page import Page
    from ascendenv.signals.model import Signal

__all__ = ["facts_of_snapshot"]

_PARSERS = (npu_smi, npu_smi_pages, version_files, machine, hccn)
_INSTALL_LOG = "/var/log/ascend_seclog/ascend_install.log"
_BUILD_LOG = "/var/lib/dkms/davinci_ascend/build/make.log"
_KERNEL_LOG = "kernel log"
_TABLE = "npu-smi info"
_HEALTH = "-t health"
_FRAME = ("|", "+")
_UNPARSED = (_INSTALL_LOG, "/etc/docker/daemon.json", "/etc/containerd/config.toml", "/proc/meminfo")
_OF_OTHER_TREES = ("cann_installs", "arch")
"""What a tree that is not in use tells all the same: that it is there."""
_RECENT = 3600
"""Seconds for which a kernel message is news on a machine whose cards answer."""
_LOCKDOWN = "lockdown"
_STAMP = re.compile(r"^\[\s*(\d{1,12})\.\d+\]")


def facts_of_snapshot(snapshot: Snapshot) -> HostFacts:
    """Everything that the snapshot tells about its machine."""
    pages = [page_of(text, origin) for origin, text in _cleaned(_texts(snapshot))]
    spoken = chain.from_iterable(_spoken(page, snapshot) for page in pages)
    facts = assembled(chain(spoken, recorded_claims(snapshot)))
    return replace(facts, signals=_signals(snapshot, pages), **_absences(facts))


def _absences(facts: HostFacts) -> dict[str, Any]:
    """Reasons better than "the input does not tell" for what was looked for and is not there."""
    if isinstance(facts.packages, Unknown) or isinstance(facts.interpreter, Unknown):
        return {}
    where = facts.interpreter.path
    return {
        name: Unknown(say("{package} is not installed in {python}", package=name, python=where))
        for name in ("torch", "torch_npu")
        if facts.packages.complete and getattr(facts, name) is NOT_GIVEN
    }


def _cleaned(texts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for origin, text in texts:
        if clean := _clean(text, origin):
            yield origin, clean


def _clean(text: str, origin: str) -> str:
    try:
        return read_text(text.encode("utf-8", "replace"), origin)
    except AscendenvError:  # empty, or no text at all
        return ""


def _texts(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """(where, text) of every file and output that the parsers can read."""
    for path, record in snapshot.files():
        if isinstance(record.get("text"), str) and path not in _UNPARSED:
            yield path, record["text"]
    for section, part in (("driver", "npu_smi"), ("network", "ports")):
        for command, record in snapshot.part(section, part).items():
            if isinstance(record, dict) and "rc" in record:
                head = f"{command}\n" if section == "network" else ""  # its output does not name the device
                yield command, f"{head}{record.get('stdout', '')}{record.get('stderr', '')}"


def _spoken(page: Page, snapshot: Snapshot) -> Iterator[Claim]:
    """What the parsers read in the page; of a toolkit that is not in use only that it is there."""
    in_use = trees_in_use(snapshot).covers(page.origin)
    for claim in chain.from_iterable(parser.read(page) for parser in _PARSERS):
        if in_use or claim.fact in _OF_OTHER_TREES:
            yield claim


def _signals(snapshot: Snapshot, pages: list[Page]) -> Signals:
    answering = _answers(snapshot)
    texts = [(_complaint(page, answering=answering), page.origin) for page in pages]
    texts.extend(_logs(snapshot, answering=answering))
    found = (_scanned(text, origin) for text, origin in texts if text)
    return Signals((*_faults(snapshot), *chain.from_iterable(one.items for one in found)))


def _complaint(page: Page, *, answering: bool) -> str:
    """What npu-smi says besides tables; where it answers, only a card's health may be a complaint."""
    if not page.origin.startswith(_TABLE) or (
        answering and page.origin != _TABLE and _HEALTH not in page.origin
    ):
        return ""
    return "\n".join(line for line in page.originals if not line.startswith(_FRAME))


def _faults(snapshot: Snapshot) -> tuple[Signal, ...]:
    try:
        return tuple(fault_signals(snapshot))
    except (TypeError, KeyError, ValueError, AttributeError):  # a damaged record; `recorded_claims` names it
        return ()


def _scanned(text: str, origin: str) -> Signals:
    try:
        return scan(text.encode("utf-8", "replace"), origin)
    except AscendenvError:
        return Signals()


def _logs(snapshot: Snapshot, *, answering: bool) -> Iterator[tuple[str, str]]:
    """(text, where) of the logs that may explain what is wrong; where the cards answer, old news are none."""
    lines = snapshot.part("kernel", "log").get("lines")
    if isinstance(lines, list):
        since = _uptime(snapshot) - _RECENT if answering else 0
        recent = [str(line) for line in lines if _stamp(str(line), since) >= since]
        if not all(_LOCKDOWN in line for line in recent):  # which alone says nothing about a driver
            yield "\n".join(recent), _KERNEL_LOG
    if answering:
        return
    if text := snapshot.text(_INSTALL_LOG):
        # The log grows for ever; only the last run of the installer counts.
        yield text[max(text.lower().rfind("start time"), 0) :], _INSTALL_LOG
    if isinstance(build := snapshot.part("kernel", "dkms").get("build_log"), str):
        yield build, _BUILD_LOG


def _answers(snapshot: Snapshot) -> bool:
    answer = snapshot.part("driver", "npu_smi").get(_TABLE)
    return isinstance(answer, dict) and answer.get("rc") == 0


def _uptime(snapshot: Snapshot) -> int:
    section = snapshot.section("machine")
    now, boot = section.get("now"), section.get("boot_time")
    return now - boot if isinstance(now, int) and isinstance(boot, int) else 0


def _stamp(line: str, default: int) -> int:
    """The seconds since the start at which the kernel wrote the line; `default` for a line without a stamp."""
    found = _STAMP.match(line)
    return int(found[1]) if found else default
