"""A text as parsers read it: its lines without the labels that launchers, runtimes and quoting put before them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from ascendenv.facts.evidence import Evidence

__all__ = ["Page", "page_of"]

_LONGEST_EVIDENCE = 400
_LONGEST_LINE = 2000  # what lies behind is data, and expressions must not meet a text without end
_LONGEST_VARIABLE = 1 << 14  # search paths are long
_VARIABLE = re.compile(r"\s*(?:export |ENV |declare -x )?[A-Za-z_]\w{0,63}=")
_LABEL_STARTS = frozenset("([>0123456789DIWEC \t")
_LABELS = re.compile(
    r"(?:"
    r"\s*\([^()\n]{0,60}\b(?:pid|rank|ip|node)=[^()\n]{1,80}\)[ \t]?"  # (EngineCore pid=1), (W rank=3 pid=9, ip=…)
    r"|\s*\[(?:default|rank|RANK )?\d{1,6}\]:[ \t]?"  # [rank0]:  [default3]:
    r"|\s*\[\d{1,6},\d{1,6}\]<std(?:out|err)>:[ \t]?"  # [1,0]<stderr>:
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?[ \t]+(?:std(?:out|err) [FP] )?"  # kubectl logs
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[[^\]\n]{1,80}\][ \t]?"  # vLLM
    r"|>(?:[ \t]|$)"  # Markdown quotes
    r")+"
)
_MANY = 1000
_REPEATED = 100
_SHARED = re.compile(r"[ \t]*([\w.@-]{1,64}(?::|[ \t]*\|))[ \t]")
_ENOUGH = 3
_MOST = 0.8


@dataclass(frozen=True)
class Page:
    """The lines of one input, of which the first has the number `first`.

    `lines` are stripped of labels and no longer than 2000 characters (a variable: 16 kB), `originals` are whole.
    """

    origin: str
    lines: list[str]
    originals: list[str] = field(repr=False)
    first: int = 1

    @cached_property
    def _text(self) -> str:
        """The lines, joined and in lower case where that changes no length, for fast search."""
        text = "\n".join(self.lines)
        low = text.lower()
        return low if len(low) == len(text) else text

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def containing(self, *words: str) -> list[int]:
        """The indexes of the lines that hold one of `words`, which are in lower case; case does not matter.

        Takes time by the size of the page and the lines found, not by the number of lines.
        """
        found: set[int] = set()
        for word in words:
            place = self._text.find(word)
            while place >= 0:
                index = bisect_right(self._starts, place) - 1
                found.add(index)
                place = self._text.find(word, self._starts[index + 1])
        return sorted(found)

    def matching(self, pattern: re.Pattern[str]) -> list[int]:
        """The indexes of the lines in which `pattern`, which spans no line end, is found; fast like `containing`."""
        text = "\n".join(self.lines)
        places = (found.start() for found in pattern.finditer(text))
        return list(dict.fromkeys(bisect_right(self._starts, place) - 1 for place in places))

    def evidence(self, index: int) -> Evidence:
        """The line with that index (from 0) as proof: `report:12`."""
        return Evidence(
            f"{self.origin}:{self.first + index}", self.originals[index][:_LONGEST_EVIDENCE].rstrip()
        )


def page_of(text: str, origin: str, first: int = 1) -> Page:
    """`text`, as `ascendenv.facts.decode.read_text` gives it, cut in lines that are numbered from `first`."""
    originals = text.split("\n")
    lines = [_unlabelled(line) for line in (_thinned(originals) if len(originals) > _MANY else originals)]
    return Page(origin, _without_shared_labels(lines), originals, first)


def _thinned(lines: list[str]) -> list[str]:
    """The lines, blank where the same was said many times before with other numbers, as a running job does.

    Rows of tables stay: they are alike and all count.
    """
    seen: dict[bytes, int] = {}
    kept = []
    shapes = "\n".join(lines).encode("utf-8", "replace").translate(None, b"0123456789").split(b"\n")
    for line, shape in zip(lines, shapes, strict=True):
        count = seen[shape] = seen.get(shape, 0) + 1
        kept.append(line if count <= _REPEATED or b"|" in shape else "")
    return kept


def _unlabelled(line: str) -> str:
    if len(line) > _LONGEST_LINE:
        line = line[: _LONGEST_VARIABLE if _VARIABLE.match(line) else _LONGEST_LINE]
    if line and line[0] in _LABEL_STARTS and (label := _LABELS.match(line)):
        return line[label.end() :].rstrip()
    return line.rstrip()


def _without_shared_labels(lines: list[str]) -> list[str]:
    """Removes `node1: ` or `web-1  | ` where nearly every line starts with one of a few such labels."""
    written = [line for line in lines if line.strip()]
    labelled = [found.group(1) for line in written if (found := _SHARED.match(line))]
    if len(labelled) < _ENOUGH or len(labelled) < _MOST * len(written) or not _few(labelled):
        return lines
    return [line[found.end() :] if (found := _SHARED.match(line)) else line for line in lines]


def _few(labels: list[str]) -> bool:
    return len(set(labels)) * _ENOUGH <= len(labels)
