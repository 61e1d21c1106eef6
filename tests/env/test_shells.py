"""Shell forms in real shells: the environment before, after, after twice, after deactivation."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.env.samples import HARD, stack

from ascendenv.env.profile import profile_of
from ascendenv.env.render import render
from ascendenv.env.static import mapping
from ascendenv.matrix.store import shipped_variables

if TYPE_CHECKING:
    from pathlib import Path

PROFILE = profile_of(stack(), shipped_variables(), arch="x86_64", purposes=["training"], overrides=HARD)
STRICT = {"dash": "set -eu\n", "bash": "set -eu -o pipefail\n", "zsh": "set -eu -o pipefail\n", "fish": ""}
PLAIN = {"dash": ["dash"], "bash": ["bash", "--norc"], "zsh": ["zsh", "-f"], "fish": ["fish", "--no-config"]}
OTHER = "/usr/local/Ascend/ascend-toolkit/latest"
BEFORES: dict[str, dict[str, str]] = {
    "bare": {},
    "other CANN": {
        "LD_LIBRARY_PATH": f"/mine one:{OTHER}/lib64:/usr/local/Ascend/driver/lib64:/last",
        "PYTHONPATH": f"{OTHER}/python/site-packages",
        "ASCEND_HOME_PATH": OTHER,
        "TASK_QUEUE_ENABLE": "0",
    },
    "odd": {"SITE_LINES": "a\nb 'c' \"d\" $e", "PYTHONPATH": "/p", "SITE_EMPTY": "", "SITE_GLOB": "* x"},
}
_NOISE = {"_", "SHLVL", "OLDPWD", "PWD"}


def shells(shell: str, before: dict[str, str], folder: Path) -> list[dict[str, str]]:
    """The environments before, after, after twice, and after deactivation."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = folder / "profile"
    script.write_text(render(PROFILE, "fish" if shell == "fish" else "sh"))
    dump = folder / "dump.py"
    dump.write_text("import os, sys; open(sys.argv[1], 'ab').write(repr(dict(os.environ)).encode() + b'\\n')")
    show = f"'{sys.executable}' '{dump}' '{folder / 'seen'}'\n"
    source = f". '{script}'\n"
    text = STRICT[shell] + show + source + show + source + show + "ascendenv_deactivate\n" + show
    start = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8", **before}
    subprocess.run([*PLAIN[shell], "-c", text], env=start, check=True, timeout=60, capture_output=True)
    seen = [eval(line) for line in (folder / "seen").read_text().splitlines()]  # noqa: S307  (our own repr)
    return [{name: value for name, value in one.items() if name not in _NOISE} for one in seen]


@pytest.mark.parametrize("shell", STRICT)
@pytest.mark.parametrize("case", BEFORES)
def test_a_profile_is_put_on_and_taken_off(shell: str, case: str, tmp_path: Path) -> None:
    before, once, twice, off = shells(shell, BEFORES[case], tmp_path)

    assert {name: once.get(name) for name in PROFILE.values} == dict(PROFILE.values)
    for name, own in PROFILE.lists.items():
        assert once[name].split(":")[: len(own)] == list(own)
        assert len(set(once[name].split(":"))) == len(once[name].split(":"))
        assert OTHER not in once[name]
    assert twice == once
    assert off == before


@pytest.mark.parametrize("shell", STRICT)
def test_what_is_not_of_ascend_stays(shell: str, tmp_path: Path) -> None:
    once = shells(shell, BEFORES["other CANN"], tmp_path)[1]

    assert once["LD_LIBRARY_PATH"].split(":")[-2:] == ["/mine one", "/last"]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_is_content(tmp_path: Path) -> None:
    (tmp_path / "profile.sh").write_text(render(PROFILE, "sh"))

    done = subprocess.run(
        ["shellcheck", "-s", "sh", "profile.sh"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert not done.stdout


def test_a_systemd_unit_gets_the_values(tmp_path: Path) -> None:
    """systemd's own reader needs a running systemd; its quoting rules inside double quotes are those of a shell."""
    (tmp_path / "env").write_text(render(PROFILE, "systemd"))

    text = f"set -a; . '{tmp_path / 'env'}'; exec '{sys.executable}' -c 'import os; print(repr(dict(os.environ)))'"
    out = subprocess.run(["dash", "-c", text], env={}, check=True, capture_output=True, text=True).stdout
    seen = eval(out)  # noqa: S307  (our own repr)
    assert {name: seen[name] for name in mapping(PROFILE)} == mapping(PROFILE)


@pytest.mark.parametrize("shell", STRICT)
def test_a_profile_is_evaluated(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "profile").write_text(render(PROFILE, "fish" if shell == "fish" else "sh"))
    text = 'eval "$(cat profile)"\n' if shell != "fish" else "cat profile | source\n"
    show = f"'{sys.executable}' -c 'import os; print(repr(dict(os.environ)))'"

    start = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [*PLAIN[shell], "-c", STRICT[shell] + text + show],
        cwd=tmp_path,
        env=start,
        check=True,
        timeout=60,
        capture_output=True,
        text=True,
    )
    seen = eval(done.stdout)  # noqa: S307  (our own repr)
    assert {name: seen.get(name) for name in PROFILE.values} == dict(PROFILE.values)
