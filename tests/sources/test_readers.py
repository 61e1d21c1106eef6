"""What each reader takes from the forms that upstream publishes."""

from __future__ import annotations

import json
from typing import Any
from zipfile import ZipFile

import pytest
from tests.sources.conftest import SAMPLES, document, reading

from ascendenv.matrix.store import shipped_matrix
from ascendenv.sources.deployer import is_wanted
from ascendenv.sources.material import Document, Material, read_material
from ascendenv.sources.statement import Part, Subject

MATRIX = shipped_matrix()


def said(
    kind: str, text: str | bytes, name: str = "upstream.md", **options: Any
) -> dict[str, dict[str, object]]:
    found = reading(kind, document(text, name), matrix=MATRIX, **options)
    return {str(one.subject): dict(one.values) for one in found.statements}


@pytest.mark.parametrize(
    ("row", "subject", "values"),
    [
        (
            "| 2.15.0 | v2.15.0-26.3.0 | 2.15.0 | CANN 9.3.0 |",
            "torch_npu 2.15.0",
            {"torch": "2.15.0", "product": "26.3.0", "basis": "official", "cann": ["9.3.0"]},
        ),
        (
            "| 1.11.0.rc2（beta） | v1.11.0-3.0.0 | 1.11.0 | CANN 6.0.1 |",
            "torch_npu 1.11.0rc2",
            {"torch": "1.11.0", "product": "3.0.0", "basis": "official", "cann": ["6.0.1"]},
        ),
        (
            "| 1.5.0.post4 | 2.0.4.tr5 | 1.5.0 | CANN 5.0.4 |",
            "torch_npu 1.5.0.post4",
            {"torch": "1.5.0", "product": "2.0.4.tr5", "basis": "official", "cann": ["5.0.4"]},
        ),
        (
            "| `2.9.0.post2` | master | **2.9.0** | 9.0.0<br>|",
            "torch_npu 2.9.0.post2",
            {"torch": "2.9.0", "basis": "official", "cann": ["9.0.0"]},
        ),
    ],
)
def test_compatibility(row: str, subject: str, values: dict[str, object]) -> None:
    head = "| TorchNPU安装包版本 | GitCode分支 | PyTorch版本 | CANN版本 |\n|:--:|:--:|:--:|:--:|\n"
    assert said("compatibility", head + row)[subject] == values


def test_columns_may_stand_in_any_order_and_language() -> None:
    text = """
| CANN version | pytorch VERSION |  GitCode  Branch | TorchNPU installation package version | Remarks |
|---|---|---|---|---|
| CANN 8.5.0 | 2.9.0 | v2.9.0-7.3.0 | 2.9.0 | - |

| PyTorch Version | Python version |
|---|---|
| PyTorch 2.9.0 | Python3.10, Python 3.11 |
| PyTorch 1.11.0 | Python3.7(>=3.7.5), Python3.8 |
"""
    found = said("compatibility", text)
    assert found["torch_npu 2.9.0"]["cann"] == ["8.5.0"]
    assert found["torch_npu 2.9.0"]["pythons_documented"] == ["3.10", "3.11"]
    assert found["torch 1.11.0"] == {"pythons_documented": ["3.7", "3.8"]}


def test_tables_in_code_are_no_tables() -> None:
    row = "| TorchNPU安装包版本 | GitCode分支 | PyTorch版本 | CANN版本 |\n|--|--|--|--|\n| {0} | v2.9.0-1.0 | 2.9.0 | 9.0.0 |\n"
    text = "```\n" + row.format("1.0.0") + "```\n\n" + row.format("2.9.0")
    assert [name for name in said("compatibility", text) if "torch_npu" in name] == ["torch_npu 2.9.0"]


