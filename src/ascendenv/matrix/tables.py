"""The tables of the matrix: the rows of each kind, built when they are first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ascendenv.matrix.fields import decode
from ascendenv.matrix.lazy import RawRow, VersionedRows
from ascendenv.matrix.rows.releases import CannRelease, HdkRelease, TorchLine, TorchNpuRelease
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.matrix.package_rows import (
        CudaOnlyPackage,
        PackageIndex,
        PlaceholderPackage,
        TorchNpuNeed,
    )
    from ascendenv.matrix.rows.conflicts import Break, Contradiction
    from ascendenv.matrix.rows.hardware import Family, Product
    from ascendenv.matrix.rows.installing import (
        DownloadServer,
        Layout,
        PackageMark,
        PackageName,
        PythonPackage,
        SeenName,
        TorchIndex,
        TrustAnchor,
    )
    from ascendenv.matrix.rows.surroundings import Attested, OsSupport, UsedBy

__all__ = ["RawMatrix", "Tables"]

T = TypeVar("T")
RawMatrix = dict[str, list[RawRow]]
"""The rows as plain data, by kind: what the loader checks and the compiled form holds."""


class Tables:
    """All rows; a program pays for the kinds that it uses."""

    def __init__(self, raw: RawMatrix) -> None:
        self.raw = raw

    def _rows(self, kind: str, row: type[T]) -> tuple[T, ...]:
        return tuple(decode(row, one) for one in self.raw.get(kind, ()))

    @cached_property
    def cann(self) -> VersionedRows[CannRelease]:
        """CANN releases by version, newest first."""
        return VersionedRows(CannRelease, self.raw.get("cann", ()), key="version", scheme="vendor")

    @cached_property
    def hdk(self) -> VersionedRows[HdkRelease]:
        """HDK releases by name, newest first."""
        return VersionedRows(HdkRelease, self.raw.get("hdk", ()), key="hdk", scheme="vendor")

    @cached_property
    def torch_npu(self) -> VersionedRows[TorchNpuRelease]:
        """torch_npu releases by version, newest first; each with the life of its torch line."""
        return VersionedRows(
            TorchNpuRelease,
            self.raw.get("torch_npu", ()),
            key="version",
            scheme="pep440",
            prepared=self._with_life,
        )

    @cached_property
    def torch(self) -> VersionedRows[TorchLine]:
        """Torch versions that torch_npu was made for, newest first."""
        return VersionedRows(TorchLine, self.raw.get("torch", ()), key="torch", scheme="pep440")

    def _with_life(self, raw: RawRow) -> RawRow:
        line = self._lives.get(pep440(str(raw["torch"])).base)
        return {**raw, "lifecycle": line} if line is not None and "lifecycle" not in raw else raw

    @cached_property
    def _lives(self) -> Mapping[str, object]:
        return {
            str(one["torch"]): one["lifecycle"] for one in self.raw.get("torch", ()) if "lifecycle" in one
        }

    @cached_property
    def families(self) -> Mapping[str, Family]:
        """Chip families by name."""
        from ascendenv.matrix.rows.hardware import Family

        return {one.name: one for one in self._rows("families", Family)}

    @cached_property
    def products(self) -> Mapping[str, Product]:
        """Cards and servers by name."""
        from ascendenv.matrix.rows.hardware import Product

        return {one.name: one for one in self._rows("products", Product)}

    @cached_property
    def os(self) -> Mapping[str, OsSupport]:
        """Operating systems by chip family."""
        from ascendenv.matrix.rows.surroundings import OsSupport

        return {one.family: one for one in self._rows("os", OsSupport)}

    @cached_property
    def breaks(self) -> tuple[Break, ...]:
        """Versions that are known not to work together."""
        from ascendenv.matrix.rows.conflicts import Break

        return self._rows("breaks", Break)

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """Where sources disagree, and what is followed."""
        from ascendenv.matrix.rows.conflicts import Contradiction

        return self._rows("contradictions", Contradiction)

    @cached_property
    def downstream(self) -> Mapping[str, UsedBy]:
        """Projects that build on the stack, by name."""
        from ascendenv.matrix.rows.surroundings import UsedBy

        return {one.project: one for one in self._rows("downstream", UsedBy)}

    @cached_property
    def attested(self) -> tuple[Attested, ...]:
        """Real machines that somebody described."""
        from ascendenv.matrix.rows.surroundings import Attested

        return self._rows("attested", Attested)

    @cached_property
    def torch_indexes(self) -> tuple[TorchIndex, ...]:
        """Indexes of torch wheels beside the default one."""
        from ascendenv.matrix.rows.installing import TorchIndex

        return self._rows("torch_indexes", TorchIndex)

    @cached_property
    def layouts(self) -> tuple[Layout, ...]:
        """Where CANN lies on disk."""
        from ascendenv.matrix.rows.installing import Layout

        return self._rows("layouts", Layout)

    @cached_property
    def package_names(self) -> tuple[PackageName, ...]:
        """How package files are called."""
        from ascendenv.matrix.rows.installing import PackageName

        return self._rows("package_names", PackageName)

    @cached_property
    def file_names(self) -> tuple[SeenName, ...]:
        """Other names under which package files are seen."""
        from ascendenv.matrix.rows.installing import SeenName

        return self._rows("file_names", SeenName)

    @cached_property
    def package_marks(self) -> tuple[PackageMark, ...]:
        """What tells a package by the files inside."""
        from ascendenv.matrix.rows.installing import PackageMark

        return self._rows("package_marks", PackageMark)

    @cached_property
    def servers(self) -> tuple[DownloadServer, ...]:
        """Servers that want a header."""
        from ascendenv.matrix.rows.installing import DownloadServer

        return self._rows("servers", DownloadServer)

    @cached_property
    def trust(self) -> tuple[TrustAnchor, ...]:
        """The vendor's roots that signatures are checked against."""
        from ascendenv.matrix.rows.installing import TrustAnchor

        return self._rows("trust", TrustAnchor)

    @cached_property
    def python_packages(self) -> tuple[PythonPackage, ...]:
        """Python packages that CANN's op compiler needs."""
        from ascendenv.matrix.rows.installing import PythonPackage

        return self._rows("python_packages", PythonPackage)

    @cached_property
    def cuda_only(self) -> tuple[CudaOnlyPackage, ...]:
        """Python packages that run on CUDA only."""
        from ascendenv.matrix.package_rows import CudaOnlyPackage

        return self._rows("cuda_only", CudaOnlyPackage)

    @cached_property
    def placeholders(self) -> tuple[PlaceholderPackage, ...]:
        """Python packages whose name sounds like Ascend software and that are not."""
        from ascendenv.matrix.package_rows import PlaceholderPackage

        return self._rows("placeholders", PlaceholderPackage)

    @cached_property
    def torch_npu_needs(self) -> tuple[TorchNpuNeed, ...]:
        """Modules that torch_npu imports and older wheels of it do not declare."""
        from ascendenv.matrix.package_rows import TorchNpuNeed

        return self._rows("torch_npu_needs", TorchNpuNeed)

    @cached_property
    def package_indexes(self) -> tuple[PackageIndex, ...]:
        """Package indexes beside the default one that carry Ascend software."""
        from ascendenv.matrix.package_rows import PackageIndex

        return self._rows("package_indexes", PackageIndex)
