"""A comparison on paper: the text at 80 columns in both languages, and the record against its schema."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import jsonschema
import pytest
from rich.cells import cell_len
from tests.golden_files import assert_golden

from ascendenv.compare.comparison import Comparison, compare
from ascendenv.facts.model import HostFacts, Package, Packages
from ascendenv.language import use_language
from ascendenv.report.comparison_record import comparison_record
from ascendenv.report.comparison_text import print_comparison
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "schemas" / "diff.schema.json").read_text()
)


def box(number: int) -> HostFacts:
    """The one works, the other does not."""
    works = number == 0
    folders = ["/usr/local/Ascend/cann-8.5.0/lib64", "/usr/local/Ascend/driver/lib64/driver", "/opt/lib"]
    if not works:
        folders = [
            "/usr/local/Ascend/driver/lib64/driver",
            "/usr/local/Ascend/ascend-toolkit/8.2.RC1/lib64",
            "/opt/lib",
        ]
    found = {f"package-{one:02}": Package(f"package-{one:02}", f"{number}.{one}") for one in range(20)}
    found["numpy"] = Package("numpy", "1.26.4" if works else "2.0.1")
    environment = {
        "LD_LIBRARY_PATH": ":".join(folders),
        "PATH": "/bin",
        "HOME": "/root",
        "OMP_NUM_THREADS": "8",
    }
    if works:
        environment["HCCL_CONNECT_TIMEOUT"] = "1200"
    return HostFacts(
        driver=vendor("25.2.0"),
        cann=vendor("8.5.0") if works else vendor("8.2.RC1"),
        torch_npu=pep440("2.9.0"),
        chip="Ascend910B3",
        in_container=works,
        kernel="5.10.0-182.0.0.95.oe2203sp3.aarch64" if works else "5.10.0-60.18.0.50.oe2203.aarch64",
        environment=MappingProxyType(environment),
        packages=Packages(MappingProxyType(found), complete=True),
        npu_smi=vendor("25.2.0") if works else HostFacts().npu_smi,
    )


DIFFERENT = compare(box(0), box(1))
SAME = compare(box(0), box(0))


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COLUMNS", "80")
    yield
    use_language("en")


def rendered(found: Comparison, *, verbose: bool = False) -> str:
    stream = io.StringIO()
    print_comparison(found, "works.json", "fails.json", stream, verbose=verbose)
    return stream.getvalue()


@pytest.mark.parametrize("verbose", [False, True], ids=["brief", "verbose"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["different", "same"])
def test_the_text_is_as_recorded(name: str, language: str, verbose: bool) -> None:
    use_language(language)
    text = rendered(DIFFERENT if name == "different" else SAME, verbose=verbose)

    assert max(cell_len(line) for line in text.splitlines()) <= 80
    assert_golden(f"report/comparison.{name}.{'verbose' if verbose else 'brief'}.{language}.txt", text)


@pytest.mark.parametrize("found", [DIFFERENT, SAME], ids=["different", "same"])
def test_the_record_follows_its_schema(found: Comparison) -> None:
    record = comparison_record(found, "works.json", "fails.json")

    jsonschema.validate(json.loads(json.dumps(record)), SCHEMA)


def test_hostile_names_are_text() -> None:
    hostile = HostFacts(environment=MappingProxyType({"ASCEND_X": "\x1b[2J\u202e", "PATH": "/", "HOME": "/"}))

    text = rendered(compare(hostile, HostFacts(environment=MappingProxyType({"PATH": "/", "HOME": "/"}))))

    assert "\x1b" not in text
    assert r"\x1b[2J\u202e" in text


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("/a:/b:/c", "/b:/a:/c", ["A  first here: /a", "B  first here: /b"]),
        ("/a:/b", "/b:/c", ["A  only here: /a", "B  only here: /c"]),
        ("/a:/b:/x", "/b:/a", ["A  only here: /x", "A  first here: /a", "B  first here: /b"]),
        ("/a:/b:/a", "/a:/b", []),
    ],
)
def test_lists_of_folders_show_what_differs(first: str, second: str, lines: list[str]) -> None:
    boxes = [
        HostFacts(environment=MappingProxyType({"LD_LIBRARY_PATH": one, "PATH": "/", "HOME": "/"}))
        for one in (first, second)
    ]

    text = rendered(compare(*boxes))

    assert [line.strip() for line in text.splitlines() if " here: " in line] == lines
