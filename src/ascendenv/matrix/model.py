"""The matrix: all rows, and the questions that are put to single kinds of them.

`relations.judge` puts them together, `pick` searches in them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ascendenv.matrix.fields import decode
from ascendenv.matrix.fit import cann_level, hdk_cell
from ascendenv.matrix.level import Level
from ascendenv.matrix.names import Chip, Names
from ascendenv.matrix.rows.releases import CannRelease, HdkRelease, TorchLine, TorchNpuRelease
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ascendenv.matrix.package_rows import (
        CudaOnlyPackage,
        PackageIndex,
        PlaceholderPackage,
        TorchNpuNeed,
    )
    from ascendenv.matrix.rows.conflicts import Break, Contradiction
    from ascendenv.matrix.rows.hardware import Family, Product
    from ascendenv.matrix.rows.surroundings import (
        Attested,
        Layout,
        OsSupport,
        PackageName,
        PythonPackage,
        TorchIndex,
        UsedBy,
    )
    from ascendenv.versions import Version

__all__ = ["Matrix", "RawMatrix"]

T = TypeVar("T")
RawMatrix = dict[str, list[dict[str, object]]]
"""The rows as plain data, by kind: what the loader checks and the compiled form holds."""


class Matrix:
    """All rows; a kind is built when it is first asked for, so that a program pays for what it uses."""

    def __init__(self, raw: RawMatrix) -> None:
        self.raw = raw

    def _rows(self, kind: str, row: type[T]) -> tuple[T, ...]:
        return tuple(decode(row, one) for one in self.raw.get(kind, ()))

    @cached_property
    def cann(self) -> Mapping[str, CannRelease]:
        """CANN releases by version, newest first."""
        found = sorted(self._rows("cann", CannRelease), key=lambda one: one.version, reverse=True)
        return {str(one.version): one for one in found}

    @cached_property
    def hdk(self) -> Mapping[str, HdkRelease]:
        """HDK releases by name, newest first."""
        found = sorted(self._rows("hdk", HdkRelease), key=lambda one: one.hdk, reverse=True)
        return {one.name: one for one in found}

    @cached_property
    def torch_npu(self) -> Mapping[str, TorchNpuRelease]:
        """torch_npu releases by version, newest first; each with the life of its torch line."""
        built = [decode(TorchNpuRelease, self._with_life(one)) for one in self.raw.get("torch_npu", ())]
        found = sorted(built, key=lambda one: one.version, reverse=True)
        return {str(one.version): one for one in found}

    @cached_property
    def torch(self) -> Mapping[str, TorchLine]:
        """Torch versions that torch_npu was made for, newest first."""
        found = sorted(self._rows("torch", TorchLine), key=lambda one: one.torch, reverse=True)
        return {str(one.torch): one for one in found}

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
        from ascendenv.matrix.rows.surroundings import TorchIndex

        return self._rows("torch_indexes", TorchIndex)

    @cached_property
    def layouts(self) -> tuple[Layout, ...]:
        """Where CANN lies on disk."""
        from ascendenv.matrix.rows.surroundings import Layout

        return self._rows("layouts", Layout)

    @cached_property
    def package_names(self) -> tuple[PackageName, ...]:
        """How package files are called."""
        from ascendenv.matrix.rows.surroundings import PackageName

        return self._rows("package_names", PackageName)

    @cached_property
    def python_packages(self) -> tuple[PythonPackage, ...]:
        """Python packages that CANN's op compiler needs."""
        from ascendenv.matrix.rows.surroundings import PythonPackage

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

    @cached_property
    def names(self) -> Names:
        """Every published name of chips and products."""
        return Names(self.families.values(), self.products.values())

    def find_cann(self, version: Version) -> CannRelease | None:
        """The CANN release of that version or alias, also of a build or patch of it."""
        called = (one for one in self.cann.values() if version == one.version or version in one.aliases)
        built = (one for one in self.cann.values() if version.belongs_to(one.version))
        return next(called, None) or next(built, None)

    def find_hdk(self, driver: Version) -> HdkRelease | None:
        """The HDK release that this driver version, or build of it, is part of."""
        exact = (
            one for one in self.hdk.values() for pair in one.pairs if driver in (pair.driver, *pair.builds)
        )
        built = (one for one in self.hdk.values() if driver.belongs_to(one.hdk))
        return next(exact, None) or next(built, None)

    def find_torch_npu(self, version: Version) -> TorchNpuRelease | None:
        """The torch_npu release of that version; a local part such as +git1234 does not matter."""
        found = self.torch_npu.get(version.public)
        return found or next(
            (one for one in self.torch_npu.values() if version.belongs_to(one.version)), None
        )

    def find_torch(self, version: Version) -> TorchLine | None:
        """The torch line that this torch belongs to."""
        return self.torch.get(version.base)

    def find_chip(self, text: str, npu_smi: Version | None = None) -> Chip | None:
        """The chip of that published name; see `Names.chip`."""
        return self.names.chip(text, npu_smi)

    def find_product(self, text: str) -> Product | None:
        """The card or server of that published name."""
        return self.names.product(text)

    def family(self, name: str) -> Family | None:
        """The chip family of that name, e.g. `910B`, or of any published name of it or of one of its chips."""
        chip = self.find_chip(name)
        return self.families.get(name) or (self.families.get(chip.family) if chip else None)

    def layout_of(self, cann: Version) -> Layout | None:
        """Where a CANN of that version lies on disk."""
        release = self.find_cann(cann)
        if release is not None:
            return next((one for one in self.layouts if one.name == release.layout), None)
        return next((one for one in self.layouts if one.cann.contains(cann)), None)

    def package_name(
        self, package: str, version: Version, *, family: str | None = None, arch: str | None = None
    ) -> str | None:
        """The file name of `toolkit`, `ops`, `nnal`, `driver` or `firmware`; what is not known stays `<chip>`, `<arch>`."""
        row = self.families.get(family or "")
        chip = (row.package_suffix if row else None) or "<chip>"
        shown = arch or "<arch>"
        for one in self.package_names:
            fits_family = not one.families or family in one.families
            if one.package == package and fits_family and (one.cann is None or one.cann.contains(version)):
                hyphened = shown.replace("x86_64", "x86-64")
                return one.pattern.format(chip=chip, version=version, arch=shown, hdk_arch=hyphened)
        return None

    def recommended_hdk(
        self, cann: Version, family: str | None = None, product: str | None = None
    ) -> HdkRelease | None:
        """The HDK release that CANN is paired with on that family or product: known firmware first, then newest."""
        release = self.find_cann(cann)
        if release is None:
            return None
        found = []
        for one in self.hdk.values():
            cell = hdk_cell(release, one.hdk, family=family, product=product)
            if cell is not None and cell.level == "recommended" and self._runs_on(one, family):
                pair = one.pair_for(family)
                found.append((pair is not None, pair is not None and pair.firmware is not None, one.hdk, one))
        return max(found, key=lambda one: one[:3])[3] if found else None

    def torch_npu_for(
        self,
        torch: Version | None = None,
        cann: Version | None = None,
        python: Version | None = None,
        arch: str | None = None,
    ) -> TorchNpuRelease | None:
        """The newest torch_npu on the index that fits what is given, recommended ones before compatible ones."""
        release = self.find_cann(cann) if cann is not None else None
        best: list[tuple[Level, Version, TorchNpuRelease]] = []
        for one in self.torch_npu.values():
            level = Level.RECOMMENDED if cann is None else cann_level(one, cann, release)
            right_torch = torch is None or torch.base == one.torch.base
            if level >= Level.COMPATIBLE and right_torch and installable(one, python, arch):
                best.append((level, one.version, one))
        return max(best, key=lambda one: one[:2])[2] if best else None

    def torch_index_for(self, torch: Version, arch: str | None) -> TorchIndex | None:
        """The index that has the torch build an Ascend machine wants, where the default index has another one."""
        line = self.find_torch(torch)
        default = line.default_index.get(arch or "x86_64") if line else None
        if default == "cpu":
            return None
        return next((one for one in self.torch_indexes if arch is None or arch in one.arch), None)

    def _with_life(self, raw: dict[str, object]) -> dict[str, object]:
        line = self._lives.get(pep440(str(raw["torch"])).base)
        return {**raw, "lifecycle": line} if line is not None and "lifecycle" not in raw else raw

    @cached_property
    def _lives(self) -> Mapping[str, object]:
        return {
            str(one["torch"]): one["lifecycle"] for one in self.raw.get("torch", ()) if "lifecycle" in one
        }

    def _runs_on(self, hdk: HdkRelease, family: str | None) -> bool:
        own = [one for one in self.families.values() if hdk.hdk in one.hdk_lines]
        return family is None or not own or any(one.name == family for one in own)


def installable(release: TorchNpuRelease, python: Version | None, arch: str | None) -> bool:
    """Whether the package index has a final wheel of `release` for that Python and architecture, as far as given."""
    if not release.on_index or release.version.is_prerelease:
        return False
    tags: Sequence[tuple[str, ...]] = [
        tags for name, tags in release.wheels.items() if arch is None or name == arch
    ]
    if python is None:
        return bool(tags)
    return any(python_tag(python) in some for some in tags)


def python_tag(python: Version) -> str:
    """The wheel tag of that Python: `cp311`."""
    return "cp" + "".join(str(number) for number in python.release[:2])
