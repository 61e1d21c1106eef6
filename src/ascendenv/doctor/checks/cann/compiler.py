"""What the checks of the operator compiler share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

__all__ = ["compiler_signals", "documented_packages", "own_packages_missing"]


def compiler_signals(signals: Signals) -> tuple[Signal, ...]:
    """The lines that say that the operator compiler did not start."""
    return (*signals.of("compiler-not-started"), *signals.codes("500001", "EC0010", "E40020"))


def own_packages_missing(signals: Signals) -> tuple[Signal, ...]:
    """The lines that name a Python module of the toolkit, pyACL apart, which cannot be imported."""
    return tuple(
        one
        for one in signals.of("cann-python-package-missing")
        if "acl" not in (one.get("module").partition(".")[0], one.get("absent"))
    )


def documented_packages(matrix: Matrix, cann: Version | None, *names: str) -> tuple[str, ...]:
    """Requirements for pip: the Python packages that the compiler of this CANN needs, all or the named ones."""
    wanted: dict[str, str] = {}
    for row in matrix.python_packages:
        fits = row.cann is None or cann is None or row.cann.contains(cann)
        if fits and (not names or row.name in names):
            wanted.setdefault(
                row.name, f"{row.name}{_bounds(str(row.versions))}" if row.versions else row.name
            )
    return tuple(wanted.values())


def _bounds(versions: str) -> str:
    return versions if versions[:1] in "<>=!~" else f"=={versions}"
