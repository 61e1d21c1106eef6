"""One resolution against the package index that this machine is set up for, and pip's own word on the result."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ascendenv.errors import HostFailed
from ascendenv.lock.locking import Locking, made
from ascendenv.lock.pip_files import folder_of
from ascendenv.lock.spec import Spec, StackWishes
from ascendenv.lock.writing import write_all
from ascendenv.versions import VersionRange

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.lock.compose import Known
    from ascendenv.lock.model import Lock

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lock(known: Known) -> Lock:
    """aarch64 with torch 2.9.0, whose build on the default index is one for the CPU."""
    wishes = StackWishes(
        chip="910B3",
        arch=("aarch64",),
        cann=VersionRange("8.5.0", "vendor"),
        torch_npu=VersionRange("2.9.0", "pep440"),
        python=VersionRange("3.11", "pep440"),
        pip=("tqdm",),
    )
    try:
        return made(Locking(spec=Spec(stacks={"prod": wishes}), known=known, today="2026-11-29"))
    except HostFailed as error:
        pytest.skip(f"the index of this machine does not answer: {error}")


def test_the_whole_set_has_wheels_for_the_target_with_hash_and_size(lock: Lock) -> None:
    wheels = {one.name: one for one in lock.stacks[0].artefacts() if one.component == "pip"}

    assert len(wheels) > 20
    assert wheels["torch"].version == "2.9.0"
    assert wheels["torch-npu"].file == "torch_npu-2.9.0-cp311-cp311-manylinux_2_28_aarch64.whl"
    assert all(one.sha256 is not None for one in wheels.values())
    assert not [name for name in wheels if name.startswith(("nvidia", "cuda"))]
    assert {one.file.rpartition("_")[2] for one in wheels.values() if one.file is not None and one.arch} == {
        "aarch64.whl"
    }


def test_the_hash_of_torch_npu_is_the_one_that_the_matrix_has(lock: Lock, known: Known) -> None:
    (own,) = (one for one in lock.stacks[0].artefacts() if one.name == "torch-npu")

    published = known.artefacts.find("torch_npu", "2.9.0", "torch_npu", arch="aarch64", python="cp311")
    assert own.sha256 in {one.sha256 for one in published}


def test_pip_takes_a_wheel_of_the_set_by_its_hash(lock: Lock, tmp_path: Path) -> None:
    """Only the small ones: the rest differs in nothing but size."""
    write_all(tmp_path / "ascendenv.lock", lock)
    text = (folder_of(tmp_path / "ascendenv.lock") / "prod-aarch64.requirements.txt").read_text()
    blocks = [
        f"{block}\n"
        for block in text.replace(" \\\n", " ").splitlines()
        if block.startswith(("tqdm", "attrs"))
    ]
    (tmp_path / "small.txt").write_text("".join(blocks))
    target = ["--platform", "manylinux_2_28_aarch64", "--python-version", "3.11", "--only-binary", ":all:"]

    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", *target),
            *("-d", str(tmp_path / "out"), "-r", str(tmp_path / "small.txt")),
        ],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert {one.name.partition("-")[0] for one in (tmp_path / "out").iterdir()} == {"tqdm", "attrs"}
