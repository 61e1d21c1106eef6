"""What a Python tells of itself: packages by their metadata, in the order in which they would be imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import interpreter

if TYPE_CHECKING:
    from pathlib import Path


def installed(folder: Path, name: str, files: dict[str, str] | None = None) -> None:
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    for file, text in (files or {}).items():
        (place / file).write_text(text)


def test_distributions_come_in_the_order_of_the_path(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    installed(first, "torch_npu-2.6.0.dist-info")
    installed(second, "torch_npu-2.7.1.dist-info")
    installed(second, "PyYAML-6.0.2-py3.10.egg-info")

    found, _ = interpreter.scan([str(first), str(second), "/absent"])

    assert [(name, version) for name, version, _ in found] == [
        ("torch-npu", "2.6.0"),
        ("pyyaml", "6.0.2"),
        ("torch-npu", "2.7.1"),
    ]


def test_what_an_interrupted_pip_left_is_named(tmp_path: Path) -> None:
    installed(tmp_path, "~orch_npu-2.6.0.dist-info")
    installed(tmp_path, "~orch_npu")

    _, leftovers = interpreter.scan([str(tmp_path)])

    assert leftovers == [str(tmp_path / "~orch_npu"), str(tmp_path / "~orch_npu-2.6.0.dist-info")]


def test_requirements_origin_and_build_are_read(tmp_path: Path) -> None:
    metadata = "Name: torch_npu\nRequires-Dist: torch ==2.6.0\nRequires-Dist: pytest ; extra == 'test'\n\nlong text\n"
    installed(
        tmp_path,
        "torch_npu-2.6.0.dist-info",
        {"METADATA": metadata, "direct_url.json": '{"url": "file:///w"}'},
    )
    installed(tmp_path, "torch", {"version.py": "__version__ = '2.6.0+cpu'\ncuda = None\n"})

    record = interpreter.describe_path([str(tmp_path)])

    assert record["metadata_requires"] == {"torch-npu": ["torch ==2.6.0"]}
    assert record["origins"] == {"torch-npu": '{"url": "file:///w"}'}
    assert "cuda = None" in record["version_files"]["torch/version.py"]


def test_backends_that_torch_loads_by_itself(tmp_path: Path) -> None:
    installed(
        tmp_path,
        "torch_npu-2.6.0.dist-info",
        {"entry_points.txt": "[torch.backends]\ntorch_npu = torch_npu:_autoload\n"},
    )
    installed(tmp_path, "torchvision-0.21.0.dist-info", {"entry_points.txt": "[console_scripts]\n"})

    assert interpreter.describe_path([str(tmp_path)])["autoload"] == ["torch-npu"]


@pytest.mark.parametrize(
    ("names", "hidden"),
    [(("torch_npu", "data"), ["torch_npu"]), (("acl.py",), ["acl"]), (("readme.md",), [])],
)
def test_folders_that_hide_a_package(tmp_path: Path, names: tuple[str, ...], hidden: list[str]) -> None:
    for name in names:
        (tmp_path / name).mkdir()

    assert interpreter.shadows(str(tmp_path)) == hidden


def test_a_path_that_cannot_be_read_is_empty() -> None:
    assert interpreter.describe_path(["/absent", ""])["distributions"] == interpreter.scan([""])[0]
    assert interpreter.shadows("/absent") == []


def test_files_alone_tell_version_and_packages(tmp_path: Path) -> None:
    installed(tmp_path / "lib/python3.11/site-packages", "torch-2.9.0+cpu.dist-info")

    record = interpreter.describe_files(str(tmp_path / "bin/python"))

    assert (record["version"], record["from_files"]) == ("3.11", True)
    assert [row[:2] for row in record["distributions"]] == [["torch", "2.9.0+cpu"]]
