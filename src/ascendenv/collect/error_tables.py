"""What the CANN that is installed on this machine says about an error code: its own header and table, for its version."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.collect.probes.cann import ERROR_FILES, find_roots, matching
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["InstalledCode", "installed_code"]

_DEFINED = re.compile(
    r"^\s*(?:#define\s+|(?:static\s+)?const\s+\w+\s+)(?P<name>[A-Z]\w+)\s*=?\s*(?P<code>\d+)\s*;?\s*(?://|/\*)?\s*(?P<text>.*?)\s*(?:\*/)?$",
    re.MULTILINE,
)
_SUBJECT = re.compile(r"[A-Z]{1,3}\d{4,5}|\d{5,6}|ACL_[A-Z_]+")
_LARGEST = 8 << 20


@dataclass(frozen=True)
class InstalledCode:
    """An error code in the words of the installed CANN; `path` is the file that says so."""

    code: str
    name: str
    text: str
    causes: str
    solution: str
    path: str


def installed_code(subject: str, system: System | None = None) -> InstalledCode | None:
    """What this machine's CANN says about the first code in `subject`; None where it is not there or does not know it.

    The toolkit that the environment names is asked first.
    """
    found = _SUBJECT.search(subject)
    if found is None:
        return None
    system = system or System()
    roots = find_roots(system, system.environ, ())
    for path in _in_use_first(matching(system, roots, ERROR_FILES), system.environ):
        for one in _read(system.text(path, _LARGEST), path):
            if found.group() in (one.code, one.name):
                return one
    return None


def _in_use_first(paths: list[str], environ: dict[str, str]) -> list[str]:
    home = environ.get("ASCEND_HOME_PATH", "").rstrip("/")
    return sorted(paths, key=lambda path: not (home and path.startswith(f"{home}/")))


def _read(text: str, path: str) -> Iterator[InstalledCode]:
    if path.endswith(".json"):
        yield from _table(text, path)
        return
    for found in _DEFINED.finditer(text):
        yield InstalledCode(found["code"], found["name"], found["text"], "", "", path)


def _table(text: str, path: str) -> Iterator[InstalledCode]:
    try:
        rows = json.loads(text)["error_info_list"]
    except (ValueError, KeyError, TypeError):
        return
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict):
            advice = row.get("suggestion")
            advice = advice if isinstance(advice, dict) else {}
            words = (row.get("ErrCode"), row.get("errTitle"), row.get("ErrMessage"))
            code, name, message = (str(word or "") for word in words)
            cause, solution = (str(advice.get(key) or "") for key in ("Possible Cause", "Solution"))
            yield InstalledCode(code, name, message, _told(cause), _told(solution), path)


def _told(text: str) -> str:
    return "" if text.strip() in ("N/A", "NA", "-") else text.strip()
