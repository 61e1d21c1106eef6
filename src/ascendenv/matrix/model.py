"""The matrix, and the questions that are put to single kinds of its rows.

`relations.judge` puts them together, `pick` searches in them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ascendenv.matrix.fit import cann_level, hdk_cell
from ascendenv.matrix.level import Level
from ascendenv.matrix.names import Chip, Names
from ascendenv.matrix.tables import RawMatrix, Tables
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.matrix.rows.hardware import Family, Product
    from ascendenv.matrix.rows.installing import Layout, TorchIndex
    from ascendenv.matrix.rows.releases import CannRelease, HdkRelease, TorchLine, TorchNpuRelease
    from ascendenv.versions import Version

__all__ = ["Matrix", "RawMatrix", "installable", "python_tag"]


class Matrix(Tables):
    """All rows, and where to look for what."""

    @cached_property
    def names(self) -> Names:
        """Every published name of chips and products."""
        return Names(self.families.values(), self.products.values())

    def find_cann(self, version: Version) -> CannRelease | None:
        """The CANN release of that version or alias, also of a build or patch of it."""
        return self.cann.find(version)

    def find_hdk(self, driver: Version) -> HdkRelease | None:
        """The HDK release that this driver version, or build of it, is part of."""
        exact = (
            one for one in self.hdk.values() for pair in one.pairs if driver in (pair.driver, *pair.builds)
        )
        built = (one for one in self.hdk.values() if driver.belongs_to(one.hdk))
        return next(exact, None) or next(built, None)

    def find_torch_npu(self, version: Version) -> TorchNpuRelease | None:
        """The torch_npu release of that version; a local part such as +git1234 does not matter."""
        return (
            self.torch_npu[version.public]
            if version.public in self.torch_npu
            else self.torch_npu.find(version)
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
        if release is not None and not release.recommended_hdk and release.version.is_alpha:
            release = self.find_cann(vendor(release.version.base))
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
            fits = level >= Level.COMPATIBLE and right_torch and installable(one, python, arch)
            if fits and not self._is_broken(one, cann):
                best.append((level, one.version, one))
        return max(best, key=lambda one: one[:2])[2] if best else None

    def torch_index_for(self, torch: Version, arch: str | None) -> TorchIndex | None:
        """The index that has the torch build an Ascend machine wants, where the default index has another one."""
        line = self.find_torch(torch)
        default = line.default_index.get(arch or "x86_64") if line else None
        if default == "cpu":
            return None
        return next((one for one in self.torch_indexes if arch is None or arch in one.arch), None)

    def _is_broken(self, release: TorchNpuRelease, cann: Version | None) -> bool:
        from ascendenv.matrix.conflicts import breaks
        from ascendenv.matrix.given import Given, Looked

        return any(breaks(Looked(self, Given(torch_npu=release.version, cann=cann))))

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
