from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import pytest

from ascendenv.errors import NothingChecked
from ascendenv.signals.catalogue import Catalogue, Pattern
from ascendenv.signals.scan import scan
from ascendenv.signals.tally import KEPT_FIRST, KEPT_LAST

if TYPE_CHECKING:
    from pathlib import Path

NUMBERED = Catalogue((Pattern("numbered", ("item ",), r"item (?P<number>\d+)"),))
LIBRARY_LINE = "ImportError: libhccl.so: cannot open shared object file: No such file or directory\n"

ROWS = [
    (
        "ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: _ZN3c105ErrorD1Ev",
        "undefined-symbol",
        {
            "library": "libtorch_npu.so",
            "path": "/x/torch_npu/lib/libtorch_npu.so",
            "symbol": "_ZN3c105ErrorD1Ev",
        },
    ),
    ("undefined symbol: MsprofSysCycleTime", "undefined-symbol", {"symbol": "MsprofSysCycleTime"}),
    (
        "undefined symbol: aclrtX\t(./libtorch_npu.so)",
        "undefined-symbol",
        {"symbol": "aclrtX", "library": "libtorch_npu.so", "path": "./libtorch_npu.so"},
    ),
    (
        "npu-smi: error while loading shared libraries: libc_sec.so: cannot open shared object file",
        "missing-library",
        {"library": "libc_sec.so", "needed_by": "npu-smi"},
    ),
    (
        "python3: error while loading shared libraries: libascendcl.so: cannot open shared object file: 没有那个文件或目录",
        "missing-library",
        {"library": "libascendcl.so", "needed_by": "python3"},
    ),
    ("\tlibascendcl.so => not found", "missing-library", {"library": "libascendcl.so"}),
    (
        "libgomp-1.so.1: 无法打开共享对象文件: 没有那个文件或目录",
        "missing-library",
        {"library": "libgomp-1.so.1"},
    ),
    (
        "OSError: /opt/x/libascend_hal.so: cannot open shared object file: Permission denied",
        "library-unreadable",
        {"library": "libascend_hal.so", "path": "/opt/x/libascend_hal.so", "reason": "Permission denied"},
    ),
    (
        "ImportError: /lib64/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /x/libtorch.so)",
        "version-node-missing",
        {
            "library": "libstdc++.so.6",
            "path": "/lib64/libstdc++.so.6",
            "node": "GLIBCXX_3.4.29",
            "needed_by": "/x/libtorch.so",
        },
    ),
    (
        "ImportError: /lib64/libgomp.so.1: cannot allocate memory in static TLS block",
        "static-tls",
        {"library": "libgomp.so.1", "path": "/lib64/libgomp.so.1"},
    ),
    ("/usr/bin/ld: cannot find -lascend_hal", "link-library-missing", {"library": "libascend_hal.so"}),
    ("ModuleNotFoundError: No module named 'tbe.common'", "missing-module", {"module": "tbe.common"}),
    (r"\"ModuleNotFoundError: No module named \'attr\'\"", "missing-module", {"module": "attr"}),
    (
        "ImportError: cannot import name 'Config' from 'triton' (unknown location)",
        "missing-name",
        {"name": "Config", "module": "triton", "path": "unknown location"},
    ),
    (
        "ImportError: cannot import name 'a' from partially initialized module 'b' (most likely due to a circular import)",
        "circular-import",
        {"name": "a", "module": "b"},
    ),
    (
        "AttributeError: module 'torch_npu' has no attribute '_autoload'",
        "missing-attribute",
        {"module": "torch_npu", "attribute": "_autoload"},
    ),
    (
        "AttributeError: '_OpNamespace' '_C_ascend' object has no attribute 'npu_lightning_indexer'",
        "missing-attribute",
        {"module": "_C_ascend", "attribute": "npu_lightning_indexer"},
    ),
    (
        "RuntimeError: Failed to load the backend extension: torch_npu. You can disable",
        "backend-load-failed",
        {"backend": "torch_npu"},
    ),
    (
        "ERROR: Could not find a version that satisfies the requirement torch-npu==2.5.1 (from versions: 2.1.0, 2.4.0)",
        "pip-no-version",
        {"requirement": "torch-npu==2.5.1", "versions": "2.1.0, 2.4.0"},
    ),
    (
        "ERROR: torch_npu-2.1.0-cp38-cp38-linux_aarch64.whl is not a supported wheel on this platform.",
        "pip-no-wheel",
        {"wheel": "torch_npu-2.1.0-cp38-cp38-linux_aarch64.whl"},
    ),
    ("Illegal instruction (core dumped)", "illegal-instruction", {"text": "Illegal instruction"}),
    (
        "docker: Error response from daemon: unknown or invalid runtime name: ascend.",
        "runtime-name-unknown",
        {"runtime": "ascend"},
    ),
    (
        "0/2 nodes are available: 2 Insufficient huawei.com/Ascend910.",
        "npu-resource-insufficient",
        {"nodes": "2", "resource": "huawei.com/Ascend910"},
    ),
    (
        "modprobe: ERROR: could not insert 'drv_pcie_host': Key was rejected by service",
        "kernel-module-unsigned",
        {"module": "drv_pcie_host", "text": "Key was rejected by service"},
    ),
]


