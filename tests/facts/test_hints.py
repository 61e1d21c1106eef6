from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            'File "/usr/local/python3.10.14/lib/python3.10/site-packages/torch_npu/__init__.py", line 17',
            {"python": "3.10.14"},
        ),
        ('File "/opt/miniconda3/lib/python3.11/site-packages/x.py", line 1', {"python": "3.11"}),
        ("/x/vllm_ascend_C.cpython-311-aarch64-linux-gnu.so: undefined symbol", {"arch": "aarch64"}),
        ("/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.32' not found", {"arch": "x86_64"}),
        ("/usr/local/Ascend/ascend-toolkit/8.0.RC2/lib64/libhccl.so: x", {"cann": "8.0.RC2"}),
        ("/usr/local/Ascend/cann-9.0.0-beta.1/lib64/libhccl.so: x", {"cann": "9.0.0-beta.1"}),
        ("/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1/lib/libatb.so", {"nnal_cxx_abi": 1}),
        ("/usr/local/Ascend/nnal/atb/8.2.RC1/atb/cxx_abi_0/lib/libatb.so", {"nnal": "8.2.RC1", "nnal_cxx_abi": 0}),
        ("omm@host:~$ npu-smi info", {"user": {"name": "omm"}}),
        ("[root@host ~]# npu-smi info", {"user": {"name": "root", "uid": 0}}),
        ("user@box:/data# ls", {"user": {"name": "user", "uid": 0}}),
        ("make -C /lib/modules/5.10.0-216.0.0.115.oe2203sp4.aarch64/build", {"kernel": "5.10.0-216.0.0.115.oe2203sp4.aarch64"}),
    ],
)  # fmt: skip
def test_paths_and_prompts_give_facts_away(line: str, expected: dict[str, Any]) -> None:
    found = shown(facts_of(log=f"{line}\n"))

    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("/usr/lib/python3.9/x.py\nPython 3.10.16 (main, Dec 11 2024)", "python", "3.10.16"),
        ("/x86_64-linux-gnu/libc.so.6\nArchitecture: aarch64", "arch", "aarch64"),
        ("/a/ascend-toolkit/8.0.RC2/lib64/x.so\nCANN 8.1.RC1", "cann", "8.1.RC1"),
    ],
)
def test_hints_are_worth_less_than_statements(text: str, name: str, value: str) -> None:
    assert shown(facts_of(log=text))[name] == value


@pytest.mark.parametrize("line", ["me@example.com wrote", "a/b/c", "http://x/python3/", "cxx_abi_2", "$ ls"])
def test_other_text_gives_nothing_away(line: str) -> None:
    assert shown(facts_of(log=f"{line}\n")) == {}
