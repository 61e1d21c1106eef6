from __future__ import annotations

import codecs
import gzip
import io
import os
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from ascendenv.errors import ExitCode, NothingChecked, UnusableInput
from ascendenv.facts.decode import open_stream, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHINESE = "CANN: 8.0.RC3\n驱动版本：25.0.rc1，固件 7.5.0.1.129\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(CHINESE.encode(), CHINESE, id="utf-8"),
        pytest.param(codecs.BOM_UTF8 + CHINESE.encode(), CHINESE, id="utf-8 with mark"),
        pytest.param(CHINESE.encode("gbk"), CHINESE, id="gbk"),
        pytest.param((CHINESE + "鿃\n").encode("gb18030"), CHINESE + "鿃\n", id="gb18030, four bytes"),
        pytest.param(CHINESE.encode("utf-16"), CHINESE, id="utf-16 with mark"),
        pytest.param(CHINESE.encode("utf-16-le"), CHINESE, id="utf-16-le without mark"),
        pytest.param(CHINESE.encode("utf-16-be"), CHINESE, id="utf-16-be without mark"),
        pytest.param(CHINESE.encode("utf-32"), CHINESE, id="utf-32"),
        pytest.param(b"torch \xff\xfe 2.5.1\n", "torch \ufffd\ufffd 2.5.1\n", id="utf-8 with errors"),
        pytest.param("驱动".encode()[:-1] + b" 24.1", "驱\ufffd 24.1", id="utf-8 cut inside a character"),
        pytest.param("驱动\n".encode() + "固件\n".encode("gbk"), "驱动\n固件\n", id="utf-8 and gbk lines"),
        pytest.param(b"a\r\nb\r\r\nc\n", "a\nb\nc\n", id="CRLF, also doubled"),
        pytest.param(b"10%\r50%\r100%\nend\n", "10%\n50%\n100%\nend\n", id="progress bar"),
        pytest.param(b"\x1b[1;31mERROR\x1b[0m x\n", "ERROR x\n", id="colours"),
        pytest.param(b"\x1b]0;title\x07a\x1b[2K\x1b(Bb\x1b[?25l\n", "ab\n", id="title and cursor"),
        pytest.param(
            b"[0;36m(Engine pid=1)[0;0m x[1]\n", "(Engine pid=1) x[1]\n", id="colours that lost the escape"
        ),
        pytest.param(b"a\x00\x08\x07b\x0c\n", "ab\n", id="NULs and control characters"),
        pytest.param(
            "a\u200b\u202eb\u2028c\u00a0d\u3000e\n".encode(), "abc d e\n", id="invisible and wide blanks"
        ),
        pytest.param(b"tab\tstays\n", "tab\tstays\n", id="tab"),
        pytest.param(b"no line end", "no line end", id="no line end"),
    ],
)
def test_text_of_any_encoding_is_read(data: bytes, text: str) -> None:
    assert read_text(data) == text


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(gzip.compress(CHINESE.encode()), id="gzip"),
        pytest.param(gzip.compress(gzip.compress(CHINESE.encode())), id="gzip in gzip"),
        pytest.param(
            gzip.compress(CHINESE.encode()[:20]) + gzip.compress(CHINESE.encode()[20:]), id="two members"
        ),
        pytest.param(gzip.compress(CHINESE.encode()) + b"\0" * 512, id="padded with NULs"),
        pytest.param(gzip.compress(CHINESE.encode())[:-8], id="without checksum"),
        pytest.param(gzip.compress(CHINESE.encode())[:-8] + b"\1" * 8, id="wrong checksum"),
    ],
)
def test_gzip_is_read_as_it_is(packed: bytes) -> None:
    assert read_text(packed) == CHINESE


def test_of_a_truncated_archive_the_front_is_read() -> None:
    lines = os.urandom(30_000).hex()
    whole = "\n".join(lines[at : at + 60] for at in range(0, len(lines), 60)).encode()
    packed = gzip.compress(whole)

    read = read_text(packed[: len(packed) // 2]).encode()

    assert len(read) > len(whole) // 3
    assert whole.startswith(read)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x7fELF\x02\x01\x01" + b"\0" * 90, id="ELF"),
        pytest.param(b"PK\x03\x04" + b"text" * 20, id="zip"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + b"x" * 50, id="png"),
        pytest.param(b"\0" * 4096, id="only NULs"),
        pytest.param(os.urandom(50_000), id="random"),
        pytest.param(gzip.compress(b"\x7fELF\x02\x01\x01" + b"\0" * 90), id="ELF in gzip"),
        pytest.param(b"\x1f\x8b\x08\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", id="damaged gzip"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(UnusableInput) as refusal:
        read_text(data, "x.log")

    assert refusal.value.exit_code is ExitCode.UNUSABLE_INPUT
    assert refusal.value.where == "x.log"


@pytest.mark.parametrize("data", [b"", b"\n\n", b" \t\r\n", gzip.compress(b"", mtime=0), codecs.BOM_UTF8])
def test_an_empty_input_says_nothing(data: bytes) -> None:
    with pytest.raises(NothingChecked) as refusal:
        read_text(data)

    assert refusal.value.exit_code is ExitCode.NOTHING_CHECKED


def test_a_path_a_stream_and_bytes_give_the_same(tmp_path: Path) -> None:
    data = gzip.compress(CHINESE.encode())
    file = tmp_path / "log.gz"
    file.write_bytes(data)

    streams: tuple[Iterator[bytes], ...] = (
        open_stream(file),
        open_stream(str(file)),
        open_stream(io.BytesIO(data)),
        open_stream(data),
    )

    assert {b"".join(stream).decode() for stream in streams} == {CHINESE}


@pytest.mark.parametrize("name", [".", "absent.log", "bad\0name"])
def test_a_directory_or_an_absent_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnusableInput):
        list(open_stream(str(tmp_path / name)))


def test_chunks_end_at_line_ends() -> None:
    data = b"".join(b"line %d \r\n" % number for number in range(400_000))

    chunks = list(open_stream(data))

    assert len(chunks) > 2
    assert all(chunk.endswith(b"\n") for chunk in chunks)
    assert b"".join(chunks) == data.replace(b"\r", b"")


def test_an_unfinished_last_line_comes_with_the_line_before_it() -> None:
    assert list(open_stream(b">>> torch.npu.is_available()\nFalse")) == [
        b">>> torch.npu.is_available()\nFalse"
    ]


def test_a_line_end_on_the_border_of_two_chunks_is_one_line_end() -> None:
    half = b"x" * ((1 << 20) - 1) + b"\r"

    assert b"".join(open_stream(io.BytesIO(half + b"\nnext\n"))).count(b"\n") == 2


def test_memory_stays_flat_also_for_a_line_without_end() -> None:
    class Endless(io.RawIOBase):
        left = 40

        def read(self, _size: int = -1) -> bytes:
            self.left -= 1
            return b"x" * (1 << 20) if self.left >= 0 else b""

    tracemalloc.start()
    size = sum(map(len, open_stream(Endless())))  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size >= 40 << 20
    assert peak < 16 << 20
