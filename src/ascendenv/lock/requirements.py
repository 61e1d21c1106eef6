"""What the pip set is resolved from: torch and torch_npu of the stack, what they need and do not say, and the wishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.lock.spec import StackWishes
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.matrix.stack import Stack

__all__ = ["CPU_BUILDS", "for_arch", "requirements_of", "torch_url"]

CPU_BUILDS = ("torch", "torchvision", "torchaudio")
"""The distributions that PyTorch's index has CPU builds of."""


def requirements_of(matrix: Matrix, stack: Stack, wishes: StackWishes) -> tuple[str, ...]:
    """Requirements with markers where architectures differ, in a fixed order, each once."""
    asked = [*_torch(matrix, stack, wishes.arch), f"torch_npu=={stack.torch_npu}"]
    asked += sorted(_undeclared(matrix, stack, wishes))
    return tuple(dict.fromkeys([*asked, *(str(Requirement(one)) for one in wishes.pip)]))


def for_arch(requirements: tuple[str, ...], arch: Arch, python: str) -> tuple[str, ...]:
    """Those requirements that hold on that architecture and Python, without their markers."""
    environment = {
        "platform_machine": arch,
        "python_version": ".".join(python.split(".")[:2]),
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
    }
    found = []
    for text in requirements:
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({**environment, "extra": ""}):
            one.marker = None
            found.append(str(one))
    return tuple(found)


def torch_url(matrix: Matrix, stack: Stack, arch: Arch) -> str | None:
    """The index of CPU builds where the default one has another build of this torch; None where the default one is right."""
    index = matrix.torch_index_for(stack.torch, arch)
    return index.url if index is not None else None


def _torch(matrix: Matrix, stack: Stack, arches: tuple[Arch, ...]) -> Iterator[str]:
    pins: dict[str, list[Arch]] = {}
    for arch in arches:
        index = matrix.torch_index_for(stack.torch, arch)
        local = f"+{index.build}" if index is not None else ""
        pins.setdefault(f"torch=={stack.torch.public}{local}", []).append(arch)
    for pin, some in pins.items():
        yield pin if len(pins) == 1 else f'{pin}; platform_machine == "{some[0]}"'


def _undeclared(matrix: Matrix, stack: Stack, wishes: StackWishes) -> Iterator[str]:
    """What torch_npu imports and its older wheels do not declare, and what CANN's op compiler imports."""
    release = matrix.find_torch_npu(stack.torch_npu)
    declared = {canonicalize_name(one) for one in release.requires} if release is not None else set()
    needed = {one for one in ("numpy", "pyyaml") if one not in declared}
    for one in matrix.python_packages:
        if one.cann is not None and not one.cann.contains(stack.cann):
            continue
        if wishes.op_compiler or one.name in needed:
            yield f"{one.name}{one.versions or ''}"
            needed.discard(one.name)
    yield from needed
