"""Two machines: what counts as a difference, what as the same, and what as not known."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascendenv.compare.comparison import Comparison, compare
from ascendenv.compare.trait import Area
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import (
    CannInstall,
    DeviceNode,
    HostFacts,
    KernelState,
    Link,
    Npu,
    NpuPort,
    OpsPackage,
    OsRelease,
    Package,
    Packages,
    User,
)
from ascendenv.facts.text import facts_of
from ascendenv.signals.model import Signal, Signals
from ascendenv.versions import pep440, vendor


def packages(complete: bool = True, **versions: str) -> Packages:
    found = {
        name.replace("_", "-"): Package(name.replace("_", "-"), version) for name, version in versions.items()
    }
    return Packages(MappingProxyType(found), complete=complete)


def variables(**found: str) -> MappingProxyType[str, str]:
    return MappingProxyType(found)


def box(**facts: Any) -> HostFacts:
    return HostFacts(**facts)


def signals(*found: tuple[str, dict[str, str]]) -> Signals:
    return Signals(tuple(Signal(id_, fields, Evidence("log:1", "x")) for id_, fields in found))


def shown(found: Comparison) -> list[tuple[str, str | None, str | None]]:
    return [(one.name, one.first, one.second) for one in found.differences]


WHOLE = {"PATH": "/bin", "HOME": "/root"}


@pytest.mark.parametrize(
    ("first", "second", "differences"),
    [
        ({"driver": vendor("25.2.0")}, {"driver": vendor("25.3.rc1")}, [("driver", "25.2.0", "25.3.rc1")]),
        ({"driver": vendor("25.2.0")}, {"driver": vendor("25.2.0")}, []),
        ({"driver": vendor("25.2.0")}, {}, []),
        ({"in_container": True}, {"in_container": False}, [("container", "yes", "no")]),
        (
            {"os": OsRelease("ubuntu", "22.04", "Ubuntu 22.04")},
            {"os": OsRelease("openeuler", "22.03", "openEuler 22.03")},
            [("system", "Ubuntu 22.04", "openEuler 22.03")],
        ),
        (
            {"cann_installs": (CannInstall(vendor("8.2.RC1")), CannInstall(vendor("8.5.0")))},
            {"cann_installs": (CannInstall(vendor("8.5.0")),)},
            [("CANN installed", "8.2.RC1, 8.5.0", "8.5.0")],
        ),
        ({"cann_installs": ()}, {"cann_installs": (CannInstall(vendor("8.5.0")),)}, [("CANN installed", "-", "8.5.0")]),
        (
            {"ops": (OpsPackage("910b", vendor("8.2.RC1")),)},
            {"ops": (OpsPackage("910b", None),)},
            [("kernels", "910b 8.2.RC1", "910b")],
        ),
        # temperatures and loads are no differences, health is
        (
            {"npus": (Npu(0, 0, "910B3", "OK", temperature=30, hbm_used=3431, hbm_total=65536),)},
            {"npus": (Npu(4, 0, "910B3", "OK", temperature=60, hbm_used=9000, hbm_total=65536),)},
            [],
        ),
        (
            {"npus": (Npu(0, 0, "910B3", "OK"), Npu(1, 0, "910B3", "Alarm"))},
            {"npus": (Npu(0, 0, "910B3", "OK"), Npu(1, 0, "910B3", "OK"))},
            [("card health", "1 x Alarm, 1 x OK", "2 x OK")],
        ),
        # packages
        ({"packages": packages(numpy="1.26.4")}, {"packages": packages(numpy="2.0.0")}, [("numpy", "1.26.4", "2.0.0")]),
        ({"packages": packages(numpy="1.26.4")}, {"packages": packages()}, [("numpy", "1.26.4", None)]),
        ({"packages": packages(numpy="1.26.4")}, {"packages": packages(complete=False)}, []),
        ({"packages": packages(complete=False)}, {"packages": packages(numpy="1.26.4")}, []),
        (
            {"packages": packages(torch="2.9.0"), "torch": pep440("2.9.0")},
            {"packages": packages()},
            [("torch", "2.9.0", None)],
        ),
        ({"packages": packages(torch="2.9.0"), "torch": pep440("2.9.0")}, {"packages": packages(complete=False)}, []),
        # variables: those of the stack only
        (
            {"environment": variables(**WHOLE, HCCL_CONNECT_TIMEOUT="600", EDITOR="vi")},
            {"environment": variables(**WHOLE, EDITOR="nano")},
            [("HCCL_CONNECT_TIMEOUT", "600", None)],
        ),
        ({"environment": variables(HCCL_CONNECT_TIMEOUT="600")}, {"environment": variables(ASCEND_HOME_PATH="/x")}, []),
        (
            {"environment": variables(ASCEND_HOME_PATH="/y")},
            {"environment": variables(ASCEND_HOME_PATH="")},
            [("ASCEND_HOME_PATH", "/y", "")],
        ),
        # libraries
        (
            {"mapped_libraries": ("/a/lib64/libascendcl.so", "/v1/site-packages/torch/lib/libc10.so")},
            {"mapped_libraries": ("/b/lib64/libascendcl.so", "/v2/site-packages/torch/lib/libc10.so")},
            [("libascendcl.so", "/a/lib64/libascendcl.so", "/b/lib64/libascendcl.so")],
        ),
        # devices
        (
            {"device_nodes": (DeviceNode("/dev/davinci0", 0o660, "root", "HwHiAiUser", openable=False),)},
            {"device_nodes": (DeviceNode("/dev/davinci0", 0o666, "root", "HwHiAiUser", openable=True),)},
            [("/dev/davinci0", "660 root:HwHiAiUser cannot be opened", "666 root:HwHiAiUser")],
        ),
        (
            {"kernel_modules": frozenset({"ext4", "drv_pcie_host"})},
            {"kernel_modules": frozenset({"xfs"})},
            [("drv_pcie_host", "loaded", None)],
        ),
        ({"kernel_modules": frozenset({"drv_pcie_host"})}, {"kernel_modules": frozenset({"drv_devmm"})}, []),
        (
            {"mounts": ("/usr/local/Ascend/driver", "/data")},
            {"mounts": ("/home",)},
            [("/usr/local/Ascend/driver", "mounted", None)],
        ),
        (
            {"cann_links": (Link("/a/latest", "8.2", broken=False),)},
            {"cann_links": (Link("/a/latest", "8.2", broken=True),)},
            [("/a/latest", "8.2", "8.2 (broken)")],
        ),
        (
            {"ports": (NpuPort(0, link_up=True, tls_enabled=True),)},
            {"ports": (NpuPort(0, link_up=False, tls_enabled=True),)},
            [("0", "link on, TLS on", "link off, TLS on")],
        ),
        (
            {"kernel_state": KernelState(vermagic="5.10.0")},
            {"kernel_state": KernelState(vermagic="5.15.0")},
            [("module built for", "5.10.0", "5.15.0")],
        ),
        ({"kernel_state": KernelState(vermagic="5.10.0")}, {"kernel_state": KernelState()}, []),
        ({"user": User("root", 0, ())}, {"user": User("a", 1000, ("HwHiAiUser",))}, [("user", "root", "not root"), ("groups", "-", "HwHiAiUser")]),
        # errors, and not what else a log tells
        (
            {"signals": signals(("error-code", {"code": "507033"}), ("npu-smi-version", {}))},
            {"signals": signals()},
            [("error-code 507033", "seen", None)],
        ),
    ],
)  # fmt: skip
def test_what_differs(
    first: dict[str, Any], second: dict[str, Any], differences: list[tuple[str, str | None, str | None]]
) -> None:
    assert shown(compare(box(**first), box(**second))) == differences
    turned = [(name, there, here) for name, here, there in differences]
    assert shown(compare(box(**second), box(**first))) == turned


@pytest.mark.parametrize(
    ("first", "second", "name", "known_in", "value"),
    [
        ({"driver": vendor("25.2.0")}, {}, "driver", "first", "25.2.0"),
        ({}, {"driver": vendor("25.2.0")}, "driver", "second", "25.2.0"),
        ({"packages": packages(a="1", b="2")}, {}, "packages", "first", "2"),
        ({"packages": packages(numpy="1")}, {"packages": packages(complete=False)}, "numpy", "first", "1"),
        ({"environment": variables(RANK="1")}, {"environment": variables(HCCL_X="2")}, "RANK", "first", "1"),
    ],
)
def test_what_only_one_of_them_tells_is_no_difference(
    first: dict[str, Any], second: dict[str, Any], name: str, known_in: str, value: str
) -> None:
    found = compare(box(**first), box(**second))

    one = next(one for one in found.one_sided if one.name == name)
    assert (one.known_in, one.value) == (known_in, value)
    assert str(one.reason)
    assert found.differences == ()


def test_what_matters_comes_first() -> None:
    first = box(
        driver=vendor("25.2.0"),
        kernel="5.10",
        chip="Ascend910B3",
        environment=variables(**WHOLE, ASCEND_HOME_PATH="/a"),
        mapped_libraries=("/a/libascendcl.so",),
        packages=packages(aiohttp="1", zzz_npu_tools="1"),
    )
    second = box(
        driver=vendor("25.3.rc1"),
        kernel="5.15",
        chip="Ascend910B2",
        environment=variables(**WHOLE, ASCEND_HOME_PATH="/b"),
        mapped_libraries=("/b/libascendcl.so",),
        packages=packages(aiohttp="2", zzz_npu_tools="2"),
    )

    found = compare(first, second)

    assert [one.name for one in found.differences] == [
        "driver",
        "ASCEND_HOME_PATH",
        "libascendcl.so",
        "zzz-npu-tools",
        "aiohttp",
        "chip",
        "kernel",
    ]
    assert found.same[Area.VARIABLES] == 1  # PATH; HOME is of no interest


def test_nothing_in_common() -> None:
    assert compare(box(), box()).compared == 0
    assert compare(box(driver=vendor("1.2")), box(cann=vendor("8.5.0"))).compared == 0


TEXTS = st.lists(
    st.sampled_from(
        [
            "[pip3] torch==2.9.0",
            "[pip3] numpy==1.26.4",
            "npu-smi 25.2.0 Version: 25.2.0",
            "version=8.2.RC1",
            "LD_LIBRARY_PATH=/a:/b",
            "ASCEND_RT_VISIBLE_DEVICES=0,1",
            "ImportError: libhccl.so: cannot open shared object file",
            "Linux 5.10.0 aarch64",
        ]
    ),
    min_size=1,
)


@settings(deadline=None)  # the first one compiles the patterns
@given(TEXTS, TEXTS)
def test_a_machine_equals_itself_and_order_only_turns_sides(one: list[str], two: list[str]) -> None:
    first, second = facts_of(report="\n".join(one)), facts_of(report="\n".join(two))

    assert compare(first, first).differences == ()
    there, back = compare(first, second), compare(second, first)
    assert {(d.name, d.first, d.second) for d in there.differences} == {
        (d.name, d.second, d.first) for d in back.differences
    }
    assert there.same == back.same
