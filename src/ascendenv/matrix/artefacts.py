"""Downloads and images of the matrix."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ascendenv.matrix.fields import decode
from ascendenv.matrix.rows.artefacts import ArtefactSet, Images

if TYPE_CHECKING:
    from ascendenv.matrix.rows.artefacts import Artefact
    from ascendenv.matrix.tables import RawMatrix
    from ascendenv.versions import Version

__all__ = ["Artefacts"]


class Artefacts:
    """All files and images that are known."""

    def __init__(self, raw: RawMatrix) -> None:
        self.raw = raw

    @cached_property
    def sets(self) -> tuple[ArtefactSet, ...]:
        """The files by component and release."""
        return tuple(decode(ArtefactSet, one) for one in self.raw.get("artefacts", ()))

    @cached_property
    def images(self) -> tuple[Images, ...]:
        """Image tags by CANN release."""
        return tuple(decode(Images, one) for one in self.raw.get("images", ()))

    def find(
        self,
        component: str,
        release: str,
        package: str,
        *,
        family: str | None = None,
        arch: str | None = None,
        python: str | None = None,
    ) -> tuple[Artefact, ...]:
        """The files of that package, those with a hash first; a file for every chip, architecture or Python fits any."""
        files = (
            one
            for row in self.sets
            if row.component == component and row.release.lower() == release.lower()
            for one in row.files
        )
        fitting = [
            one
            for one in files
            if one.package == package
            and family in (None, one.family or family)
            and arch in (None, one.arch or arch)
            and python in (None, one.python or python)
        ]
        return tuple(sorted(fitting, key=lambda one: one.sha256 is None))

    def images_of(self, cann: Version) -> tuple[Images, ...]:
        """The images that hold that CANN."""
        return tuple(one for one in self.images if one.cann == cann)
