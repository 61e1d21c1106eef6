from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import pytest
from tests.facts.shown import shown

from ascendenv.errors import NothingChecked, UnusableInput
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import Npu, Packages
from ascendenv.facts.text import facts_of, has_ascend_trace, merge, read_log, read_report
from ascendenv.facts.unknown import Unknown
from ascendenv.signals.model import Signals
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """\
| npu-smi 25.2.0                   Version: 25.2.0                                               |
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B4               | OK            | 84.7        38                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          2894 / 32768         |
"""
REPORT = f"""\
## 环境
- CANN：8.2.RC1，驱动 25.2.0
```text
{TABLE}```
torch    2.7.1
torch-npu    2.7.1.post1
"""


@pytest.mark.parametrize(
    "label",
    [
        "(EngineCore pid=1) ",
        "(EngineCore_DP0 pid=1228) ERROR 03-30 03:00:55 [patch_core.py:68] ",
        "(main_task pid=7, ip=192.0.2.1) ",
        "[rank0]: ",
        "[1,0]<stderr>:",
        "node1: ",
        "npu-1  | ",
        "> ",
        "2026-01-01T00:00:00.123456789Z stdout F ",
    ],
)
def test_labels_before_every_line_change_nothing(label: str) -> None:
    labelled = "".join(f"{label}{line}\n" for line in REPORT.splitlines())

    assert shown(facts_of(report=labelled)) == shown(facts_of(report=REPORT))


def test_a_table_that_lost_its_spacing_is_read() -> None:
    squeezed = " ".join(TABLE.replace("\n", "\0").split()).replace("\0", "\n").replace("\n ", "\n")

    assert shown(facts_of(report=squeezed)) == shown(facts_of(report=TABLE))


@pytest.mark.parametrize("lines", range(1, 7))
def test_a_truncated_table_tells_what_is_left(lines: int) -> None:
    facts = facts_of(report="\n".join(TABLE.splitlines()[:lines]))

    assert facts.driver == vendor("25.2.0")
    assert isinstance(facts.npus, tuple) is (lines >= 5)


def test_half_a_device_is_a_device_whose_numbers_are_unknown() -> None:
    facts = facts_of(report="| 3     910B4               | Alarm         | 84.7        38")

    assert facts.npus == (Npu(3, None, "910B4", "Alarm", power=84.7, temperature=38),)


def test_facts_name_the_lines_they_were_read_from() -> None:
    facts = facts_of(report=REPORT)

    assert facts.seen("torch_npu") == (Evidence("report:12", "torch-npu    2.7.1.post1"),)
    assert [line.where for line in facts.seen("driver")] == ["report:4"]  # npu-smi outranks the sentence


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("CANN 8.0.RC3\n后来 CANN 8.1.RC1", "cann", "the input names several: 8.0.RC3, 8.1.RC1"),
        ("driver 24.1.rc2 and driver 24.1.rc3", "driver", "the input names several: 24.1.rc2, 24.1.rc3"),
        ("nothing", "cann", "the input does not tell"),
    ],
)
def test_contradicting_or_missing_statements_are_unknown_with_a_reason(
    text: str, name: str, reason: str
) -> None:
    fact = getattr(facts_of(report=text), name)

    assert isinstance(fact, Unknown)
    assert fact.reason.text() == reason


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("python 3.10\nPython 3.10.16 (main, Dec 11 2024)", "python", pep440("3.10.16")),
        ("torch 2.9.0\ntorch 2.9.0+cpu", "torch", pep440("2.9.0+cpu")),
        ("910B\nAscend 910B3", "chip", "Ascend910B3"),
        ("CANN 8.0.RC3\nCANN 8.0.rc3", "cann", vendor("8.0.RC3")),
        ("driver 24.1.rc2\n" + TABLE, "driver", vendor("25.2.0")),
    ],
)
def test_the_better_founded_or_more_exact_statement_is_kept(text: str, name: str, value: object) -> None:
    assert getattr(facts_of(report=text), name) == value


def test_report_and_log_are_one_box() -> None:
    facts = facts_of(
        report="driver 24.1.rc3\ntorch    2.5.1\nHCCL_A=1\n",
        log="driver 23.0.3\nnumpy    1.26.4\nHCCL_A=2\nexport HCCL_B=3\n"
        'File "/usr/lib/python3.10/site-packages/torch_npu/__init__.py", line 1\n'
        "ImportError: libatb.so: cannot open shared object file: No such file or directory\n",
    )

    assert facts.driver == vendor("24.1.rc3")
    assert facts.python == pep440("3.10")
    assert isinstance(facts.packages, Packages)
    assert {package.name for package in facts.packages} == {"torch", "numpy"}
    assert facts.environment == {"HCCL_A": "1", "HCCL_B": "3"}
    assert isinstance(facts.signals, Signals)
    assert [signal.evidence.where for signal in facts.signals.of("missing-library")] == ["log:6"]
    assert [line.where for line in facts.seen("driver")] == ["report:1"]


def test_signals_are_read_from_reports_too() -> None:
    facts = facts_of(report="dcmi module initialize failed. ret is -8005\n")

    assert isinstance(facts.signals, Signals)
    assert facts.signals.codes("-8005")


@pytest.mark.parametrize(
    "text",
    [
        "torch_npu",
        "error code is 507033",
        "EI0006: Getting socket times out.",
        "ImportError: libhccl.so: cannot open shared object file",
        "huawei.com/Ascend910: 1",
        "昇腾机器报错",
        "ERR01100 OPS call acl api failed",
        "Unable to find address for: eth0",
        "ImportError: /lib64/libgomp.so.1: cannot allocate memory in static TLS block",
        "[Driver] [ERROR] The list of missing tools: ifconfig,",
        TABLE,
    ],
)
def test_a_trace_of_ascend_is_recognised(text: str) -> None:
    assert has_ascend_trace(facts_of(report=text))


