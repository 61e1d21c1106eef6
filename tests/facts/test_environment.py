from __future__ import annotations

from collections.abc import Mapping

import pytest

from ascendenv.facts.text import facts_of


def environment(text: str) -> Mapping[str, str]:
    found = facts_of(report=text).environment
    return found if isinstance(found, Mapping) else {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ASCEND_RT_VISIBLE_DEVICES=0,1", {"ASCEND_RT_VISIBLE_DEVICES": "0,1"}),
        ("ASCEND_RT_VISIBLE_DEVICES=", {"ASCEND_RT_VISIBLE_DEVICES": ""}),
        ("export HCCL_CONNECT_TIMEOUT=1200", {"HCCL_CONNECT_TIMEOUT": "1200"}),
        ('export HCCL_SOCKET_IFNAME="eth0"  # network', {"HCCL_SOCKET_IFNAME": "eth0"}),
        ("export HCCL_A=1; export HCCL_B='2 3' && python x", {"HCCL_A": "1", "HCCL_B": "2 3"}),
        ('declare -x LD_PRELOAD="/lib/libgomp.so.1"', {"LD_PRELOAD": "/lib/libgomp.so.1"}),
        ("ENV TASK_QUEUE_ENABLE=1 OMP_NUM_THREADS=1", {"TASK_QUEUE_ENABLE": "1", "OMP_NUM_THREADS": "1"}),
        ("ENV SOC_VERSION ascend910b1", {"SOC_VERSION": "ascend910b1"}),
        ("ASCEND_LAUNCH_BLOCKING=1 HCCL_X=2 python train.py", {"ASCEND_LAUNCH_BLOCKING": "1", "HCCL_X": "2"}),
        ("root@box:/w# ASCEND_RT_VISIBLE_DEVICES=3 python x.py", {"ASCEND_RT_VISIBLE_DEVICES": "3"}),
        ("mpirun -x HCCL_IF_IP=10.0.0.1 -np 2 test", {"HCCL_IF_IP": "10.0.0.1"}),
        ("docker run -e ASCEND_VISIBLE_DEVICES=0-3 -it img", {"ASCEND_VISIBLE_DEVICES": "0-3"}),
        ("docker run --env=ASCEND_VISIBLE_DEVICES=0 img", {"ASCEND_VISIBLE_DEVICES": "0"}),
        ('os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"', {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}),
        ('"HCCL_IF_IP": "10.0.0.1",', {"HCCL_IF_IP": "10.0.0.1"}),
        ("      HCCL_BUFFSIZE: 1024", {"HCCL_BUFFSIZE": "1024"}),
        ('- name: ASCEND_RT_VISIBLE_DEVICES\n  value: "0,1"', {"ASCEND_RT_VISIBLE_DEVICES": "0,1"}),
        ("env ASCEND_RUNTIME_OPTIONS=NODRV", {"ASCEND_RUNTIME_OPTIONS": "NODRV"}),
        (
            "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True",
            {"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"},
        ),
        (
            "export LD_LIBRARY_PATH=/a\nexport LD_LIBRARY_PATH=/b:$LD_LIBRARY_PATH",
            {"LD_LIBRARY_PATH": "/b:/a"},
        ),
    ],
)
def test_a_variable_is_read_in_every_notation(text: str, expected: dict[str, str]) -> None:
    assert dict(environment(f"# setup\n{text}\n")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "You can disable extension auto-loading with TORCH_DEVICE_BACKEND_AUTOLOAD=0.",
        "try to set ASCEND_LAUNCH_BLOCKING=1 and look again",
        "请设置环境变量 ASCEND_SLOG_PRINT_TO_STDOUT=1",
        "Value 1000 for environment variable HCCL_RDMA_SL is invalid.",
        "MODEL=/path/to/model",
        "x = ASCEND",
        "if [ $HCCL_X == 1 ]",
    ],
)
def test_a_sentence_or_an_unrelated_variable_sets_nothing(text: str) -> None:
    assert environment(text) == {}


def test_a_print_of_the_environment_is_taken_whole() -> None:
    printed = "HOME=/root\nHOSTNAME=worker\nLANG=C\nPATH=/usr/bin\nASCEND_HOME_PATH=/usr/local/Ascend/cann\n"

    assert set(environment(printed)) == {"HOME", "HOSTNAME", "LANG", "PATH", "ASCEND_HOME_PATH"}


def test_what_a_shell_prints_outranks_what_a_script_sets() -> None:
    text = "ASCEND_RT_VISIBLE_DEVICES=0\n\nexport ASCEND_RT_VISIBLE_DEVICES=0,1,2,3\n"

    assert environment(text) == {"ASCEND_RT_VISIBLE_DEVICES": "0"}