@pytest.mark.parametrize(
    ("line", "name", "fields"), ROWS, ids=[f"{row[1]}-{number}" for number, row in enumerate(ROWS)]
)
def test_a_line_gives_its_signal(line: str, name: str, fields: dict[str, str]) -> None:
    assert fields in [dict(signal.fields) for signal in scan(line.encode(), "log").of(name)]


SILENT = [
    "INFO 06-17 01:14:49 [__init__.py:234] Platform plugin ascend is activated",
    "loading libhccl.so from /usr/local/Ascend/cann/lib64",
    "step 507033 took 107001 us, error rate 0.1, code 0",
    "error code is 0",
    "nm: 3 undefined symbols",
]


@pytest.mark.parametrize("line", SILENT)
def test_an_ordinary_line_gives_nothing_generic(line: str) -> None:
    assert not scan(line.encode(), "log").of(
        "error-code", "missing-library", "undefined-symbol", "missing-module"
    )


PREFIXES = [
    "[rank1]: ",
    "(EngineCore_DP0 pid=1228) ERROR 03-30 03:00:55 [patch_core.py:68] ",
    "node-3: ",
    "2025-07-17T08:06:53.296Z stderr F ",
    "\x1b[36m(RayWorker pid=12)\x1b[0m ",
    '{"level":"error","msg":"',
]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(("line", "name", "fields"), ROWS[:4] + ROWS[9:14])
def test_launchers_change_nothing(prefix: str, line: str, name: str, fields: dict[str, str]) -> None:
    assert fields in [dict(signal.fields) for signal in scan((prefix + line).encode(), "log").of(name)]


TEXT = "".join(f"{row[0]}\n" for row in ROWS)


def _coloured(text: str) -> bytes:
    """The text with a colour change inside every message."""
    lines = [line[:10] + "\x1b[1;31m" + line[10:20] + "\x1b[0m" + line[20:] for line in text.splitlines()]
    return "\n".join(lines).encode()


DISTURBED = {
    "crlf": TEXT.replace("\n", "\r\n").encode(),
    "ansi": _coloured(TEXT),
    "gzip": gzip.compress(TEXT.encode()),
    "utf-16": TEXT.encode("utf-16"),
    "gbk": TEXT.encode("gbk"),
    "bad bytes": b"\xff\xfe broken \xf0\n".replace(b"\xff\xfe", b"\xfa") + TEXT.encode(),
}


@pytest.mark.parametrize("name", DISTURBED)
def test_disturbed_logs_give_the_same_signals(name: str) -> None:
    plain = [(signal.id, signal.fields) for signal in scan(TEXT.encode(), "log")]
    assert [(signal.id, signal.fields) for signal in scan(DISTURBED[name], "log")] == plain


def test_a_million_lines_of_noise_change_nothing() -> None:
    noise = (
        b"[INFO] RUNTIME(618,python3):2025-03-06 [stream.cc:1879]618 AllocLogicCq: stream_id=7.\n" * 500_000
    )
    signals = scan(noise + LIBRARY_LINE.encode() + noise, "log")
    assert [(one.id, one.fields, one.evidence.where) for one in signals.of("missing-library")] == [
        ("missing-library", {"library": "libhccl.so"}, "log:500001")
    ]


