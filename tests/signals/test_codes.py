from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ascendenv.signals.codes import canonical_code, component_of, find_code, known_codes
from ascendenv.signals.scan import scan

LINES = [
    ("NPU function error: aclrtGetDeviceCount(&device_count), error code is 207004", ["207004"]),
    ("acl set device 0 failed, errorCode = 507033", ["507033"]),
    (
        "open device 1 failed, runtime result = 507033.[FUNC:ReportCallError][FILE:log_inner.cpp][LINE:148]",
        ["507033"],
    ),
    ("[ERROR] aclrtSetDevice(deviceId) failed: 507033 (/x/main.cpp:102)", ["507033"]),
    ("rtGetDeviceCount:ErrCode=507899, desc=[driver error:internal error], InnerCode=0x7020010", ["507899"]),
    ("synchronize stream failed, runtime result = 507014[FUNC:ReportCallError]", ["507014"]),
    ("aclrtSetDevice failed, ret = 107001", ["107001"]),
    ("aclInit failed, ret=500001", ["500001"]),
    ("acl.rt.set_device failed ret=507033", ["507033"]),
    ("aclInit ... error code is 507899", ["507899"]),
    ("调用 aclrtSetDevice 失败，错误码：507033", ["507033"]),
    ("返回错误码 107001", ["107001"]),
    ("[Init][Compiler]Init compiler failed, error_code:500002", ["500002"]),
    (
        "rtModelExecute:ErrCode=207005, desc=[driver error:resource alloc fail], InnerCode=0x7020023",
        ["207005"],
    ),
    ("Query sq head failed, retCode=0x7020010", ["507899"]),
    ("GetDeviceCount:Call drvGetDevNum, drvRetCode=87.", ["drv:87"]),
    ("CheckHaveDevice:Call halGetDeviceInfo failed: drvRet=87, module type=0, info type=1.", ["drv:87"]),
    ("get platform info failed, drvErr=87.", ["drv:87"]),
    ("halMemCreate failed, drvErrorCode: 6", ["drv:6"]),
    ("[drv api] halMemCreate failed drvRetCode=6, size=20971520(bytes), ErrCode=207001", ["207001", "drv:6"]),
    ("dcmi module initialize failed. ret is -8005", ["-8005"]),
    ("dcmi module initialize failed.ret is -8005", ["-8005"]),
    ("dcmi model initialized failed, because the device is used. ret is -8020", ["-8020"]),
    ("failed to get device health:ret code: -8010,health code: 4", ["-8010"]),
    ("create vdevice failed, error code: -8255", ["-8255"]),
    ("npu get board type failed. ret is -9005", ["-9005"]),
    ("EE1001: [PID: 112081] 2025-07-17-08:06:53.296.370 The argument is invalid.", ["EE1001"]),
    (
        "[PID:3729526]2025-10-23-17:30:40 Config_Error_Invalid_Environment_Variable(EI0001): Value 1000",
        ["EI0001"],
    ),
    ("RuntimeError: EJ0002: [PID: 38079] 2025-07-15-12:45:31.202.787 The network port is down.", ["EJ0002"]),
    ("[rank1]: EI0006: [PID: 1292363] 2025-04-08 Getting socket times out.", ["EI0006"]),
    ("E40024: 2025-03-04-12:56:24.963.302 Failed call Python Func/Meathod", ["E40024"]),
    ("CANN error: EZ9903: [PID: 71888] 2025-12-17 support for Ascend910 is not implemented", ["EZ9903"]),
    ("EH9999: Inner Error!", ["EH9999"]),
    ("EZ9999[PID: 71888] 2025-12-17", ["EZ9999"]),
    ("Communication_Error_Bind_IP_Port(EI0019)", ["EI0019"]),
    (
        "Execution_Error(EZ2001): An error occurs on the device(chipId:0, dieId:0), error code = 0x800000",
        ["EZ2001"],
    ),
    ("Resource_Busy(EL0005): The resources are busy.", ["EL0005"]),
    ("(PID:1439, Device:0, RankID:-1) ERR00100 PTA call acl api failed", ["ERR00100"]),
    ("(PID:1292363, Device:1, RankID:1) ERR01100 OPS call acl api failed.", ["ERR01100"]),
    ("[Driver] [ERROR] ERR_NO:0x0091; ERR_DES: HwHiAiUser not exists!", ["0x0091"]),
    ("[AscTools] [ERROR]: ERR_NO:0x0001;ERR_DES: The architecture of the run package", ["0x0001"]),
    ("Fault RAS occurs in the system: [event_id:0x80e01801] Uncorrectable ECC", ["0x80E01801"]),
    ("[0x80E01801] HBM fault", ["0x80E01801"]),
    ("HBM MULTI BIT ECC, Uncorrectable ECC, device_id=3, event_id=0x80e01801, time us=88.", ["0x80E01801"]),
    ("errNo[0x0000000005000013] rdma init fail. return: ret[328004]", ["hccl:19"]),
    ("[RanktableCheck]errNo[0x0000000005010001] super_device_id[] is invalid", ["hccl:1"]),
    ("HcclGetRootInfo(&hcclID), error code is 19", ["hccl:19"]),
    ("OPS function error: HcclAllreduce, error code is 6", ["hccl:6"]),
    ("RegisterMem failed with HCCL error 19", ["hccl:19"]),
    ("ptr [comm] is nullptr, return HCCL_E_PTR", ["hccl:2"]),
    ("sync stream fail, stream_id=42, retCode=0x7150026.", ["0x7150026"]),
    ("ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT", ["507009"]),
    ("aclrtSetDevice returned ACL_ERROR_RT_DEV_SETUP_ERROR", ["507033"]),
    ("DRV_ERROR_RESOURCE_OCCUPIED", ["drv:87"]),
    ("DCMI_ERR_CODE_INNER_ERR", ["-8005"]),
]


