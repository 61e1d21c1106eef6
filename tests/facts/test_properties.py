"""Whatever is given, only our own refusals come out, and time grows with the size of the input."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascendenv.errors import AscendenvError
from ascendenv.facts.decode import open_stream, read_text
from ascendenv.facts.model import HostFacts
from ascendenv.facts.text import facts_of, has_ascend_trace, merge

SAMPLES = [path.read_text() for path in sorted((Path(__file__).parent / "samples").glob("*.txt"))]
WORDS = [
    *(
        "torch",
        "torch_npu",
        "==",
        "2.5.1",
        " ",
        "  ",
        "\n",
        "|",
        "CANN",
        "：",
        "8.0.RC3",
        "driver",
        "驱动",
        "固件",
        "版本",
    ),
    *(
        "export ",
        "HCCL_A=",
        '"',
        "'",
        "--device ",
        "/dev/davinci0",
        "-v /a:/b",
        "docker run ",
        "\\\n",
        "uid=0(",
        "(",
    ),
    *(
        "[",
        "]",
        "npu-smi ",
        "Version: ",
        "-",
        "_",
        "=",
        "Requirement already satisfied: ",
        "\x1b[0m",
        "\r",
        "\t",
    ),
    *(
        "容器",
        "910B",
        "A3",
        "Atlas ",
        "/python3.10/",
        "lib",
        "0",
        "9",
        ".",
        "Name: ",
        "package_name=",
        "path=",
        "NPU ID",
    ),
    *(
        "root@",
        "$ ",
        "->",
        "link status: UP",
        "tls switch[1]",
        "cann:8.1",
        "Linux ",
        "aarch64",
        "CANN:\n",
        "|---|",
    ),
]

texts = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(WORDS), max_size=80).map("".join),
    st.tuples(
        st.sampled_from(SAMPLES), st.integers(0, 2000), st.integers(0, 2000), st.sampled_from(WORDS)
    ).map(lambda parts: parts[0][parts[1] : parts[2]] + parts[3] + parts[0][: parts[1]]),
)
LETTERS = "".join(map(chr, (*range(32, 127), *range(0x4E00, 0x4E80)))) + "，。：（）\n\t"
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)


@unhurried
@given(texts)
def test_any_text_gives_facts_or_our_refusal(text: str) -> None:
    try:
        facts = facts_of(report=text)
    except AscendenvError:
        return
    assert isinstance(facts, HostFacts)
    assert has_ascend_trace(facts) in (True, False)
    for lines in facts.provenance.values():
        assert all(line.where.startswith("report:") for line in lines)
    assert all(
        line.text.isprintable() or "\t" in line.text or "\ufffd" in line.text for line in facts.seen("driver")
    )


@unhurried
@given(st.binary(max_size=400))
def test_any_bytes_give_clean_text_or_our_refusal(data: bytes) -> None:
    try:
        text = read_text(data)
    except AscendenvError:
        return
    assert not set(text) & {chr(code) for code in (*range(9), *range(11, 32), 127)}
    assert b"".join(open_stream(data)).decode() == text


@unhurried
@given(st.text(LETTERS, max_size=300), st.sampled_from(["utf-8", "utf-16", "utf-16-be", "utf-32", "gb18030"]))
def test_the_encoding_makes_no_difference(text: str, encoding: str) -> None:
    marked = f"CANN 8.5.0 驱动 25.5.0 固件版本，环境说明\n{text}"
    data = marked.encode(encoding)

    assert read_text(data) == read_text(marked.encode())


@unhurried
@given(texts, texts)
def test_merging_loses_no_known_fact(first: str, second: str) -> None:
    try:
        one, other = facts_of(report=first), facts_of(log=second)
    except AscendenvError:
        return
    both = merge(one, other)
    for name in ("driver", "torch", "python", "chip", "arch"):
        assert getattr(both, name) == (getattr(one, name) or getattr(other, name)) or not getattr(both, name)


@pytest.mark.parametrize("word", [word for word in WORDS if word.strip()])
@pytest.mark.parametrize("end", ["", " ", "\n"], ids=["one word", "one line", "lines"])
def test_time_grows_with_the_size_only(word: str, end: str) -> None:
    text = (word + end) * (60_000 // len(word + end))

    start = time.process_time()
    facts_of(report=f"x {text}")

    assert time.process_time() - start < 2
