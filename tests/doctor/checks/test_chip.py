"""The checks of chips: what they name first, where they stay silent, and when they are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.chip.built_for_other_chip import BuiltForOtherChip
from ascendenv.doctor.checks.chip.chip_newer_than_release import ChipNewerThanRelease
from ascendenv.doctor.checks.chip.chip_not_served import ChipNotServed
from ascendenv.doctor.checks.chip.soc_refused import SocRefused
from ascendenv.doctor.finding import Confidence, Severity, Skip
from ascendenv.facts.model import Package, Packages
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding

QUIET = "all is well"
NO_KERNELS = "[ERROR] Cannot find bin of op PromptFlashAttention, integral key 0/1/|bf16/ND/bf16/ND/."
CAST = "kernel_operator_vec_vconv_impl.h:450:5: error: no matching function for call to 'CastIntrinsicsImpl'"
VLLM = Packages({"vllm-ascend": Package("vllm-ascend", "0.10.1rc1")})


def card(name: str, *, ddr: bool = False) -> str:
    memory = "1103 / 13552" if ddr else "0    / 0     "
    total = 32768 if ddr else 65536
    return (
        "+------------------------------------------------------------------------------------------------+\n"
        "| npu-smi 25.2.0                   Version: 25.2.0                                               |\n"
        "+---------------------------+---------------+----------------------------------------------------+\n"
        "| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|\n"
        "| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n"
        "+===========================+===============+====================================================+\n"
        f"| 0     {name:<19} | OK            | 95.4        41                0    / 0             |\n"
        f"| 0                         | 0000:C1:00.0  | 0           {memory}     0    / {total}         |\n"
        "+===========================+===============+====================================================+\n"
    )


def found(
    check: type[Check], log: str | None = None, report: str | None = None, **facts: Any
) -> list[Finding]:
    outcome = run_check(check, log, report, **facts)
    assert not isinstance(outcome, Skip), outcome.reason.text()
    return outcome


FIRST = [
    # --- a program refuses the chip
    ("number of 910", "RuntimeError: Can not support soc_version: 104.", None, "chip-unsupported"),
    ("number of 310B", "RuntimeError: Can not support soc_version: 240.", None, "chip-unsupported"),
    ("number of 310B, runtime", "RuntimeError: Cannot support runtime soc_version: 242.", None, "chip-unsupported"),
    ("name of 310B", "RuntimeError: Unsupported SOC version: Ascend310B4", None, "chip-unsupported"),
    ("undefined 310B", "RuntimeError: Undefined soc_version: ascend310b1. Please file an issue to vllm-ascend.", None, "chip-unsupported"),
    ("build for 310B", "  SOC_VERSION ascend310b4 does not support, the support list is", None, "chip-unsupported"),
    ("converter", "E10001: Value [Ascend310B1] for parameter [--soc_version] is invalid.", None, "chip-unsupported"),
    ("first generation", "CANN error: EZ9903: support for Ascend910 is not implemented", None, "chip-unsupported"),
    ("first generation, named", "NotImplementedError: Ascend910ProB does not support bfloat16 attention", None, "chip-unsupported"),
    ("950", "RuntimeError: Unsupported soc version: Ascend950PR 9579", None, "chip-needs-newer-release"),
    ("950, enumerated", "ValueError: Unsupported soc_version: AscendDeviceType.A5", None, "chip-needs-newer-release"),
    ("950, number", "RuntimeError: Can not support soc_version: 260.", None, "chip-needs-newer-release"),
    ("950, kernels", "[ERROR] TBE(846,python) [ascendc_runtime.cpp:228] AscendCheckSoCVersion:cur soc version ascend950pr_9579 not found.", None, "chip-needs-newer-release"),
    ("A3", "RuntimeError: Unsupported soc version: Ascend910_9382", None, "chip-needs-newer-release"),
    ("A3, space", "RuntimeError: Unsupported soc version: Ascend910 9362", None, "chip-needs-newer-release"),
    ("A3, number", "RuntimeError: Can not support soc_version: 254.", None, "chip-needs-newer-release"),
    # --- built for another chip
    ("kernels", "[ERROR] the socversion Ascend310P1 of bin package does not match the current device socverison Ascend910B4.", None, "image-wrong-chip"),
    ("image of A2 on A3", "AssertionError: Current device type: AscendDeviceType.A3 does not match the installed version's device type: AscendDeviceType.A2, please check your installation package.", None, "image-wrong-chip"),
    ("image of A2 on 310P", "Current device type: AscendDeviceType._310P does not match the installed version's device type: AscendDeviceType.A2", None, "image-wrong-chip"),
    ("tag of 910B on 310P", NO_KERNELS, f"docker run -it quay.io/ascend/cann:8.2.rc1-910b-ubuntu22.04-py3.11 bash\n{card('310P3')}", "image-wrong-chip"),
    # --- first generation cards
    ("compiler", f"/usr/local/Ascend/tikcfw/impl/dav_c100/{CAST}", None, "chip-unsupported"),
    ("compiler, Chinese", "kernel_operator_vec_vconv_impl.h:450:5: 错误：没有匹配的函数 CastIntrinsicsImpl", None, "chip-unsupported"),
    ("kernels on 910ProB", NO_KERNELS, card("910ProB", ddr=True), "chip-unsupported"),
    ("kernels on the plain 910B", NO_KERNELS, card("910B", ddr=True), "chip-unsupported"),
    ("kernels on 310", NO_KERNELS, card("310"), "chip-unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "report", "cause"), [pytest.param(*row[1:], id=row[0]) for row in FIRST])
def test_the_first_cause(log: str, report: str | None, cause: str) -> None:
    assert causes_of(log, report)[0] == cause


@pytest.mark.parametrize(
    ("log", "report"),
    [
        pytest.param("RuntimeError: [PTA feature not supported]", None, id="feature"),
        pytest.param("TypeError: Ascend NPU does not support float64", None, id="data type"),
        pytest.param(NO_KERNELS, None, id="kernels, chip unknown"),
        pytest.param(None, card("910B3"), id="card"),
        pytest.param(None, card("310P3"), id="310P"),
        pytest.param(None, f"docker run quay.io/ascend/vllm-ascend:v0.10.1rc1 bash\n{card('910B4')}", id="image"),
        pytest.param(None, f"docker run quay.io/ascend/vllm-ascend:v0.11.0rc0-310p bash\n{card('310P3')}", id="310P image"),
        pytest.param(None, f"export SOC_VERSION=ascend910b1\n{card('910B3')}", id="sister chip"),
    ],
)  # fmt: skip
def test_no_chip_check_fires(log: str | None, report: str | None) -> None:
    assert [one.id for one in diagnose_text(log, report).findings if one.id.startswith("CHP")] == []


# --- CHP001


PTA = "RuntimeError: NPU function error: c10_npu::SetDevice(device_id_), error code is 507033\n[ERROR] ERR00100 PTA call acl api failed"
FRAME = (
    '  File "/usr/lib/python3.10/site-packages/transformers/generation/utils.py", line 1758, in generate\n'
)


@pytest.mark.parametrize("name", ["910ProB", "910A", "910PremiumA"])
def test_a_call_that_fails_on_a_first_generation_chip_needs_no_other_reason(name: str) -> None:
    assert causes_of(FRAME + PTA, card(name, ddr=True))[0] == "chip-unsupported"


def test_a_call_that_fails_on_a_served_chip_says_nothing_about_it() -> None:
    assert "chip-unsupported" not in causes_of(FRAME + PTA, card("910B3"))


INSTALLED = "package_name=Ascend-cann-toolkit\nversion={cann}\npath=/usr/local/Ascend/ascend-toolkit/{cann}/aarch64-linux\n"


@pytest.mark.parametrize(
    ("used", "cann", "causes"),
    [
        pytest.param("[pip3] vllm-ascend==0.7.3", "8.2.RC1", ["chip-needs-newer-release"], id="wheel"),
        pytest.param(
            "docker run quay.io/ascend/vllm-ascend:v0.8.5rc1 bash",
            "8.2.RC1",
            ["chip-needs-newer-release"],
            id="image",
        ),
        pytest.param("", "8.1.RC1", ["chip-needs-newer-release"], id="CANN"),
        pytest.param("[pip3] vllm-ascend==0.11.0", "8.3.RC1", [], id="served"),
    ],
)
def test_a_chip_that_the_server_of_that_time_did_not_serve(used: str, cann: str, causes: list[str]) -> None:
    report = f"{card('910C1')}\n{used}\n{INSTALLED.format(cann=cann)}"
    assert [one.cause for one in found(ChipNewerThanRelease, report=report)] == causes


@pytest.mark.parametrize("operation", ["RopeOperation", "SelfAttentionOperation", "PagedAttentionOperation"])
def test_an_operation_that_this_chip_does_not_have(operation: str) -> None:
    log = f"RuntimeError: {operation} setup failed!"
    assert causes_of(log)[0] == "image-wrong-chip"
    assert causes_of(log, card("310P3"))[0] == "image-wrong-chip"


def test_the_refused_chip_is_named() -> None:
    first = found(SocRefused, "RuntimeError: Can not support soc_version: 254.")[0]
    assert first.observed.text() == "soc_version 254 (A3) is refused"
    assert first.confidence == Confidence.CERTAIN


def test_an_unnamed_chip_leaves_the_causes_open() -> None:
    causes = [one.cause for one in found(SocRefused, "RuntimeError: Unsupported soc version: -1")]
    assert sorted(causes) == sorted(SocRefused.causes)


def test_the_card_decides_about_an_unnamed_chip() -> None:
    line = "ValueError: Unsupported soc_version: AscendSocVersion.UNDEFINED"
    assert found(SocRefused, line, chip="Ascend910ProB")[0].cause == "chip-unsupported"
    assert found(SocRefused, line, chip="Ascend950PR")[0].cause == "chip-needs-newer-release"


def test_an_image_of_another_chip_explains_the_refusal() -> None:
    report = f"docker run -it quay.io/ascend/vllm-ascend:v0.10.1rc1-310p bash\n{card('910B3')}"
    line = "ValueError: Unsupported soc_version: AscendSocVersion.UNDEFINED"
    assert found(SocRefused, line, report)[0].cause == "image-wrong-chip"


# --- CHP002


@pytest.mark.parametrize(
    ("log", "chip", "packages", "outcome"),
    [
        pytest.param(NO_KERNELS, "910A", VLLM, (Severity.ERROR, Confidence.CERTAIN), id="all three"),
        pytest.param(NO_KERNELS, "910A", None, (Severity.ERROR, Confidence.LIKELY), id="kernels"),
        pytest.param(QUIET, "310B", VLLM, (Severity.WARNING, Confidence.LIKELY), id="server"),
        pytest.param(QUIET, "910A", None, None, id="only the card"),
        pytest.param(NO_KERNELS, "Ascend910B3", VLLM, None, id="a card that is served"),
        pytest.param(CAST, "Ascend910B3", None, (Severity.ERROR, Confidence.LIKELY), id="compiler"),
    ],
)
def test_generations_that_are_not_served(
    log: str, chip: str, packages: Packages | None, outcome: tuple[Severity, Confidence] | None
) -> None:
    facts: dict[str, Any] = {"chip": chip, **({"packages": packages} if packages else {})}
    findings = found(ChipNotServed, log, **facts)
    assert [(one.severity, one.confidence) for one in findings] == ([outcome] if outcome else [])


# --- CHP003


@pytest.mark.parametrize(
    ("log", "chip", "severity"),
    [
        pytest.param("__device_type__ = 'A2'", "A3", Severity.ERROR, id="wheel"),
        pytest.param('__soc_version__ = "ascend310p1"', "Ascend910B4", Severity.ERROR, id="wheel, soc"),
        pytest.param("__device_type__ = 'A2'", "Ascend910B2C", None, id="wheel that fits"),
        pytest.param("image: quay.io/ascend/vllm-ascend:v0.11.0rc0", "Ascend310P3", Severity.WARNING, id="no suffix"),
        pytest.param("image: quay.io/ascend/vllm-ascend:v0.13.0rc1-a3-openeuler", "Ascend910B1", Severity.WARNING, id="A3 on A2"),
        pytest.param("image: quay.io/ascend/cann:8.2.rc1-310p-ubuntu22.04-py3.11", "A3", Severity.WARNING, id="CANN"),
        pytest.param("image: mindie:1.0.0-800I-A2-py311-openeuler24.03-lts", "Ascend310P3", Severity.WARNING, id="MindIE"),
        pytest.param("image: mindie:1.0.0-800I-A2-py311-openeuler24.03-lts", "Ascend910B4", None, id="MindIE that fits"),
        pytest.param("docker run quay.io/ascend/verl:verl-8.3.rc1-910b-ubuntu22.04-py3.11", "A3", Severity.WARNING, id="verl"),
        pytest.param("export SOC_VERSION=ascend910b1", "Ascend310P3", Severity.WARNING, id="build variable"),
        pytest.param("cmake -DSOC_TYPE=Ascend910B3", "Ascend910B1", None, id="same family"),
        pytest.param("image: quay.io/ascend/vllm-ascend:v0.11.0rc0", "910A", None, id="no image serves it"),
    ],
)  # fmt: skip
def test_what_was_built_and_what_is_there(log: str, chip: str, severity: Severity | None) -> None:
    findings = found(BuiltForOtherChip, log, chip=chip)
    assert [one.severity for one in findings] == ([severity] if severity else [])


def test_missing_kernels_make_it_an_error() -> None:
    log = f"image: quay.io/ascend/vllm-ascend:v0.11.0rc0\n{NO_KERNELS}"
    assert found(BuiltForOtherChip, log, chip="Ascend310P3")[0].severity == Severity.ERROR


def test_a_variable_of_the_box_counts_too() -> None:
    first = found(BuiltForOtherChip, QUIET, chip="Ascend310P3", environment={"SOC_VERSION": "ascend910b1"})[0]
    assert first.observed.text() == "SOC_VERSION is ascend910b1"


def test_the_right_image_is_named() -> None:
    log = "Current device type: AscendDeviceType.A3 does not match the installed version's device type: AscendDeviceType.A2"
    assert any(one.run.endswith("-a3") for one in found(BuiltForOtherChip, log)[0].fix)


# --- CHP004


@pytest.mark.parametrize(
    ("chip", "cann", "severity"),
    [
        ("Ascend950PR", "8.3.RC1", Severity.WARNING),
        ("A3", "7.0.0", Severity.WARNING),
        ("A3", "8.3.RC1", None),
        ("Ascend910B3", "8.0.0", None),
        ("Ascend310P3", "8.2.RC1", None),
        ("not a chip", "7.0.0", None),
    ],
)
def test_a_chip_and_the_first_release_that_knows_it(chip: str, cann: str, severity: Severity | None) -> None:
    findings = found(ChipNewerThanRelease, QUIET, chip=chip, cann=vendor(cann))
    assert [one.severity for one in findings] == ([severity] if severity else [])


def test_missing_kernels_of_a_new_chip_are_an_error() -> None:
    first = found(ChipNewerThanRelease, NO_KERNELS, chip="Ascend950PR", cann=vendor("8.3.RC1"))[0]
    assert (first.severity, first.confidence) == (Severity.ERROR, Confidence.CERTAIN)


def test_an_old_torch_npu_counts_too() -> None:
    findings = found(ChipNewerThanRelease, QUIET, chip="Ascend950PR", torch_npu=pep440("2.1.0.post6"))
    assert [one.cause for one in findings] == ["chip-needs-newer-release"]


def test_without_versions_it_stays_silent() -> None:
    assert found(ChipNewerThanRelease, QUIET, chip="Ascend950PR") == []


@pytest.mark.parametrize("check", [SocRefused, ChipNotServed, BuiltForOtherChip], ids=lambda check: check.id)
def test_without_a_log_these_checks_are_skipped(check: type[Check]) -> None:
    assert isinstance(run_check(check), Skip)


def test_a_list_of_socs_means_the_first_910_by_ascend910() -> None:
    log = "The binary_info_config.json of socVersion [ascend910] does not support opType [RotaryX]."

    assert causes_of(log)[:1] == ["chip-unsupported"]


def test_a_310p_that_is_refused_is_not_new() -> None:
    log = "The binary_info_config.json of socVersion [ascend310p] does not support opType [RotaryX]."

    assert causes_of(log)[:2] == ["chip-unsupported", "image-wrong-chip"]