@pytest.mark.parametrize(("line", "codes"), LINES)
def test_every_spelling_becomes_the_canonical_code(line: str, codes: list[str]) -> None:
    assert sorted({one.fields["code"] for one in scan(line.encode(), "log").of("error-code")}) == codes


USUAL = {
    "acl": "NPU function error: aclInit, error code is {code}",
    "cann": "[rank1]: {code}: [PID: 4711] 2025-07-17-08:06:53.296.370 It failed.",
    "driver": "Call drvGetDevNum, drvRetCode={number}.",
    "hccl": "HcclAllreduce, error code is {number}",
    "dcmi": "dcmi module initialize failed. ret is {code}",
    "installer": "[Driver] [ERROR] ERR_NO:{code}; ERR_DES: It failed.",
    "event": "Fault RAS occurs: [event_id:{code}] It failed.",
    "torch_npu": "(PID:1, Device:0, RankID:-1) {code} PTA call failed",
}


@pytest.mark.parametrize("code", sorted(code for code in known_codes() if code != "drv:0"))
def test_every_known_code_is_seen_in_its_usual_line(code: str) -> None:
    code = code.replace("**", "01")
    line = USUAL[component_of(code)].format(code=code, number=code.partition(":")[2])
    assert [one.fields["code"] for one in scan(line.encode(), "log").of("error-code")] == [code]


NO_CODES = [
    "error code is 0",
    "drvRetCode=0",
    "took 507033 us at port 107001",
    "commit 507033a, PR #107001",
    "loss 5.07033",
    "ret is 0",
    "2025-8020 released",
    "hash 3EE10012AB, model EE1001x, E10001 mm",
    "checksum [0x1234ABCD]",
    "[acg_common.c 340] core[0x80000000] ACG init OK.",
    "ParseJsonFile:add error_code E40021 success",
    "errNo[0x0000000005000000]",
    "exit code 137",
    "HTTP error code is 404",
    "error code: 500",
    "HCCL_BUFFSIZE=200, HCCL error rate 0",
    "#define ACL_ERROR_RT_DEV_SETUP_ERROR = 507033",
]


