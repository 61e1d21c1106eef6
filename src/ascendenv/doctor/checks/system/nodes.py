"""Version nodes of system libraries, as the loader asks for them: `GLIBC_2.32`, `GLIBCXX_3.4.29`, `CXXABI_1.3.13`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.signals.model import Signal, Signals

__all__ = ["newest_node", "nodes_missing", "of_gpu_only_code"]


def nodes_missing(signals: Signals, *prefixes: str) -> list[Signal]:
    """The signals about a missing node whose name begins with one of `prefixes`."""
    return [one for one in signals.of("version-node-missing") if one.get("node").startswith(prefixes)]


def newest_node(found: Iterable[Signal]) -> str:
    """The highest of the nodes asked for: what satisfies it satisfies all."""
    return max((one.get("node") for one in found), key=_order, default="")


def of_gpu_only_code(signal: Signal) -> bool:
    """Whether the library that asks belongs to a CUDA-only package, which an Ascend machine does without."""
    asking = signal.get("needed_by").lower()
    return any(word in asking for word in ("/nvidia/", "flash_attn", "xformers", "bitsandbytes", "cudnn"))


def _order(node: str) -> tuple[int, ...]:
    return tuple(int(part) for part in node.rpartition("_")[2].split(".") if part.isdigit())
