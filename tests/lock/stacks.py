"""A lock made by hand, small enough to be changed in one place and looked at."""

from __future__ import annotations

from dataclasses import replace

from ascendenv.lock.model import Artefact, Lock, Part, Reason, Stack

__all__ = ["LOCK", "STACK", "with_file", "with_value"]

TORCH = Artefact(
    component="pip",
    name="torch",
    version="2.9.0+cpu",
    verified="package index",
    file="torch-2.9.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
    arch="x86_64",
    size=100,
    sha256="a" * 64,
    urls=("https://index.example/torch.whl",),
)
STACK = Stack(
    name="prod",
    arch=("aarch64", "x86_64"),
    parts=(
        Part(
            name="hdk",
            values=(("driver", "25.5.1"), ("firmware", "7.8.0.6.201")),
            artefacts=(
                Artefact(
                    component="driver",
                    name="driver",
                    version="25.5.1",
                    verified="unverified",
                    file="driver_25.5.1.run",
                    arch="aarch64",
                ),
            ),
        ),
        Part(
            name="cann",
            values=(("toolkit", "8.5.0"), ("ops", "8.5.0"), ("nnal", "8.5.0")),
            artefacts=(
                Artefact(
                    component="toolkit",
                    name="toolkit",
                    version="8.5.0",
                    verified="deployer",
                    file="toolkit_8.5.0.zip",
                    sha256="b" * 64,
                    urls=("https://vendor.example/toolkit_8.5.0.zip",),
                    referer="https://vendor.example/",
                    holds=("toolkit_8.5.0.run",),
                ),
            ),
        ),
        Part(
            name="python",
            values=(("python", "3.11"), ("torch", "2.9.0"), ("torch_npu", "2.9.0")),
            artefacts=(
                Artefact(
                    component="pip",
                    name="numpy",
                    version="1.26.4",
                    verified="package index",
                    file="numpy-1.26.4-py3-none-any.whl",
                    size=5,
                    sha256="c" * 64,
                ),
                TORCH,
                replace(TORCH, version="2.9.0", file="torch.whl", arch="aarch64", sha256="d" * 64),
            ),
        ),
        Part(name="profile", values=(("purpose", "training"), ("env.HCCL_BUFFSIZE", 'a "quoted" 值'))),
        Part(name="image", values=(("base", "ubuntu:22.04"),)),
    ),
    chip="Ascend910B3",
    family="910B",
    os="ubuntu 22.04",
    release="25.5.1",
    level="recommended",
    matrix="sha256:" + "1" * 64,
    inputs="sha256:" + "2" * 64,
    requires=('torch==2.9.0; platform_machine == "aarch64"', "numpy<2"),
    reasons=(
        Reason(
            kind="cann-hdk", between=("cann 8.5.0", "driver 25.5.1"), level="recommended", source=("a", "b")
        ),
    ),
    unknown=("nothing much",),
)
LOCK = Lock(stacks=(replace(STACK, name="canary", product="Atlas 800I A2"), STACK))


def with_value(stack: Stack, part: str, name: str, text: str) -> Stack:
    """The stack with one value changed."""
    return _with_part(
        stack, part, lambda one: replace(one, values=tuple({**dict(one.values), name: text}.items()))
    )


def with_file(stack: Stack, part: str, name: str, **changes: object) -> Stack:
    """The stack with every file of that name changed."""

    def changed(one: Part) -> Part:
        files = (replace(file, **changes) if file.name == name else file for file in one.artefacts)  # type: ignore[arg-type]
        return replace(one, artefacts=tuple(files))

    return _with_part(stack, part, changed)


def _with_part(stack: Stack, part: str, change: object) -> Stack:
    assert callable(change)
    return replace(stack, parts=tuple(change(one) if one.name == part else one for one in stack.parts))
