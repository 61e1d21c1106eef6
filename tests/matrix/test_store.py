"""The shipped matrix: cheap to load, questions put to single kinds, and a site's folder on top."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ascendenv.matrix.compile import compile_artefacts, compile_matrix
from ascendenv.matrix.load import MatrixMistakes
from ascendenv.matrix.model import Matrix
from ascendenv.matrix.relations import Given, Level, judge
from ascendenv.matrix.store import SITE, shipped_artefacts, with_site
from ascendenv.resources import data_folder
from ascendenv.versions import pep440, vendor

LOADED = """
import json
import sys
from ascendenv.matrix.store import Matrix
from ascendenv.matrix.relations import Given, judge
from ascendenv.versions import pep440, vendor
with open(sys.argv[1]) as stream:
    matrix = Matrix(json.load(stream))
judge(matrix, Given(cann=vendor("9.0.0"), torch_npu=pep440("2.9.0"), chip="910B"))
print(" ".join(name for name in ("yaml", "pydantic", "requests", "jinja2", "rich", "typer") if name in sys.modules))
"""


def test_judging_imports_neither_yaml_nor_pydantic(matrix: Matrix, tmp_path: Path) -> None:
    compiled = tmp_path / "matrix.json"
    compiled.write_text(json.dumps(matrix.raw))
    done = subprocess.run(
        [sys.executable, "-c", LOADED, compiled], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_the_compiled_form_loads_quickly(matrix: Matrix) -> None:
    text = json.dumps(matrix.raw)
    best = min(_seconds(text) for _ in range(5))
    assert best < 0.05


def _seconds(text: str) -> float:
    start = time.perf_counter()
    found = Matrix(json.loads(text))
    found.find_cann(vendor("9.0.0"))
    found.find_torch_npu(pep440("2.9.0"))
    return time.perf_counter() - start


def test_the_compiled_forms_leave_notes_for_editors_out() -> None:
    for made in (compile_matrix, compile_artefacts):
        data = made(Path(data_folder("matrix")))
        assert b'"notes"' not in data
        assert made(Path(data_folder("matrix"))) == data


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("9.0.0", "9.0.0"),
        ("8.3.rc1", "8.3.RC1"),
        ("8.0.0.beta1", "8.0.0"),
        ("8.0.RC3.20", "8.0.RC3"),
        ("9.1.T6", "9.1.0-beta.3"),
        ("9.1.0b3", "9.1.0-beta.3"),
        ("8.2.RC1.B150", "8.2.RC1"),
        ("7.0.1.1", "7.0.1"),
        ("8.0.RC3.alpha001", None),
        ("8.4.RC1", None),
    ],
)
def test_find_cann(matrix: Matrix, text: str, version: str | None) -> None:
    found = matrix.find_cann(vendor(text))
    assert (str(found.version) if found is not None else None) == version


@pytest.mark.parametrize(
    ("driver", "name"),
    [
        ("25.0.rc1.1", "25.0.RC1"),
        ("25.0.rc1.3", "25.0.RC1"),
        ("25.0.RC1", "25.0.RC1"),
        ("25.0.rc1_sph001", "25.0.RC1"),
        ("24.1.rc2.2", "24.1.RC2"),
        ("24.1.0.1", "24.1.0"),
        ("25.5.0.b061", "25.5.0"),
        ("25.7.rc1.6", "25.7.RC1"),
        ("26.2.0", "26.2.0"),
        ("6.0.rc1.2", "22.0.RC3.2"),
        ("25.4.0", None),
    ],
)
def test_find_hdk(matrix: Matrix, driver: str, name: str | None) -> None:
    found = matrix.find_hdk(vendor(driver))
    assert (found.name if found is not None else None) == name


def test_an_hdk_has_a_firmware_for_each_family(matrix: Matrix) -> None:
    found = matrix.hdk["25.0.RC1"]
    assert str(found.driver) == "25.0.rc1.1"
    assert {family: str(version) for family, version in found.firmware.items()} == {
        "310P": "7.7.0.1.231",
        "910A": "7.7.0.1.231",
        "910B": "7.7.0.1.231",
        "A3": "7.7.0.3.228",
    }
    assert [(str(one.low), str(one.high)) for one in found.ranges] == [
        ("7.0.0", "7.7.99"),
        ("6.4.0", "6.4.99"),
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.9.0", "2.9.0"),
        ("2.9.0.post2+git4c901a4", "2.9.0.post2"),
        ("2.1.0rc1", "2.1.0rc1"),
        ("2.5.1.dev20250218", None),
        ("3.0.0", None),
    ],
)
def test_find_torch_npu(matrix: Matrix, text: str, version: str | None) -> None:
    found = matrix.find_torch_npu(pep440(text))
    assert (str(found.version) if found is not None else None) == version


def test_a_torch_npu_row_holds_what_checks_need(matrix: Matrix) -> None:
    found = matrix.torch_npu["2.9.0.post2"]
    assert (str(found.torch), str(found.product), found.on_index) == ("2.9.0", "26.0.0", True)
    assert found.torch_pin == {"aarch64": "torch==2.9.0", "x86_64": "torch==2.9.0+cpu"}
    assert found.wheels["x86_64"] == ("cp310", "cp311", "cp312", "cp313")
    assert found.lifecycle is not None
    assert [found.lifecycle.state(day) for day in (None, "2026-10-14", "2026-10-15")] == [
        "development",
        "development",
        "maintenance",
    ]
    assert found.sources


@pytest.mark.parametrize(
    ("given", "version"),
    [
        ({"cann": "8.3.RC1"}, "2.8.0"),
        ({"cann": "8.3.RC1", "torch": "2.6.0"}, "2.6.0.post3"),
        ({"cann": "8.2.RC1", "torch": "2.5.1"}, "2.5.1.post1"),
        ({"cann": "9.1.0", "python": "3.9"}, "2.7.1.post8"),
        ({"cann": "8.5.1", "torch": "2.9.0"}, "2.9.0.post9"),
        ({"cann": "8.0.0.beta1", "torch": "2.4.0"}, "2.4.0.post2"),
        ({"torch": "2.9.1"}, "2.9.1"),
        ({"torch": "2.9.0+cpu", "python": "3.13"}, "2.9.0.post9"),
        ({"cann": "9.2.0", "torch": "2.8.0"}, None),
        ({"cann": "8.1.RC1", "torch": "2.9.0"}, None),
        ({"torch": "2.7.1", "python": "3.8"}, None),
    ],
)
def test_torch_npu_for(matrix: Matrix, given: dict[str, str], version: str | None) -> None:
    found = matrix.torch_npu_for(
        torch=pep440(given["torch"]) if "torch" in given else None,
        cann=vendor(given["cann"]) if "cann" in given else None,
        python=pep440(given["python"]) if "python" in given else None,
        arch="aarch64",
    )
    assert (str(found.version) if found is not None else None) == version


@pytest.mark.parametrize(
    ("cann", "family", "product", "name"),
    [
        ("9.1.0", "910B", None, "26.0.RC1"),
        ("9.1.0", "950", "Atlas 350", "25.7.RC1"),
        ("9.1.0", "950", "Atlas 850", "25.6.RC1"),
        ("9.1.0", "950", "Atlas 950 SuperPoD", "25.1.RC1"),
        ("8.5.0", "910B", None, "25.5.1"),
        ("8.5.0", "310P", None, "25.5.0"),
        ("8.3.RC1", "A3", None, "25.3.RC1"),
        ("8.3.RC1.alpha003", "A3", None, "25.3.RC1"),
        ("8.1.RC1", None, None, "25.0.RC1"),
        ("6.3.RC3", "310P", None, None),
        ("1.2.3", "310P", None, None),
    ],
)
def test_recommended_hdk(
    matrix: Matrix, cann: str, family: str | None, product: str | None, name: str | None
) -> None:
    found = matrix.recommended_hdk(vendor(cann), family, product)
    assert (found.name if found is not None else None) == name


@pytest.mark.parametrize(
    ("package", "version", "family", "name"),
    [
        ("toolkit", "9.0.0", None, "Ascend-cann-toolkit_9.0.0_linux-aarch64.run"),
        ("ops", "9.0.0", "950", "Ascend-cann-950-ops_9.0.0_linux-aarch64.run"),
        ("ops", "8.5.0", "A3", "Ascend-cann-A3-ops_8.5.0_linux-aarch64.run"),
        ("ops", "8.5.0.alpha002", "910B", "Ascend-cann-kernels-910b_8.5.0.alpha002_linux-aarch64.run"),
        ("ops", "8.3.RC1", "A3", "Atlas-A3-cann-kernels_8.3.RC1_linux-aarch64.run"),
        ("ops", "8.0.RC2", "910B", "Ascend-cann-kernels-910b_8.0.RC2_linux.run"),
        ("ops", "8.3.RC1", None, "Ascend-cann-kernels-<chip>_8.3.RC1_linux-aarch64.run"),
        ("nnal", "8.0.0", None, "Ascend-cann-nnal_8.0.0_linux-aarch64.run"),
        ("nnal", "7.0.0", None, None),
        ("driver", "26.0.rc1", "950", "Atlas-A5-hdk-npu-driver_26.0.rc1_linux-aarch64.run"),
        ("firmware", "7.8.0.6.201", "910B", "Ascend-hdk-910b-npu-firmware_7.8.0.6.201.run"),
    ],
)
def test_package_names(
    matrix: Matrix, package: str, version: str, family: str | None, name: str | None
) -> None:
    assert matrix.package_name(package, vendor(version), family=family, arch="aarch64") == name


@pytest.mark.parametrize(
    ("cann", "name", "set_env"),
    [
        ("8.3.RC2", "ascend-toolkit", "/usr/local/Ascend/ascend-toolkit/set_env.sh"),
        ("8.5.0.alpha002", "ascend-toolkit", "/usr/local/Ascend/ascend-toolkit/set_env.sh"),
        ("8.5.0", "cann", "/usr/local/Ascend/cann/set_env.sh"),
        ("8.5.9", "cann", "/usr/local/Ascend/cann/set_env.sh"),
        ("10.0.0", "cann", "/usr/local/Ascend/cann/set_env.sh"),
        ("5.1.RC9", "ascend-toolkit", "/usr/local/Ascend/ascend-toolkit/set_env.sh"),
    ],
)
def test_layouts(matrix: Matrix, cann: str, name: str, set_env: str) -> None:
    found = matrix.layout_of(vendor(cann))
    assert found is not None
    assert (found.name, found.set_env) == (name, set_env)


@pytest.mark.parametrize(
    ("torch", "arch", "build"),
    [
        ("2.9.0", "x86_64", "cpu"),
        ("2.12.0", "x86_64", "cpu"),
        ("2.10.0", "aarch64", None),
        ("2.11.0", "aarch64", "cpu"),
        ("2.9.0", None, "cpu"),
    ],
)
def test_where_torch_comes_from(matrix: Matrix, torch: str, arch: str | None, build: str | None) -> None:
    found = matrix.torch_index_for(pep440(torch), arch)
    assert (found.build if found is not None else None) == build


def test_artefacts_are_found_with_their_hash_first() -> None:
    files = shipped_artefacts().find("cann", "8.5.0", "ops", family="910B", arch="aarch64")
    assert [(one.format, one.sha256 is not None) for one in files] == [("zip", True), ("run", False)]
    assert shipped_artefacts().find("cann", "8.5.0", "ops", family="950") == ()
    assert any(
        "9.0.0-950" in tag for one in shipped_artefacts().images_of(vendor("9.0.0")) for tag in one.tags
    )


SITE_CANN = """
version: "9.0.0"
channel: release
layout: cann
chips: ["910B"]
hdk_cells:
  - hdk: "25.0.X"
    level: broken
    source: [our lab]