@pytest.mark.parametrize(
    "text",
    [
        "PyTorch version: 2.9.1+cu129\nIs CUDA available: True\nGPU 0: NVIDIA L40S\nNvidia driver version: 580.119.02\n",
        "| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |\n",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n",
        "OS: Ubuntu 22.04\nNvidia driver version: No CUDA\nLibc version: glibc-2.35\n",
        "ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory\n",
        "hello world\n",
        "Linux node 5.15.0-119-generic #1 SMP x86_64 GNU/Linux\n",
    ],
)
def test_another_machine_has_no_trace_of_ascend(text: str) -> None:
    assert not has_ascend_trace(facts_of(report=text))


def test_an_empty_input_beside_a_full_one_does_no_harm() -> None:
    assert facts_of(report="CANN 8.5.0", log="").cann == vendor("8.5.0")


@pytest.mark.parametrize(("report", "log"), [("", None), (None, "\n"), ("", "")])
def test_nothing_but_empty_input_is_refused(report: str | None, log: str | None) -> None:
    with pytest.raises(NothingChecked):
        facts_of(report=report, log=log)


def test_a_binary_is_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "core"
    file.write_bytes(b"\x7fELF" + bytes(500))

    with pytest.raises(UnusableInput) as refusal:
        read_log(file)

    assert refusal.value.where == str(file)


def test_a_log_is_read_from_a_path_a_stream_and_compressed(tmp_path: Path) -> None:
    data = gzip.compress("CANN 8.5.0\r\ndriver 25.5.0\r\n".encode("utf-16"))
    file = tmp_path / "log.gz"
    file.write_bytes(data)

    for source in (data, file, str(file), io.BytesIO(data)):
        facts = read_log(source)
        assert (facts.cann, facts.driver) == (vendor("8.5.0"), vendor("25.5.0"))


def test_of_a_large_log_beginning_end_and_tables_between_are_read() -> None:
    noise = b"step 1: loss 0.123 and so on, a line of no interest at all\n"
    whole = b"".join(
        [
            b"torch    2.5.1\n",
            noise * 200_000,
            TABLE.encode(),
            noise * 200_000,
            b"ImportError: libatb.so: cannot open shared object file: No such file or directory\n",
            b"python 3.11\n",
        ]
    )
    facts = read_log(whole)

    assert (facts.torch, facts.driver, facts.python) == (pep440("2.5.1"), vendor("25.2.0"), pep440("3.11"))
    assert [line.where for line in facts.seen("driver")] == ["log:200002"]
    assert [line.where for line in facts.seen("python")] == ["log:400009"]
    assert isinstance(facts.signals, Signals)
    assert facts.signals.of("missing-library")


def test_merging_keeps_what_only_one_knows() -> None:
    both = merge(read_report(b"CANN 8.5.0"), read_report(b"driver 25.5.0\nCANN 8.2.RC1"))

    assert (both.cann, both.driver) == (vendor("8.5.0"), vendor("25.5.0"))
    assert isinstance(both.torch, Unknown)


PROSE = {
    "llama-factory": (
        (
            "# 依赖版本\nllamafactory version ==v0.7.1\ntorch ==2.1\ntorch_npu == 2.1.0.post3\n# 机器信息\n华为800T A2\n"
            "8卡 Ascend 910b\nCANN toolkit = Ascend-cann-toolkit_8.0.RC1_linux-aarch64.run\n"
            "CANN kernels = Ascend-cann-kernels-910b_8.0.RC1_linux.run\n"
        ),
        {
            "torch": "2.1",
            "torch_npu": "2.1.0.post3",
            "packages": {"torch": "2.1", "torch-npu": "2.1.0.post3"},
            "chip": "910B",
            "cann": "8.0.RC1",
            "ops": [{"chip": "910b", "version": "8.0.RC1"}],
        },
    ),
    "mindyolo": (
        (
            "驱动：Ascend-hdk-310p-npu-driver_23.0.1_linux-aarch64\n"
            "CANN软件包：toolkit和kernels 是7.0.1.1版本的Ascend-cann-toolkit_7.0.1.1_linux-aarch64\n"
            "python：3.9.2版本\n"
        ),
        {"driver": "23.0.1", "cann": "7.0.1.1", "python": "3.9.2"},
    ),
    "one line": (
        "设备：Atlas 800I A3 驱动版本：26.0.rc1 模型：DeepSeek-V4.1-Flash-w8a8 组网：A3双机roce组网\n",
        {"chip": "A3", "driver": "26.0.rc1"},
    ),
    "form": (
        (
            "| Software | Version |\n| --- | --- |\n| PyTorch | 2.5.1 |\n| CANN |  8.1.RC1  |\n| Python | Python 3.10 |\n"
            "| OS platform | Ubuntu 22.04 |\n"
        ),
        {
            "torch": "2.5.1",
            "cann": "8.1.RC1",
            "python": "3.10",
            "os": {"id": "ubuntu", "version": "22.04", "text": "Ubuntu 22.04"},
        },
    ),
    "mistaken": ("I'm currently using 910B2C. Driver version is 8.0_RC3.0.\n", {"chip": "Ascend910B2C"}),
}


@pytest.mark.parametrize("name", PROSE)
def test_the_prose_of_an_issue_is_read(name: str) -> None:
    text, expected = PROSE[name]

    assert shown(facts_of(report=text)) == expected
