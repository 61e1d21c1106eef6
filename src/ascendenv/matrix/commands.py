"""The commands that bring a machine to a stack: driver and firmware, CANN, then torch and torch_npu."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.releases import TorchNpuRelease
    from ascendenv.matrix.stack import Stack

__all__ = ["cann_commands", "commands_for", "hdk_commands", "python_commands"]


def commands_for(matrix: Matrix, stack: Stack) -> tuple[str, ...]:
    """The commands in their order; `<chip>` and `<arch>` stand where the wishes leave them open."""
    return (
        *hdk_commands(matrix, stack),
        *cann_commands(matrix, stack),
        *python_commands(matrix, stack),
    )


def hdk_commands(matrix: Matrix, stack: Stack) -> Iterator[str]:
    """The commands for driver and firmware; none where the driver or the chip's packages are not known."""
    family = _family(matrix, stack)
    if stack.driver is None or family is None:
        return
    driver = matrix.package_name("driver", stack.driver, family=family, arch=stack.arch)
    if driver is None:
        return
    yield f"bash {driver} --full --install-for-all"
    if stack.firmware is not None:
        firmware = matrix.package_name("firmware", stack.firmware, family=family, arch=stack.arch)
        yield f"bash {firmware} --full"
    yield "reboot"


def cann_commands(matrix: Matrix, stack: Stack) -> Iterator[str]:
    """The commands for CANN's toolkit and ops."""
    family = _family(matrix, stack)
    for package in ("toolkit", "ops"):
        name = matrix.package_name(package, stack.cann, family=family, arch=stack.arch)
        if name is not None:
            yield f"bash {name} --install --install-for-all"
    layout = matrix.layout_of(stack.cann)
    if layout is not None:
        yield f"source {layout.set_env}"


def python_commands(matrix: Matrix, stack: Stack) -> Iterator[str]:
    """The commands for torch and torch_npu."""
    pip = f"python{'.'.join(str(number) for number in stack.python.release[:2])} -m pip install"
    index = matrix.torch_index_for(stack.torch, stack.arch)
    if index is None:
        yield f"{pip} torch=={stack.torch}"
    else:
        yield f"{pip} torch=={stack.torch}+{index.build} --index-url {index.url}"
    release = matrix.find_torch_npu(stack.torch_npu)
    undeclared = " ".join(_undeclared(matrix, stack, release)) if release is not None else ""
    yield f"{pip} torch_npu=={stack.torch_npu} {undeclared}".rstrip()


def _undeclared(matrix: Matrix, stack: Stack, release: TorchNpuRelease) -> Iterator[str]:
    """What torch_npu imports and its older wheels do not declare, in the versions that CANN's documents give."""
    for name in ("numpy", "pyyaml"):
        if name in release.requires:
            continue
        ranges = (
            one.versions.text
            for one in matrix.python_packages
            if one.name == name
            and one.versions is not None
            and (one.cann is None or one.cann.contains(stack.cann))
        )
        wanted = next(ranges, "")
        yield f'"{name}{wanted}"' if wanted else name


def _family(matrix: Matrix, stack: Stack) -> str | None:
    named = matrix.find_chip(stack.chip) if stack.chip is not None else None
    return named.family if named is not None else None