@pytest.mark.parametrize(
    ("cells", "life"),
    [
        (
            "2.12.0 | 开发 | 2026/07/26 | 预计2027/01/26起进入维护状态 | -",
            {
                "status": "development",
                "first_release": "2026-07-26",
                "next_status": "maintenance",
                "next_from": "2027-01-26",
            },
        ),
        (
            "2.6.0 | Maintenance | 2025 / 7 / 5 | Expected to enter EOL status from 2027/01/25 | -",
            {
                "status": "maintenance",
                "first_release": "2025-07-05",
                "next_status": "eol",
                "next_from": "2027-01-25",
            },
        ),
        (
            "2.5.1 | EOL | 2024/11/08 | - | 2026/08/08",
            {"status": "eol", "first_release": "2024-11-08", "eol": "2026-08-08"},
        ),
        (
            "2.14.0 | 计划 | 未发布 | 预计2026/10发布 | -",
            {"status": "planned", "next_status": "development", "next_from": "2026-10"},
        ),
        ("2.15.0 | Planned | Unpublished | nobody knows | -", {"status": "planned"}),
    ],
)
def test_support(cells: str, life: dict[str, str]) -> None:
    head = "TorchNPU软件包版本 | 当前状态 | 发布时间 | 后续状态 | EOL日期\n:--|:--|:--|:--|--:\n"
    (values,) = said("support", head + cells).values()
    assert values == {"lifecycle": {**life, "as_of": "2026-11-29"}}


@pytest.mark.parametrize("head", ["MindIE Turbo", "Triton Ascend"])
def test_vllm_ascend(head: str) -> None:
    text = f"""
| vLLM Ascend | vLLM | Python | Stable CANN | PyTorch/torch_npu | {head} |
|---|---|---|---|---|---|
| v0.18.0 | v0.18.0 | >= 3.10, < 3.12 | 8.5.1 | 2.9.0 / 2.9.0.post1+git4c901a4 | 3.2.0.dev20260322 |
| v0.7.3 | v0.7.3 | >= 3.9, < 3.12 | 8.1.RC1 | 2.5.1 / 2.5.1 | N/A |
| main | {{{{commit}}}}, v0.19 | {{{{python}}}} | {{{{cann}}}} | {{{{pair}}}} | {{{{triton}}}} |

| Date | Event |
|---|---|
| 2025.05.08 | v0.7.3 Final release, v0.7.3 |
"""
    found = said("vllm", text)
    assert list(found) == ["downstream vllm-ascend v0.18.0", "downstream vllm-ascend v0.7.3"]
    triton = {"triton_ascend": "3.2.0.dev20260322"} if head == "Triton Ascend" else {}
    assert found["downstream vllm-ascend v0.18.0"] == {
        "cann": "8.5.1",
        "torch": "2.9.0",
        "torch_npu": "2.9.0.post1+git4c901a4",
        **triton,
        "python": ">=3.10,<3.12",
        "vllm": "v0.18.0",
    }
    assert found["downstream vllm-ascend v0.7.3"]["released"] == "2025-05-08"


TAGS = ["9.2.0-910b-ubuntu22.04-py3.12", "9.2.0-A3-openeuler24.03-py3.11-devel", "latest", "9.2.0"]
FOUND = sorted(TAGS[:2])


@pytest.mark.parametrize(
    ("text", "name", "repository", "is_whole"),
    [
        (json.dumps({"name": "ascend/cann", "tags": TAGS}), "tags.json", "quay.io/ascend/cann", True),
        (
            json.dumps({"name": "mirror/cann", "tags": TAGS}),
            "https://registry.example/v2/mirror/cann/tags/list",
            "registry.example/mirror/cann",
            True,
        ),
        (
            json.dumps(
                {
                    "tags": [{"name": one, "last_modified": "x"} for one in TAGS],
                    "page": 1,
                    "has_additional": True,
                }
            ),
            "https://user:word@quay.io/api/v1/repository/ascend/cann/tag/?page=1",
            "quay.io/ascend/cann",
            False,
        ),
        (
            json.dumps({"Repository": "site.example/cann", "Tags": TAGS}),
            "skopeo.json",
            "site.example/cann",
            True,
        ),
        (json.dumps(TAGS), "tags.json", "quay.io/ascend/cann", False),
        ("\n".join(TAGS), "tags.txt", "quay.io/ascend/cann", False),
        (
            "# seen\n" + "\n".join(f"quay.io/ascend/cann:{one}  2 GB" for one in TAGS),
            "x",
            "quay.io/ascend/cann",
            False,
        ),
        (
            "See `9.0.0` and " + ", ".join(f"`{one}`" for one in TAGS[:2]),
            "OVERVIEW.md",
            "quay.io/ascend/cann",
            False,
        ),
    ],
)
def test_image_tags(text: str, name: str, repository: str, is_whole: bool) -> None:
    found = reading("images", document(text, name), matrix=MATRIX)
    (one,) = found.statements
    assert one.subject == Subject("images", (repository, "9.2.0", ""))
    assert one.values == {"tags": FOUND}
    assert (one.subject in found.whole) is is_whole


