"""Error codes in the words of the CANN that is installed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.error_tables import installed_code
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path

HEADER = """#define ACL_RT_SUCCESS 0                                // success
#define ACL_ERROR_RT_PARAM_INVALID 107000               // param invalid
static const int32_t ACL_ERROR_RT_NO_DEVICE = 207004; // no device
#define ACL_ERROR_RT_DRV_INTERNAL_ERROR 507899 /* drv internal error */
"""
TABLE = {
    "error_info_list": [
        {
            "errTitle": "Config_Error",
            "ErrCode": "E20003",
            "ErrMessage": "Configuration item %s is invalid.",
            "suggestion": {"Possible Cause": "1. A typo.", "Solution": "N/A"},
        },
        "no row",
        {"ErrCode": "EE1001", "suggestion": None},
    ]
}


@pytest.fixture
def machine(tmp_path: Path) -> System:
    for version, header in (("8.5.0", HEADER.replace("param invalid", "old words")), ("9.0.0", HEADER)):
        base = tmp_path / f"usr/local/Ascend/cann-{version}/aarch64-linux"
        (base / "include/acl/error_codes").mkdir(parents=True)
        (base / "include/acl/error_codes/rt_error_codes.h").write_text(header)
        (base / "conf/error_manager").mkdir(parents=True)
        (base / "conf/error_manager/error_code.json").write_text(json.dumps(TABLE))
    return System(str(tmp_path), {"ASCEND_HOME_PATH": "/usr/local/Ascend/cann-9.0.0"})


@pytest.mark.parametrize(
    ("subject", "name", "text"),
    [
        ("107000", "ACL_ERROR_RT_PARAM_INVALID", "param invalid"),
        ("error code is 207004", "ACL_ERROR_RT_NO_DEVICE", "no device"),
        ("507899", "ACL_ERROR_RT_DRV_INTERNAL_ERROR", "drv internal error"),
        ("ACL_ERROR_RT_PARAM_INVALID", "ACL_ERROR_RT_PARAM_INVALID", "param invalid"),
        ("E20003", "Config_Error", "Configuration item %s is invalid."),
    ],
)
def test_the_installed_table_is_read(machine: System, subject: str, name: str, text: str) -> None:
    found = installed_code(subject, machine)

    assert found is not None
    assert (found.name, found.text) == (name, text)
    assert found.path.startswith("/usr/local/Ascend/cann-9.0.0/")


def test_advice_that_says_nothing_is_left_out(machine: System) -> None:
    found = installed_code("E20003", machine)

    assert found is not None
    assert (found.causes, found.solution) == ("1. A typo.", "")


@pytest.mark.parametrize("subject", ["TOR001", "999999", "no code at all", "-8005", ""])
def test_what_it_does_not_know(machine: System, subject: str) -> None:
    assert installed_code(subject, machine) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"error_info_list": 3}', "\0\0"])
def test_a_damaged_table_is_passed_by(tmp_path: Path, text: str) -> None:
    place = tmp_path / "usr/local/Ascend/cann-9.0.0/aarch64-linux/conf/error_manager/error_code.json"
    place.parent.mkdir(parents=True)
    place.write_text(text)

    assert installed_code("E20003", System(str(tmp_path), {})) is None