@pytest.mark.parametrize("line", NO_CODES)
def test_a_number_alone_is_no_code(line: str) -> None:
    codes = scan(line.encode(), "log").of("error-code")
    assert [one.fields for one in codes if one.fields["code"] != "hccl:0"] == []


ASKED = [
    ("-8005", "-8005"),
    ("8005", "-8005"),
    ("507033", "507033"),
    ("507033.", "507033"),
    ("EI0006", "EI0006"),
    ("ei0006:", "EI0006"),
    ("ACL_ERROR_RT_LOST_HEARTBEAT", "507010"),
    ("acl_error_rt_lost_heartbeat", "507010"),
    ("0x80E01801", "0x80E01801"),
    ("0x80e01801", "0x80E01801"),
    ("80E01801", None),
    ("drv:87", "drv:87"),
    ("drvRetCode=87", "drv:87"),
    ("drvRet 87", "drv:87"),
    ("HCCL error 19", "hccl:19"),
    ("hccl:19", "hccl:19"),
    ("HCCL_E_NETWORK", "hccl:19"),
    ("0x0000000005000013", "hccl:19"),
    ("0x7020010", "507899"),
    ("0x07020010", "507899"),
    ("ERR_NO:0x0091", "0x0091"),
    ("0x91", "0x0091"),
    ("ERR00100", "ERR00100"),
    ("ret is -8020", "-8020"),
    ("EE1001: [PID: 112081] The argument is invalid.", "EE1001"),
    ("it says: error code is 507899, why?", "507899"),
    ("nothing known", None),
    ("", None),
    ("999999", None),
    ("ERR00777", None),
]


@pytest.mark.parametrize(("text", "code"), ASKED)
def test_find_code_understands_what_people_type(text: str, code: str | None) -> None:
    found = find_code(text)
    assert (found.code if found else None) == code


def test_a_code_says_what_it_means_in_both_languages() -> None:
    found = find_code("507033")
    assert found is not None
    assert found.name == "ACL_ERROR_RT_DEV_SETUP_ERROR"
    assert found.meaning() == "device start-up failed"
    assert found.meaning("zh") == "设备启动失败"
    assert "device-not-released" in found.causes


def test_a_torch_npu_code_keeps_its_module() -> None:
    found = find_code("ERR02200")
    assert found is not None
    assert (found.code, found.component) == ("ERR02200", "torch_npu")


@pytest.mark.parametrize("code", sorted(known_codes()))
def test_every_known_code_is_found_and_complete(code: str) -> None:
    known = known_codes()[code]
    assert find_code(code) == known
    assert re.search(r"[\u4e00-\u9fff]", known.meaning_zh)
    assert known.meaning_en.isascii()
    assert known.source
    assert canonical_code(code) == code
    assert component_of(code.replace("**", "00"))


def test_every_name_leads_to_its_code() -> None:
    wrong = []
    for code, known in known_codes().items():
        if known.name and "_" in known.name and known.name.isupper():
            found = find_code(known.name)
            if found is None or found.code != code:
                wrong.append((known.name, code))
    assert wrong == []


SHARED = Path(__file__).parents[3] / "shared" / "box" / "error-codes.json"
LEFT_OUT = {
    "0x50100001": "nobody knows what it means",
    "drv:0": "success; stands there twice",
}
INSTALLER_TEXTS = "texts without a number are patterns of matrix/signals, not codes"


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the research data is not beside this checkout")
def test_every_collected_code_is_known() -> None:
    records = json.loads(SHARED.read_text(encoding="utf-8"))["records"]
    missing = [
        record["code"]
        for record in records
        if record["code"] not in LEFT_OUT
        and not record["code"].startswith("text:")
        and record["code"].removeprefix("ERR_NO:") not in known_codes()
    ]
    assert missing == [], INSTALLER_TEXTS
