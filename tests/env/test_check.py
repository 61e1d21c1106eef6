"""What is wrong in an environment, variable by variable."""

from __future__ import annotations

import pytest
from tests.env.samples import stack

from ascendenv.env.check import check
from ascendenv.env.profile import profile_of
from ascendenv.env.static import mapping
from ascendenv.matrix.store import shipped_variables
from ascendenv.versions import vendor

KNOWN = shipped_variables()
HOME = "/usr/local/Ascend/cann-9.0.0"
GOOD = {"ASCEND_HOME_PATH": HOME, "ASCEND_OPP_PATH": f"{HOME}/opp"}


@pytest.mark.parametrize(
    ("added", "kind", "name"),
    [
        ({"ASCEND_RT_VISIBLE_DEVICES": "0, 1"}, "wrong-typed", "ASCEND_RT_VISIBLE_DEVICES"),
        ({"ASCEND_RT_VISIBLE_DEVICES": "3,1"}, "wrong-typed", "ASCEND_RT_VISIBLE_DEVICES"),
        ({"ASCEND_RT_VISIBLE_DEVICES": "1,1"}, "wrong-typed", "ASCEND_RT_VISIBLE_DEVICES"),
        ({"ASCEND_RT_VISIBLE_DEVICES": "npu0"}, "wrong-typed", "ASCEND_RT_VISIBLE_DEVICES"),
        ({"ASCEND_VISIBLE_DEVICES": "0"}, "contradictory", "ASCEND_VISIBLE_DEVICES"),
        ({"TASK_QUEUE_ENABLE": "3"}, "wrong-typed", "TASK_QUEUE_ENABLE"),
        ({"HCCL_CONNECT_TIMEOUT": "60"}, "wrong-typed", "HCCL_CONNECT_TIMEOUT"),
        ({"HCCL_CONNECT_TIMEOUT": "2min"}, "wrong-typed", "HCCL_CONNECT_TIMEOUT"),
        ({"HCCL_CONECT_TIMEOUT": "600"}, "unknown", "HCCL_CONECT_TIMEOUT"),
        ({"TORCH_NPU_DISABLED_WARNING": "1"}, "deprecated", "TORCH_NPU_DISABLED_WARNING"),
        ({"ASCEND_GLOBAL_LOG_LEVEL": "1"}, "costly", "ASCEND_GLOBAL_LOG_LEVEL"),
        ({"ASCEND_LAUNCH_BLOCKING": "1"}, "costly", "ASCEND_LAUNCH_BLOCKING"),
        ({"ATB_RUNNER_POOL_SIZE": "64"}, "stale", "ATB_RUNNER_POOL_SIZE"),
        (
            {"HCCL_EVENT_TIMEOUT": "10", "HCCL_EXEC_TIMEOUT": "100"},
            "contradictory",
            "HCCL_EVENT_TIMEOUT",
        ),
        (
            {"PYTORCH_NPU_ALLOC_CONF": "a:b", "PYTORCH_ALLOC_CONF": "a:b"},
            "contradictory",
            "PYTORCH_NPU_ALLOC_CONF",
        ),
        ({"ASCEND_OPP_PATH": ""}, "missing", "ASCEND_OPP_PATH"),
        ({"ASCEND_HOME_PATH": ""}, "missing", "ASCEND_HOME_PATH"),
        (
            {"LD_LIBRARY_PATH": f"{HOME}/lib64:/usr/local/Ascend/ascend-toolkit/8.1.RC1/lib64"},
            "stale",
            "LD_LIBRARY_PATH",
        ),
        ({"ASCEND_OPP_PATH": "/usr/local/Ascend/cann-8.5.0/opp"}, "stale", "ASCEND_OPP_PATH"),
    ],
)
def test_one_problem_is_found(added: dict[str, str], kind: str, name: str) -> None:
    found = check({**GOOD, **added}, KNOWN, cann=vendor("9.0.0"))

    assert [(one.kind, one.name) for one in found] == [(kind, name)]


@pytest.mark.parametrize(
    "added",
    [
        {},
        {"ASCEND_RT_VISIBLE_DEVICES": "0,1,7"},
        {"HCCL_DETERMINISTIC": "TRUE"},
        {"HCCL_EXEC_TIMEOUT": ""},
        {"LD_LIBRARY_PATH": f"/mine:{HOME}/lib64"},
        {"EDITOR": "vi"},
    ],
)
def test_a_good_environment_is_left_alone(added: dict[str, str]) -> None:
    assert check({**GOOD, **added}, KNOWN, cann=vendor("9.0.0")) == ()


def test_the_renamed_log_switch_is_old_from_its_release_on() -> None:
    added = {**GOOD, "ASCEND_SLOG_PRINT_TO_STDOUT": "1"}

    assert check(added, KNOWN, cann=vendor("9.0.0")) == ()
    assert [one.kind for one in check(added, KNOWN, cann=vendor("9.2.0"))] == ["deprecated"]


def test_the_profile_is_the_measure() -> None:
    profile = profile_of(stack(), KNOWN, arch="x86_64", purposes=["inference"])
    right = mapping(profile)

    assert check(right, KNOWN, profile=profile) == ()
    changed = {**right, "TASK_QUEUE_ENABLE": "2", "PATH": "/bin"}
    del changed["PYTORCH_NPU_ALLOC_CONF"]
    assert [(one.kind, one.name) for one in check(changed, KNOWN, profile=profile)] == [
        ("missing", "PATH"),
        ("missing", "PYTORCH_NPU_ALLOC_CONF"),
        ("stale", "TASK_QUEUE_ENABLE"),
    ]


@pytest.mark.parametrize("purpose", KNOWN.purposes)
@pytest.mark.parametrize("cann", ["8.1.RC1", "8.5.0", "9.2.0"])
def test_our_own_profiles_are_right(purpose: str, cann: str) -> None:
    profile = profile_of(stack(cann), KNOWN, arch="x86_64", purposes=[purpose])

    found = check(mapping(profile), KNOWN, cann=vendor(cann), profile=profile)
    assert not [one for one in found if purpose != "debug" or one.kind != "costly"]


def test_costly_settings_are_in_the_catalogue() -> None:
    assert set(KNOWN.costly) <= set(KNOWN.variables)
