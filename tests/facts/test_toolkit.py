from __future__ import annotations

import pytest

from ascendenv.facts.model import CannInstall
from ascendenv.facts.text import facts_of
from ascendenv.facts.toolkit import Tree, tree_of
from ascendenv.facts.unknown import Unknown
from ascendenv.versions import vendor


def record(version: str, path: str) -> str:
    return f"package_name=Ascend-cann-toolkit\nversion={version}\narch=aarch64\npath={path}\n"


OLD = record("8.1.RC1", "/usr/local/Ascend/ascend-toolkit/8.1.RC1/aarch64-linux")
NEW = record("8.5.0", "/usr/local/Ascend/cann-8.5.0/aarch64-linux")


@pytest.mark.parametrize(
    ("report", "cann", "in_use"),
    [
        pytest.param(OLD, "8.1.RC1", [None], id="one record, nothing else"),
        pytest.param(
            f"{OLD}\nASCEND_HOME_PATH=/usr/local/Ascend/ascend-toolkit/latest\n",
            "8.1.RC1",
            [True],
            id="the one in use",
        ),
        pytest.param(
            f"{NEW}\nASCEND_HOME_PATH=/usr/local/Ascend/cann-8.5.0\n",
            "8.5.0",
            [True],
            id="new layout, by version",
        ),
        pytest.param(
            f"{NEW}\nASCEND_TOOLKIT_HOME=/usr/local/Ascend/ascend-toolkit/latest\n",
            "8.5.0",
            [True],
            id="new layout, by the old link",
        ),
        pytest.param(
            f"{OLD}\nASCEND_TOOLKIT_HOME=/home/me/cann8.3.rc2/ascend-toolkit/latest\n",
            "8.3.rc2",
            [False, True],
            id="another one, whose folder names its version",
        ),
        pytest.param(
            f"{OLD}\nASCEND_HOME_PATH=/home/me/Ascend/cann-8.5.0\n",
            "8.5.0",
            [False, True],
            id="another layout",
        ),
        pytest.param(
            f"{NEW}\nASCEND_HOME_PATH=/usr/local/Ascend/cann-9.0.0\n",
            "9.0.0",
            [False, True],
            id="a sister version",
        ),
        pytest.param(
            f"{OLD}\nLD_LIBRARY_PATH=/home/me/Ascend/cann-8.5.0/lib64:/usr/local/Ascend/ascend-toolkit/latest/lib64\n",
            "8.5.0",
            [False, True],
            id="the first on the library path",
        ),
        pytest.param(
            f"{OLD}\n{NEW}\nCANN: 8.5.0\n", "8.5.0", [None, None], id="two, and a person says which"
        ),
        pytest.param(
            f"{OLD}\nASCEND_HOME_PATH=/opt/x\nCANN: 8.2.RC1\n",
            "8.2.RC1",
            [False],
            id="unknown folder, but stated",
        ),
        pytest.param(
            "ASCEND_HOME_PATH=/usr/local/Ascend/cann-8.5.0\n", "8.5.0", [True], id="only the variable"
        ),
    ],
)
def test_the_toolkit_in_use_is_found(report: str, cann: str, in_use: list[bool | None]) -> None:
    facts = facts_of(report=report)

    assert facts.cann == vendor(cann)
    assert isinstance(facts.cann_installs, tuple)
    assert [install.in_use for install in facts.cann_installs] == in_use


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (f"{OLD}\n{NEW}", "several toolkits were seen (8.1.RC1, 8.5.0), and nothing tells which is in use"),
        (
            f"{OLD}\nASCEND_HOME_PATH=/home/me/Ascend/ascend-toolkit/latest\n",
            "the toolkit in use is /home/me/Ascend/ascend-toolkit/latest, and its version was not seen",
        ),
    ],
)
def test_where_nothing_decides_the_version_is_unknown_and_says_why(report: str, reason: str) -> None:
    cann = facts_of(report=report).cann

    assert isinstance(cann, Unknown)
    assert cann.reason.text() == reason


def test_the_log_may_tell_which_toolkit_of_the_report_is_in_use() -> None:
    facts = facts_of(report=f"{OLD}\n{NEW}", log="export ASCEND_HOME_PATH=/usr/local/Ascend/cann-8.5.0\n")

    assert facts.cann == vendor("8.5.0")
    assert isinstance(facts.cann_installs, tuple)
    assert [one.in_use for one in facts.cann_installs] == [False, True]


@pytest.mark.parametrize(
    ("path", "tree"),
    [
        ("/usr/local/Ascend/ascend-toolkit/latest/lib64", Tree("/usr/local/Ascend/ascend-toolkit", None)),
        (
            "/usr/local/Ascend/ascend-toolkit/8.0.RC3",
            Tree("/usr/local/Ascend/ascend-toolkit", vendor("8.0.RC3")),
        ),
        ("/usr/local/Ascend/cann-9.0.0-beta.1/x", Tree("/usr/local/Ascend/cann", vendor("9.0.0-beta.1"))),
        ("/usr/local/Ascend/cann", Tree("/usr/local/Ascend/cann", None)),
        ("/usr/local/Ascend/nnae/latest", Tree("/usr/local/Ascend/nnae", None)),
        ("/usr/local/lib", None),
        ("", None),
    ],
)
def test_the_tree_of_a_path(path: str, tree: Tree | None) -> None:
    assert tree_of(path) == tree


def test_a_toolkit_without_path_is_an_install() -> None:
    facts = facts_of(report="runtime_running_version=[7.7.0.1.238:8.1.RC1]\n")

    assert facts.cann_installs == (CannInstall(vendor("8.1.RC1")),)