def test_bytes_a_stream_and_a_file_read_the_same(tmp_path: Path) -> None:
    path = tmp_path / "error.log"
    path.write_text(TEXT, encoding="utf-8")
    from_bytes = scan(TEXT.encode(), "log")
    assert scan(io.BytesIO(TEXT.encode()), "log") == from_bytes
    assert scan(path, "log") == from_bytes


def test_nothing_at_all_is_said_so() -> None:
    with pytest.raises(NothingChecked):
        scan(b"", "log")


def test_the_first_line_is_the_proof_and_the_rest_is_counted() -> None:
    signals = scan(b"one\nitem 7\nitem 8\nagain item 7\n", "log", NUMBERED)
    assert [(one.fields["number"], one.count, one.evidence.where) for one in signals] == [
        ("7", 2, "log:2"),
        ("8", 1, "log:3"),
    ]


def test_line_numbers_hold_across_chunks() -> None:
    filler = b"x" * 99 + b"\n"
    signals = scan(filler * 30_000 + b"item 1\n" + filler * 30_000 + b"item 2", "log", NUMBERED)
    assert [one.evidence.where for one in signals] == ["log:30001", "log:60002"]


def test_one_line_counts_once_however_many_patterns_see_it() -> None:
    twice = Catalogue(
        (NUMBERED.patterns[0], Pattern("numbered", ("number ",), r"(?:item|number) (?P<number>\d+)"))
    )
    assert [one.count for one in scan(b"item 7 number 7\n", "log", twice)] == [1]


def test_signals_of_a_line_come_in_the_order_of_the_line() -> None:
    signals = scan(
        b"ModuleNotFoundError: No module named 'b'; ImportError: libx.so: cannot open shared object file\n",
        "l",
    )
    assert [one.id for one in signals][:2] == ["missing-module", "missing-library"]


def test_many_different_signals_are_cut_to_the_first_and_the_last() -> None:
    text = "".join(f"item {number}\n" for number in range(10_000)).encode()
    numbers = [int(one.fields["number"]) for one in scan(text, "log", NUMBERED)]
    assert numbers == [*range(KEPT_FIRST), *range(10_000 - KEPT_LAST, 10_000)]


def test_a_line_that_only_differs_in_its_time_is_the_same_line() -> None:
    text = b"".join(b"2025-03-06 01:09:%02d.%06d item 7\n" % (n % 60, n) for n in range(5000))
    assert [(one.count, one.evidence.text) for one in scan(text, "log", NUMBERED)] == [
        (5000, "2025-03-06 01:09:00.000000 item 7")
    ]


def test_a_message_that_a_terminal_broke_is_put_together() -> None:
    text = b"ImportError: cannot import name\n  'Config' from 'triton' (unknown location)\n"
    assert [one.fields for one in scan(text, "log").of("missing-name")] == [
        {"name": "Config", "module": "triton", "path": "unknown location"}
    ]


def test_the_text_of_a_very_long_line_is_cut_around_the_match() -> None:
    signals = scan(b"x" * 300_000 + b" item 7 " + b"y" * 300_000, "log", NUMBERED)
    (signal,) = signals
    assert signal.fields == {"number": "7"}
    assert "item 7" in signal.evidence.text
    assert len(signal.evidence.text) <= 500


def test_every_match_of_a_long_line_is_found() -> None:
    text = " ".join(f"item {number} " + "z" * 900 for number in range(40)).encode()
    assert [int(one.fields["number"]) for one in scan(text, "log", NUMBERED)] == list(range(40))


def test_evidence_holds_no_control_characters() -> None:
    (signal,) = scan(b"item 7 \x1b]0;title\x07\x00\x08 end\t.\n", "log", NUMBERED)
    assert signal.evidence.text == "item 7  end\t."


def test_a_field_with_an_empty_capture_is_absent() -> None:
    catalogue = Catalogue((Pattern("x", ("item",), r"item(?P<number>\d*)"),))
    assert [dict(one.fields) for one in scan(b"item\n", "log", catalogue)] == [{}]


def test_a_template_replaces_the_groups_it_is_made_of() -> None:
    catalogue = Catalogue(
        (Pattern("x", ("ret=",), r"ret=(?P<number>\d+)", {"code": "drv:{number}", "kind": "driver"}),)
    )
    assert [dict(one.fields) for one in scan(b"ret=87\n", "log", catalogue)] == [
        {"code": "drv:87", "kind": "driver"}
    ]