source: [our lab]
"""
SITE_BREAK = """
- id: our-break
  given: {torch_npu: "2.9.0", cann: "8.5.0"}
  cause: {en: it hangs here, zh: 在这里会卡住}
  source: [our lab]
"""


def test_a_site_folder_stands_on_top(matrix: Matrix, tmp_path: Path) -> None:
    (tmp_path / "cann").mkdir()
    (tmp_path / "cann" / "9.0.0.yaml").write_text(SITE_CANN.lstrip())
    (tmp_path / "breaks.yaml").write_text(SITE_BREAK.lstrip())

    site = with_site(matrix, tmp_path)

    refused = judge(site, Given(cann=vendor("9.0.0"), driver=vendor("25.0.rc1.1"))).of("cann-hdk")[0]
    assert refused.level == Level.BROKEN
    assert refused.sources == (f"{SITE}{tmp_path}", "our lab")
    hangs = judge(site, Given(cann=vendor("8.5.0"), torch_npu=pep440("2.9.0")))
    assert hangs.verdict == Level.BROKEN
    assert hangs.of("known-break")[0].why.text("zh") == "在这里会卡住"
    assert len(site.breaks) == len(matrix.breaks) + 1
    assert len(site.cann) == len(matrix.cann)
    assert judge(matrix, Given(cann=vendor("8.5.0"), torch_npu=pep440("2.9.0"))).verdict == Level.RECOMMENDED


def test_a_broken_site_folder_is_refused(matrix: Matrix, tmp_path: Path) -> None:
    (tmp_path / "breaks.yaml").write_text("- id: x\n")
    with pytest.raises(MatrixMistakes):
        with_site(matrix, tmp_path)