def test_tags_with_torch_npu_and_aliases_of_cann() -> None:
    tags = "2.12.0-cann9.1.0-950-ubuntu22.04-py3.12\n8.1.rc1-910b-ubuntu22.04-py3.10\n8.0.rc3.beta1-910b-ubuntu22.04-py3.10\n"
    assert list(said("images", tags)) == [
        "images quay.io/ascend/torch-npu 9.1.0 2.12.0",
        "images quay.io/ascend/cann 8.1.RC1",
        "images quay.io/ascend/cann 8.0.RC3",
    ]
    mirrored = said("images", tags, repository="site.example/ascend")
    assert all("site.example/ascend" in name for name in mirrored)


def simple(*files: tuple[str, dict[str, object]]) -> str:
    return json.dumps({"name": "torch-npu", "files": [{"filename": name, **more} for name, more in files]})


def test_index() -> None:
    text = simple(
        ("torch_npu-2.15.0-cp311-cp311-manylinux_2_28_aarch64.whl", {"upload-time": "2027-02-03T01:02:03Z"}),
        ("torch_npu-2.15.0-cp39-cp39-manylinux_2_28_aarch64.whl", {"upload-time": "2027-01-31T01:02:03Z"}),
        ("torch_npu-2.15.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", {"yanked": False}),
        ("torch_npu-2.15.0-cp312-cp312-manylinux_2_28_x86_64.whl", {"yanked": "broken"}),
        ("torch_npu-2.15.0.tar.gz", {}),
        ("torch_npu-2.15.0-cp311-cp311-win_amd64.whl", {}),
    )
    found = reading("index", document(text), matrix=MATRIX)
    (one,) = found.statements
    assert one.values == {
        "on_index": True,
        "wheels": {"aarch64": ["cp39", "cp311"], "x86_64": ["cp311"]},
        "platforms": {
            "aarch64": "manylinux_2_28_aarch64",
            "x86_64": "manylinux_2_17_x86_64.manylinux2014_x86_64",
        },
    }
    assert one.assumed == {"torch": "2.15.0", "basis": "unknown", "released": "2027-01"}
    assert one.source == "package-index: torch-npu 2.15.0, read 2026-11-29"
    assert [one.text for one in found.skipped] == [
        "torch_npu-2.15.0-cp312-cp312-manylinux_2_28_x86_64.whl",
        "torch_npu-2.15.0.tar.gz",
        "torch_npu-2.15.0-cp311-cp311-win_amd64.whl",
    ]


def test_links_of_a_simple_page() -> None:
    name = "torch_npu-2.15.0%2Bgit1-cp311-cp311-manylinux_2_28_aarch64.whl"
    page = f"""<!DOCTYPE html><html><body>
<a href="../../files/{name}#sha256={"a" * 64}" data-requires-python="&gt;=3.9">x</a>
<a href="../../files/torch_npu-2.14.9-cp311-cp311-manylinux_2_28_aarch64.whl" data-yanked="">y</a>
<a>no address</a> <a href="/">up</a></body></html>"""
    found = reading("index", document(page), matrix=MATRIX)
    assert [str(one.subject) for one in found.statements][:1] == ["torch_npu 2.15.0+git1"]
    assert found.statements[0].place == "upstream.md:2"
    assert found.statements[1].values == {"sha256": "a" * 64}


def test_deployer_wheel_names_its_version_and_files(tmp_path: Any) -> None:
    path = tmp_path / "ascend_deployer-27.0.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        for one in sorted((SAMPLES / "deployer").rglob("*.json")):
            archive.write(one, f"ascend_deployer/downloader/{one.relative_to(SAMPLES / 'deployer')}")
        archive.writestr("ascend_deployer/downloader/obs_resources.json", "{not json")
        archive.writestr("ascend_deployer/downloader/config/Ubuntu_x/pkg_info.json", "[]")
    kind = reading("deployer", read_material(str(path), is_wanted), matrix=MATRIX)
    sources = {one.source for one in kind.statements}
    assert (
        "package-index: ascend-deployer 27.0.0 ascend_deployer/downloader/version_match.json, read 2026-11-29"
        in sources
    )
    assert len(kind.statements) == 70


