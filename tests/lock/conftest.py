"""What the tests of locks share: the shipped matrix, and an index on loopback with everything that a stack needs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.lock.index import Index, Wheel, index_in, serving

from ascendenv.lock.compose import Known
from ascendenv.lock.matrix_digest import matrix_digest
from ascendenv.matrix.store import shipped_artefacts, shipped_matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.matrix.model import Matrix

ARCHES = ("aarch64", "x86_64")
OP_COMPILER = (
    "absl-py",
    "attrs",
    "cffi",
    "cython",
    "decorator",
    "pathlib2",
    "psutil",
    "pyyaml",
    "requests",
    "scipy",
    "sympy",
)
NVIDIA = 'nvidia-cublas-cu12==12.8; platform_machine == "x86_64"'
WHEELS = (
    *(Wheel(name, version) for name in OP_COMPILER for version in ("1.0", "1.1")),
    *(Wheel("numpy", version) for version in ("1.26.3", "1.26.4", "2.3.0")),
    *(Wheel("protobuf", version) for version in ("3.20.3", "6.33.0")),
    Wheel("tqdm", "4.67.1"),
    Wheel("nvidia-cublas-cu12", "12.8"),
    Wheel("cuda-toolkit", "13.0"),
    Wheel("accelerate", "1.12.0", requires=("torch>=2", "numpy<3", "tqdm; platform_machine == 'x86_64'")),
    Wheel("timm", "1.0", requires=("torchvision",)),
    Wheel("greedy", "1.0", requires=("cuda-toolkit",)),
    Wheel("torchvision", "0.24.0", requires=("torch==2.9.0", "numpy")),
    Wheel("torchvision", "0.24.0+cpu", requires=("torch==2.9.0", "numpy"), index="cpu"),
    *(
        Wheel("torch", f"{version}", f"cp311-cp311-manylinux_2_28_{arch}", ("sympy", NVIDIA))
        for version in ("2.8.0", "2.9.0")
        for arch in ARCHES
    ),
    *(
        Wheel("torch", f"{version}+cpu", f"cp311-cp311-manylinux_2_28_{arch}", ("sympy",), index="cpu")
        for version in ("2.8.0", "2.9.0")
        for arch in ARCHES
    ),
    *(
        Wheel("torch_npu", version, f"cp311-cp311-manylinux_2_28_{arch}", (f"torch=={base}{local}",))
        for version, base in (("2.8.0.post2", "2.8.0"), ("2.9.0", "2.9.0"), ("2.9.0.post2", "2.9.0"))
        for arch, local in (("aarch64", ""), ("x86_64", "+cpu"))
    ),
)


@pytest.fixture(scope="session")
def matrix() -> Matrix:
    return shipped_matrix()


@pytest.fixture(scope="session")
def known(matrix: Matrix) -> Known:
    artefacts = shipped_artefacts()
    return Known(matrix, artefacts, matrix_digest(matrix, artefacts))


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    index_in(folder, WHEELS)
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a machine without any setting for indexes, and with a cache of its own."""
    home = tmp_path_factory.mktemp("home")
    return {"PATH": os.environ["PATH"], "HOME": str(home), "UV_CACHE_DIR": str(home / "cache")}
