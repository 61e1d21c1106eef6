"""Facts of a collected snapshot: its texts go through the same parsers as pasted ones, its records become claims."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ascendenv.facts import hccn, machine, npu_smi, npu_smi_pages, version_files
from ascendenv.facts.assemble import assembled
from ascendenv.facts.page import page_of
from ascendenv.facts.records import READERS
from ascendenv.facts.symbol_faults import fault_signals
from ascendenv.signals.model import Signals
from ascendenv.signals.scan import scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.model import HostFacts
    from ascendenv.facts.page import Page

__all__ = ["facts_of_snapshot"]

_PARSERS = (npu_smi, npu_smi_pages, version_files, machine, hccn)
_INSTALL_LOG = "/var/log/ascend_seclog/ascend_install.log"
_SCANNED = ("npu-smi info", "npu-smi info -m", "kernel log")


def facts_of_snapshot(snapshot: Snapshot) -> HostFacts:
    """Everything that the snapshot tells about its machine."""
    pages = [page_of(text, origin) for origin, text in texts_of(snapshot)]
    spoken = chain.from_iterable(parser.read(page) for page in pages for parser in _PARSERS)
    recorded = chain.from_iterable(read(snapshot) for read in READERS)
    return replace(assembled(chain(spoken, recorded)), signals=_signals(snapshot, pages))


def texts_of(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """(where, text) of every file and output that the parsers can read."""
    for section in ("machine", "devices", "cann"):
        for path, record in snapshot.part(section, "files").items():
            if isinstance(record, dict) and isinstance(record.get("text"), str):
                yield path, record["text"]
    for command, record in snapshot.part("devices", "npu_smi").items():
        if isinstance(record, dict) and "rc" in record:
            yield command, f"{record.get('stdout', '')}{record.get('stderr', '')}"
    lines = snapshot.part("devices", "kernel_log").get("lines")
    if isinstance(lines, list):
        yield "kernel log", "\n".join(str(line) for line in lines)


def _signals(snapshot: Snapshot, pages: list[Page]) -> Signals:
    texts = [("\n".join(page.originals), page.origin) for page in pages if page.origin in _SCANNED]
    texts.extend(_last_installation(snapshot))
    found = (scan(text.encode("utf-8", "replace"), origin) for text, origin in texts)
    return Signals((*fault_signals(snapshot), *chain.from_iterable(one.items for one in found)))


def _last_installation(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """The last run in the installer's log, which grows for ever; of no interest where the driver answers."""
    answer = snapshot.part("devices", "npu_smi").get("npu-smi info")
    if isinstance(answer, dict) and answer.get("rc") == 0:
        return
    text = snapshot.text(_INSTALL_LOG)
    if text is not None:
        start = max(text.lower().rfind("start time"), 0)
        yield text[start:], _INSTALL_LOG
