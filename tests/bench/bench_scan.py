"""How fast a log is read, beside `grep -F -f` with the same literals in the same run.

    python -m tests.bench.bench_scan            the table below
    python -m tests.bench.bench_scan --matchers what can find the literals: ahocorasick_rs, pyahocorasick, re2, hyperscan

Measured on 2 shared cores of a x86_64 machine, Python 3.11, one core used, 1 000 literals, 64 MB of ordinary log:

    hyperscan 0.9.1                 1296 MB/s   wheels for glibc 2.24 and newer only; 14 ms to build
    ahocorasick_rs 1.0.3, DFA        355 MB/s   50 ms to build
    google-re2, one alternation      337 MB/s   overlapping literals are lost
    ahocorasick_rs 1.0.3             290 MB/s   2 ms to build; wheels for glibc 2.17, x86_64 and aarch64  <- chosen
    google-re2, Set, line by line    117 MB/s
    pyahocorasick 2.3.1               58 MB/s   text only: bytes must be decoded first
    bytes.find for each literal        3 MB/s
    ... after dropping digits and
        repeated lines                26 MB/s   what runs where no library is installed
    re, one alternation              0.4 MB/s

    499 patterns, 1 952 literals         scan   grep -F -f   peak memory
    10 MB of ordinary log             61 MB/s      93 MB/s         31 MB   (the first lines compile the expressions)
    100 MB                           153 MB/s      96 MB/s         54 MB
    1000 MB                          199 MB/s      95 MB/s         55 MB
    16 MB with a hit on each line     23 MB/s

Hyperscan would be four times as fast, but would not install on the older systems (CentOS 7, EulerOS 2.8) that a doctor
meets. With the matcher chosen, the whole scan of a log with few hits is bound by it and by cleaning the text.
"""

from __future__ import annotations

import argparse
import io
import re
import resource
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.logs import ERROR_LINE, noisy_log

from ascendenv.facts.decode import open_stream
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.matcher import PlainMatcher
from ascendenv.signals.scan import scan

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1 << 20


class Repeated(io.RawIOBase):
    """A log of any size that is made as it is read."""

    def __init__(self, block: bytes, times: int) -> None:
        self._block, self._times, self._rest = block, times, b""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        while len(self._rest) < size and self._times:
            self._rest += self._block
            self._times -= 1
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def _rate(size: int, work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return size / (time.process_time() - began) / 1e6


def _grep_rate(block: bytes, times: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        literals, log = Path(folder, "literals"), Path(folder, "log")
        literals.write_bytes(b"\n".join(shipped_catalogue().anchors) + b"\n")
        with log.open("wb") as stream:
            for _ in range(times):
                stream.write(block)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            ["grep", "-F", "-c", "-f", str(literals), str(log)],
            check=False,
            capture_output=True,  # to /dev/null grep would stop at the first match
            env={"LC_ALL": "C"},
        )
        return len(block) * times / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / 1e6


def _table(sizes: list[int]) -> None:
    block = noisy_log(MEGABYTE, errors=1)
    print(f"{len(shipped_catalogue().patterns)} patterns, {len(shipped_catalogue().anchors)} literals")
    print(f"{'log':>24} {'scan':>10} {'clean only':>11} {'grep -F -f':>11} {'peak':>8}")
    for megabytes in sizes:
        size = megabytes * len(block)
        whole = _rate(size, lambda times=megabytes: scan(Repeated(block, times), "log"))  # type: ignore[misc, arg-type]
        clean = _rate(size, lambda times=megabytes: sum(map(len, open_stream(Repeated(block, times)))))  # type: ignore[misc, arg-type]
        grep = _grep_rate(block, min(megabytes, 256))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{megabytes:>13} MB ordinary {whole:>7.0f} MB/s {clean:>6.0f} MB/s {grep:>6.0f} MB/s {peak:>5.0f} MB"
        )
    hits = ERROR_LINE.encode() * (16 * MEGABYTE // len(ERROR_LINE))
    print(f"{'16 MB, a hit each line':>24} {_rate(len(hits), lambda: scan(hits, 'log')):>7.0f} MB/s")


def _find_with(name: str, literals: tuple[bytes, ...]) -> Callable[[bytes], object]:
    module: Any = import_module(name)
    if name == "ahocorasick_rs":
        automaton = module.BytesAhoCorasick(literals)
        return lambda chunk: automaton.find_matches_as_indexes(chunk, overlapping=True)
    if name == "ahocorasick":
        words = module.Automaton()
        for number, literal in enumerate(literals):
            words.add_word(literal.decode("latin-1"), number)
        words.make_automaton()
        return lambda chunk: list(words.iter(chunk.decode("latin-1")))
    if name == "hyperscan":
        database = module.Database()
        database.compile(expressions=[re.escape(one) for one in literals], ids=list(range(len(literals))))
        return lambda chunk: database.scan(chunk, match_event_handler=lambda *_: None)
    pattern = module.compile(b"|".join(map(re.escape, literals)))
    return lambda chunk: list(pattern.finditer(chunk))


def _matchers() -> None:
    literals = shipped_catalogue().anchors
    log = noisy_log(8 * MEGABYTE, errors=8)
    chunks = [log[start : start + MEGABYTE] for start in range(0, len(log), MEGABYTE)]
    print(
        f"{'PlainMatcher':>16} {_rate(len(log), lambda: [*map(PlainMatcher(literals).find, chunks)]):>7.0f} MB/s"
    )
    for name in ("ahocorasick_rs", "ahocorasick", "hyperscan", "re2"):
        try:
            find = _find_with(name, literals)
        except ImportError:
            print(f"{name:>16} not installed")
            continue
        print(f"{name:>16} {_rate(len(log), lambda find=find: [*map(find, chunks)]):>7.0f} MB/s")  # type: ignore[misc]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="How fast logs are read.")
    parser.add_argument("--matchers", action="store_true", help="compare the libraries that find literals")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000], metavar="MB")
    options = parser.parse_args()
    if options.matchers:
        _matchers()
    else:
        _table(options.sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
