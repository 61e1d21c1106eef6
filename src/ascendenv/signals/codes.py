"""Error codes of ACL, runtime, GE, HCCL, driver, DCMI, torch_npu and the installers: spellings and meanings.

The meanings lie in `matrix/error_codes/`. A canonical code is `507033`, `EE1001`, `drv:87`, `hccl:19`, `-8020`, `0x0091`
(an installer's ERR_NO), `ERR00100` or `0x80E01801` (a health event).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ascendenv.resources import read_compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ErrorCode", "canonical_code", "component_of", "find_code", "known_codes"]


@dataclass(frozen=True)
class ErrorCode:
    """What is known about one code. `causes` are slugs of root causes in the order in which they are met.

    `name` is the constant (`ACL_ERROR_RT_DEV_SETUP_ERROR`) or title that the vendor gave it, if any; `inner` are other
    numbers under which the runtime prints the same error.
    """

    code: str
    component: str
    meaning_en: str
    meaning_zh: str
    source: str
    name: str | None = None
    causes: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()

    def meaning(self, language: str = "en") -> str:
        """What the code says, in `en` or `zh`."""
        return self.meaning_zh if language == "zh" else self.meaning_en


@dataclass(frozen=True)
class Table:
    """All known codes, and the other words under which they are looked up (in upper case)."""

    codes: Mapping[str, ErrorCode]
    aliases: Mapping[str, str]


_FORMS = (
    (re.compile(r"-\d{4,5}"), "dcmi"),
    (re.compile(r"drv:\d+"), "driver"),
    (re.compile(r"hccl:\d+"), "hccl"),
    (re.compile(r"0x[0-9a-fA-F]{4}"), "installer"),
    (re.compile(r"0x7[0-9A-F]{6}"), "runtime"),
    (re.compile(r"0x[0-9A-F]{5,}"), "event"),
    (re.compile(r"ERR\d{5}"), "torch_npu"),
    (re.compile(r"E\w\d{4}|W\d{5}"), "cann"),
    (re.compile(r"\d{6}"), "acl"),
)
_HCCL_NUMBER = re.compile(r"0x0{8}05[0-9a-fA-F]{2}(?P<low>[0-9a-fA-F]{4})")
_MODULE_OF_TORCH_NPU = re.compile(r"ERR\d\d(?=\d{3}$)")

_SPELLINGS = (
    (re.compile(r"(?i)(?:drv_?(?:ret|err)\w*|drv|hal_?ret)\s*[=: ]\s*(?P<n>\d+)"), "drv:{n}"),
    (re.compile(r"(?i)hccl(?: error)?(?: code)?(?: is)?\s*[=: ]\s*(?P<n>\d+)"), "hccl:{n}"),
    (re.compile(r"-?(?P<n>8[012]\d\d|9005)"), "-{n}"),
    (re.compile(r"(?i)(?:ERR_NO:? ?)?0x(?:00)?(?P<n>[0-9a-f]{2})"), "0x00{n}"),
    (re.compile(r"(?i)(?P<n>E[A-Z]\d{4}|E\d{5}|ERR\d{5}|\d{6})[:：]?"), "{n}"),
)


def canonical_code(text: str) -> str:
    """The one spelling of a code that was found in a line; what is not known stays as it is.

    Names of constants and the runtime's inner numbers (`0x7020010`) become the code they stand for.
    """
    if match := _HCCL_NUMBER.fullmatch(text):
        return f"hccl:{int(match['low'], 16)}"
    if text.isdigit() or text[0] == "-" or ":" in text:
        return text
    if "_" in text or text[:3] in {"0x7", "0X7"}:
        text = _table().aliases.get(text.upper(), text)
    return "0x" + text[2:].upper() if text[:2] in {"0x", "0X"} else text


def component_of(code: str) -> str:
    """Who gives canonical codes of this form: acl, cann, driver, hccl, dcmi, installer, torch_npu or event."""
    return next((name for form, name in _FORMS if form.fullmatch(code)), "")


def known_codes() -> Mapping[str, ErrorCode]:
    """All codes that are known, by their canonical form; those of torch_npu have `**` for the module."""
    return _table().codes


def find_code(text: str) -> ErrorCode | None:
    """What is known about the code that `text` spells, e.g. `-8005`, `EI0006`, `drvRetCode=87`, `ACL_ERROR_RT_NO_DEVICE`.

    A whole message is understood, too: then it is the first known code in it.
    """
    wanted = text.strip().strip("[]()'\"`,.;")
    if found := _lookup(canonical_code(wanted)) if wanted else None:
        return found
    for spelling, form in _SPELLINGS:
        if (match := spelling.fullmatch(wanted)) and (found := _lookup(form.format(n=match["n"].upper()))):
            return found
    return _first_in(text)


def _lookup(code: str) -> ErrorCode | None:
    table = _table()
    if code in table.codes:
        return table.codes[code]
    if found := table.codes.get(_MODULE_OF_TORCH_NPU.sub("ERR**", code)):
        return replace(found, code=code)
    return table.codes.get(table.aliases.get(code.upper(), ""))


def _first_in(text: str) -> ErrorCode | None:
    from ascendenv.errors import AscendenvError
    from ascendenv.signals.scan import scan

    try:
        signals = scan(text.encode("utf-8", "replace"), "text").of("error-code")
    except AscendenvError:  # nothing that could be read as text
        return None
    return next((found for signal in signals if (found := _lookup(signal.get("code")))), None)


@lru_cache(maxsize=1)
def _table() -> Table:
    codes = {
        one["code"]: ErrorCode(
            code=one["code"],
            component=one["component"],
            meaning_en=one["meaning"],
            meaning_zh=one["zh"],
            source=one["source"],
            name=one.get("name"),
            causes=tuple(one.get("causes", ())),
            inner=tuple(one.get("inner", ())),
        )
        for one in json.loads(read_compiled("error_codes.json"))["codes"]
    }
    aliases: dict[str, str] = {}
    for code, known in codes.items():
        for word in (code, known.name, *known.inner, *(f"0x0{number[2:]}" for number in known.inner)):
            if word and " " not in word:
                aliases.setdefault(word.upper(), code)
    return Table(codes, aliases)
