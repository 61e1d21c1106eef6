"""The pieces a lock is put together from: files of the vendor, requirements, the choice of a wheel, the machine's index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ascendenv.lock.known_wheels import with_known_addresses
from ascendenv.lock.machine_index import machine_index
from ascendenv.lock.model import Artefact
from ascendenv.lock.requirements import for_arch, requirements_of
from ascendenv.lock.resolve import Target, best
from ascendenv.lock.spec import StackWishes
from ascendenv.lock.vendor_files import VendorFiles, merged
from ascendenv.lock.wheel_choice import best_wheel
from ascendenv.versions import VersionRange, vendor

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.lock.compose import Known
    from ascendenv.lock.model import Component
    from ascendenv.matrix.rows.base import Arch

BOTH: tuple[Arch, ...] = ("aarch64", "x86_64")


@pytest.mark.parametrize(
    ("family", "driver", "firmware", "release", "files"),
    [
        (
            "910B",
            "25.2.0",
            "7.7.0.6.236",
            "25.2.0",
            [("hdk", "Ascend-hdk-910b-npu_25.2.0_linux-aarch64.zip", True)],
        ),
        (
            "910B",
            "25.5.2",
            "7.8.0.7.220",
            "25.5.2",
            [
                ("driver", "Ascend-hdk-910b-npu-driver_25.5.2_linux-aarch64.run", False),
                ("firmware", "Ascend-hdk-910b-npu-firmware_7.8.0.7.220.run", False),
            ],
        ),
        # another firmware than the archive holds: the archive is not what is installed
        (
            "910B",
            "25.2.0",
            "7.7.0.6.999",
            "25.2.0",
            [
                ("driver", "Ascend-hdk-910b-npu-driver_25.2.0_linux-aarch64.run", False),
                ("firmware", "Ascend-hdk-910b-npu-firmware_7.7.0.6.999.run", False),
            ],
        ),
        (
            "A3",
            "25.3.rc1",
            "7.8.0.2.212",
            "25.3.RC1",
            [
                ("driver", "Atlas-A3-hdk-npu-driver_25.3.rc1_linux-aarch64.run", False),
                ("firmware", "Atlas-A3-hdk-npu-firmware_7.8.0.2.212.run", False),
            ],
        ),
        (
            "950",
            "25.6.rc1",
            None,
            "25.6.RC1",
            [("driver", "Atlas-A5-hdk-npu-driver_25.6.rc1_linux-aarch64.run", False)],
        ),
        (None, "25.5.2", None, "25.5.2", [("driver", None, False)]),
    ],
)
def test_driver_and_firmware_come_in_the_file_with_a_hash(  # noqa: PLR0917  (one row a case)
    family: str | None,
    driver: str,
    firmware: str | None,
    release: str,
    files: list[tuple[str, str | None, bool]],
    known: Known,
) -> None:
    found = VendorFiles(known.matrix, known.artefacts, family).hdk(
        vendor(driver), vendor(firmware) if firmware is not None else None, release, "aarch64"
    )

    assert [(one.component, one.file, one.is_verified) for one in found] == files


@pytest.mark.parametrize(
    ("family", "cann", "ops"),
    [
        ("910B", "8.5.0", ("Ascend-cann-910b-ops_8.5.0_linux-aarch64.zip", "deployer")),
        ("910B", "8.2.RC1", ("Ascend-cann-kernels-910b_8.2.RC1_linux-aarch64.zip", "deployer")),
        ("A3", "8.3.RC1", ("Atlas-A3-cann-kernels_8.3.RC1_linux-aarch64.run", "unverified")),
        ("A3", "9.1.0", ("Ascend-cann-A3-ops_9.1.0_linux-aarch64.run", "unverified")),
        ("950", "9.2.0", ("Ascend-cann-950-ops_9.2.0_linux-aarch64.run", "unverified")),
    ],
)
def test_the_ops_package_is_that_of_the_chip(
    family: str, cann: str, ops: tuple[str, str], known: Known
) -> None:
    packages: dict[Component, object] = {"toolkit": vendor(cann), "ops": vendor(cann)}
    found = VendorFiles(known.matrix, known.artefacts, family).cann(packages, "aarch64")  # type: ignore[arg-type]

    own = {one.component: one for one in found}
    assert (own["ops"].file, own["ops"].verified) == ops
    assert own["toolkit"].arch == "aarch64"


def test_an_archive_names_the_package_inside(known: Known) -> None:
    files = VendorFiles(known.matrix, known.artefacts, "910B")

    (hdk,) = files.hdk(vendor("25.2.0"), vendor("7.7.0.6.236"), "25.2.0", "aarch64")

    assert hdk.holds == (
        "Ascend-hdk-910b-npu-driver_25.2.0_linux-aarch64.run",
        "Ascend-hdk-910b-npu-firmware_7.7.0.6.236.run",
    )


def wheel(name: str, version: str, arch: Arch | None) -> Artefact:
    return Artefact(component="pip", name=name, version=version, verified="package index", arch=arch)


def test_files_that_all_architectures_take_stand_once() -> None:
    any_wheel, other = wheel("a", "1", None), wheel("b", "1", None)
    found = merged(
        {
            "x86_64": [other, any_wheel, wheel("torch", "2+cpu", "x86_64")],
            "aarch64": [any_wheel, wheel("torch", "2", "aarch64")],
        }
    )

    assert [(one.name, one.version, one.arch) for one in found] == [
        ("a", "1", None),
        ("b", "1", "x86_64"),
        ("torch", "2", "aarch64"),
        ("torch", "2+cpu", "x86_64"),
    ]


def test_a_wheel_that_the_matrix_has_too_gets_its_address_as_well(known: Known) -> None:
    row = next(one for one in known.artefacts.find("torch_npu", "2.9.0", "torch", arch="aarch64") if one.url)
    own = replace(
        wheel("torch", "2.9.0+cpu", "aarch64"), file=row.filename, sha256=row.sha256, urls=("https://a",)
    )
    other = replace(own, sha256="0" * 64)

    found = with_known_addresses([own, other], known.artefacts, "2.9.0")

    assert [one.urls for one in found] == [("https://a", row.url), ("https://a",)]


@pytest.mark.parametrize(
    ("cann", "torch", "arches", "expected"),
    [
        ("8.5.0", "2.9.0", ("x86_64",), ["torch==2.9.0+cpu", "numpy>=1.19.2,<2", "protobuf==3.20.*"]),
        ("8.5.0", "2.9.0", ("aarch64",), ["torch==2.9.0"]),
        (
            "8.5.0",
            "2.9.0",
            BOTH,
            ['torch==2.9.0; platform_machine == "aarch64"', 'torch==2.9.0+cpu; platform_machine == "x86_64"'],
        ),
        ("9.1.0", "2.12.0", BOTH, ["torch==2.12.0+cpu", "torch_npu==2.12.0", "numpy>=1.19.2", "attrs"]),
    ],
)
def test_torch_is_asked_for_as_the_matrix_says(
    cann: str, torch: str, arches: tuple[Arch, ...], expected: list[str], known: Known
) -> None:
    wishes = StackWishes(
        chip="910B3", arch=arches, cann=VersionRange(cann, "vendor"), torch=VersionRange(torch, "pep440")
    )
    stack = best(known.matrix, Target.of(wishes))
    assert stack is not None

    found = requirements_of(known.matrix, stack, wishes)

    assert set(expected) <= set(found)


def test_without_the_op_compiler_only_undeclared_needs_are_added(known: Known) -> None:
    wishes = StackWishes(
        chip="910B3",
        arch=("aarch64",),
        cann=VersionRange("8.5.0", "vendor"),
        torch_npu=VersionRange("2.9.0", "pep440"),
        op_compiler=False,
        pip=("Tqdm >= 4",),
    )
    stack = best(known.matrix, Target.of(wishes))
    assert stack is not None

    assert requirements_of(known.matrix, stack, wishes) == (
        "torch==2.9.0",
        "torch_npu==2.9.0",
        "numpy>=1.19.2,<2",
        "pyyaml",
        "Tqdm>=4",
    )


@pytest.mark.parametrize(
    ("arch", "python", "found"),
    [
        ("aarch64", "3.11", ("a==1", "c")),
        ("x86_64", "3.11", ("a==2", "c")),
        ("x86_64", "3.9.1", ("a==2", "b", "c")),
    ],
)
def test_markers_are_judged_for_the_target(arch: Arch, python: str, found: tuple[str, ...]) -> None:
    requirements = (
        'a==1; platform_machine == "aarch64"',
        'a==2; platform_machine == "x86_64"',
        'b; python_version < "3.10"',
        'c; sys_platform == "linux"',
        'd; sys_platform == "win32"',
    )

    assert for_arch(requirements, arch, python) == found


LINUX = "1.0-cp311-cp311-manylinux_2_{glibc}_{arch}.whl"


@pytest.mark.parametrize(
    ("files", "platform", "taken"),
    [
        (["a-1.0-py3-none-any.whl"], "manylinux_2_28", 0),
        (["a-1.0-py3-none-any.whl", "a-1.0-cp311-cp311-manylinux_2_17_aarch64.whl"], "manylinux_2_28", 1),
        (["a-1.0-cp311-cp311-manylinux_2_34_aarch64.whl"], "manylinux_2_28", None),
        (["a-1.0-cp311-cp311-manylinux_2_34_aarch64.whl"], "manylinux_2_34", 0),
        (
            ["a-1.0-cp311-cp311-manylinux_2_17_aarch64.whl", "a-1.0-cp311-cp311-manylinux_2_28_aarch64.whl"],
            "manylinux_2_28",
            1,
        ),
        (["a-1.0-cp311-cp311-manylinux2014_aarch64.manylinux_2_17_aarch64.whl"], None, 0),
        (["a-1.0-cp39-abi3-manylinux2014_aarch64.whl"], None, 0),
        (["a-1.0-cp312-cp312-manylinux2014_aarch64.whl"], None, None),
        (["a-1.0-cp311-cp311-manylinux2014_x86_64.whl"], None, None),
        (["a-1.0-cp311-cp311-musllinux_1_2_aarch64.whl", "nonsense.whl", "a-1.0.tar.gz"], None, None),
    ],
)
def test_the_wheel_is_the_one_that_pip_would_take(
    files: list[str], platform: str | None, taken: int | None
) -> None:
    found = best_wheel(files, arch="aarch64", python="3.11.9", platform=platform)

    assert found == (None if taken is None else files[taken])


@pytest.mark.parametrize(
    ("environment", "files", "found"),
    [
        ({}, {}, None),
        ({"UV_DEFAULT_INDEX": "https://u", "PIP_INDEX_URL": "https://p"}, {}, "https://u"),
        ({"PIP_INDEX_URL": "https://p"}, {"pip/pip.conf": "[global]\nindex-url = https://f\n"}, "https://p"),
        ({}, {"pip/pip.conf": "[global]\nindex-url = https://f/%20\n"}, "https://f/%20"),
        (
            {},
            {"pip/pip.conf": "[install]\nindex-url=https://i\n[global]\nindex-url=https://f\n"},
            "https://i",
        ),
        ({}, {"pip/pip.conf": "[global]\nextra-index-url = https://e\n"}, None),
        ({}, {"pip/pip.conf": "no section = 1\n"}, None),
        ({}, {"uv/uv.toml": 'index-url = "https://t"\n'}, "https://t"),
        (
            {},
            {"uv/uv.toml": '[[index]]\nurl = "https://e"\n[[index]]\nurl = "https://d"\ndefault = true\n'},
            "https://d",
        ),
        ({}, {"uv/uv.toml": "broken ="}, None),
    ],
)
def test_the_machines_own_index_is_found(
    environment: dict[str, str], files: dict[str, str], found: str | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    home = {
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_CONFIG_DIRS": str(tmp_path),
    }

    assert machine_index({**home, **environment}) == found
