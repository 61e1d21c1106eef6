"""The driver's files, libraries and account, what its records name, and how npu-smi answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.reading import vendor_or_none
from ascendenv.facts.recorded.claims import measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_driver"]

_DRIVER = "/usr/local/Ascend/driver/version.info"
_FIRMWARE = "/usr/local/Ascend/firmware/version.info"
_VERSION = re.compile(r"^Version=(\S+)", re.MULTILINE)
_TABLE = "npu-smi info"
_UNREADABLE = "Permission denied"


def read_driver(snapshot: Snapshot) -> Iterator[Claim]:
    """What lies on disk and whether the cards answer."""
    if not snapshot.section("driver") or "failed" in snapshot.section("driver"):
        return
    record = snapshot.file(_DRIVER)
    if record.get("error") != _UNREADABLE:
        yield measured("driver_files", "text" in record, _DRIVER, str(record.get("error", "is there")))
    libraries = snapshot.section("driver").get("libraries")
    if isinstance(libraries, list):
        where = str(libraries[0]) if libraries else "/usr/local/Ascend/driver/lib64"
        yield measured(
            "driver_library", bool(libraries), where, "is there" if libraries else "no libascend_hal.so"
        )
    for fact, path in (("driver_on_disk", _DRIVER), ("firmware_on_disk", _FIRMWARE)):
        found = _VERSION.search(snapshot.text(path) or "")
        if found and (version := vendor_or_none(found[1])):
            yield measured(fact, version, path, found[0])
    account = snapshot.part("devices", "accounts").get("user")
    if isinstance(account, bool):
        yield measured("driver_account", account, "/etc/passwd", "HwHiAiUser" if account else "no HwHiAiUser")
    if isinstance(answer := snapshot.part("driver", "npu_smi").get(_TABLE), dict):
        yield measured("npu_smi_answer", _answer(answer), _TABLE, _shown(answer))


def _answer(record: Mapping[str, object]) -> str:
    if "error" in record:
        return str(record["error"])
    return "ok" if record.get("rc") == 0 else "failed"


def _shown(record: Mapping[str, object]) -> str:
    if "error" in record:
        return f"{record['error']} after {record.get('seconds', 0)} s"
    lines = f"{record.get('stdout', '')}\n{record.get('stderr', '')}".strip().splitlines()
    return f"rc {record.get('rc')}: {lines[-1] if lines else ''}"