def test_deployer_files_by_their_names() -> None:
    files = [
        "Ascend-cann-A3-ops_9.9.0_linux-aarch64.zip",
        "Ascend-cann-toolkit_9.9.0_linux-x86_64.zip",
        "Something-new_9.9.0.zip",
    ]
    text = json.dumps(
        {
            "name": "CANN",
            "version": "9.9.0",
            "required_soft": [{"name": "NPU", "version": "27.0.RC1"}],
            "other": [
                {"filename": one, "url": f"https://store.example/CANN%209.9.0/{one}", "sha256": "0" * 64}
                for one in files
            ],
        }
    )
    found = reading("deployer", document(text, "CANN_9.9.0.json"), matrix=MATRIX)
    rows = {str(one.subject.part): one.row() for one in found.statements}
    assert {key: rows[files[0]][key] for key in ("package", "version", "family", "arch", "format")} == {
        "package": "ops",
        "version": "9.9.0",
        "family": "A3",
        "arch": "aarch64",
        "format": "zip",
    }
    assert rows[files[1]]["package"] == "toolkit"
    assert "family" not in rows[files[2]]
    cell = found.statements[-1]
    assert cell.subject == Subject("cann", ("9.9.0",), Part("hdk_cells", (("hdk", "27.0.RC1"),)))
    assert cell.values == {"level": "recommended"}


def installed(**files: str) -> Material:
    named = tuple(Document(name.replace("__", "/"), text.encode()) for name, text in files.items())
    return Material("/opt/Ascend", named, is_tree=True)


@pytest.mark.parametrize(
    ("path", "text", "values"),
    [
        (
            "cann-9.9.0/aarch64-linux/ascend_toolkit_install.info",
            "package_name=Ascend-cann-toolkit\nversion=9.9.0\narch=aarch64\npath=/home/x/cann-9.9.0/aarch64-linux\n",
            {"layout": "cann", "arch": ["aarch64"]},
        ),
        (
            "cann-9.9.0/share/info/runtime/version.info",
            "Version=9.9.0\nversion_dir=cann-9.9.0\n",
            {"layout": "cann"},
        ),
        (
            "ascend-toolkit/latest/version.cfg",
            "# version: 1.0\nruntime_running_version=[9.9.0.1.2:9.9.0]\n",
            {"layout": "ascend-toolkit"},
        ),
    ],
)
def test_installed_cann(path: str, text: str, values: dict[str, object]) -> None:
    found = reading("version-info", installed(**{path: text}), matrix=MATRIX)
    (one,) = found.statements
    assert (str(one.subject), one.values) == ("cann 9.9.0", values)
    assert one.source == "version.info of an installed CANN 9.9.0, read 2026-11-29"


def test_driver_and_firmware_of_a_release_nobody_knows() -> None:
    found = reading(
        "version-info",
        installed(
            driver__version="",
            **{
                "driver/version.info": "Version=27.0.rc1\nascendhal_version=7.35.23\nInnerversion=V100R001C30SPC001B1\n"
                "compatible_version_fw=[9.0.0,9.9.9]\n",
                "firmware/version.info": "Version=9.1.0.0.1\nfirmware_version=1.0\npackage_version=27.0.rc1\n"
                "compatible_version_drv=[25.0,25.0.],[26.0.rc1,26.0.rc1.]\n",
            },
        ),
        matrix=MATRIX,
    )
    rows = {str(one.subject): one.values for one in found.statements}
    assert rows["hdk 27.0.RC1"] == {"inner_version": "C30"}
    firmware = found.statements[-1]
    assert firmware.values == {"firmware": "9.1.0.0.1", "accepts_driver": ["25.0.X", "26.0.rc1"]}


def test_a_build_of_which_nobody_knows_the_chips_is_left_out() -> None:
    text = "Version=25.5.0.b001\nascendhal_version=7.35.23\ncompatible_version_fw=[7.0.0,8.9.9]\n"
    found = reading("version-info", installed(**{"driver/version.info": text}), matrix=MATRIX)
    assert [str(one.subject) for one in found.statements] == ["hdk 25.5.0"]
    assert [one.text for one in found.skipped] == ["25.5.0.b001"]
