"""Which package may import which (the table in CONTRIBUTING.md), and what the deciders must never touch."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "ascendenv"

BASE = {"errors", "language", "files", "resources", "compiled", "records", "versions", "locale", "__init__"}
ALLOWED = {
    "matrix": BASE | {"matrix"},
    "signals": BASE | {"signals", "facts"},
    "collect": BASE | {"collect"},
    "facts": BASE | {"facts", "signals", "matrix", "collect"},
    "doctor": BASE | {"doctor", "facts", "signals", "matrix"},
    "compare": BASE | {"compare", "facts", "signals"},
    "report": BASE | {"report", "doctor", "facts", "compare"},
    "live": BASE | {"live", "facts", "signals", "collect"},
    "lock": BASE | {"lock", "facts", "matrix", "collect"},
    "env": BASE | {"env", "lock", "facts", "matrix"},
    "fetch": BASE | {"fetch", "lock", "matrix"},
    "sources": BASE | {"sources", "fetch", "matrix"},
    "site": BASE | {"site", "matrix"},
    "cli": BASE
    | {
        "cli",
        "env",
        "site",
        "compare",
        "live",
        "fetch",
        "sources",
        "lock",
        "report",
        "doctor",
        "facts",
        "signals",
        "matrix",
        "collect",
    },
}
PURE = ("doctor", "compare", "matrix/relations", "matrix/pick", "matrix/names", "matrix/model")
IMPURE_MODULES = {"subprocess", "requests", "jinja2", "ansible", "pydantic", "yaml", "socket", "shutil"}
IMPURE_NAMES = {"environ", "getenv", "system", "popen"}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module}
    return found


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").as_posix()


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_packages_import_only_what_the_module_map_allows(path: Path) -> None:
    package = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    own = {name.split(".")[1] for name in imports(path) if name.startswith("ascendenv.")}

    if package in ALLOWED:
        assert own <= ALLOWED[package]
    elif package != "__main__":
        assert package in BASE
        assert own <= BASE | {"matrix", "signals"}


TRAVELLERS = (*sorted((SOURCE / "collect" / "probes").glob("*.py")), SOURCE / "live" / "child.py")


@pytest.mark.parametrize("path", TRAVELLERS, ids=name_of)
def test_the_collector_stands_alone(path: Path) -> None:
    """The probes travel to machines that have no ascendenv: each imports the standard library and its neighbours."""
    absolute = {
        node.module.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
    } | {
        alias.name.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import)
        for alias in node.names
    }

    assert absolute <= sys.stdlib_module_names


@pytest.mark.parametrize("path", [p for p in modules() if name_of(p).startswith(PURE)], ids=name_of)
def test_deciders_touch_nothing(path: Path) -> None:
    tree = ast.parse(path.read_text())
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }

    assert not {name.split(".")[0] for name in imports(path)} & IMPURE_MODULES
    assert not attributes & IMPURE_NAMES
    assert "open" not in calls


def test_no_module_builds_shell_lines() -> None:
    offenders = [
        name_of(path)
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.keyword) and node.arg == "shell"
    ]

    assert not offenders
