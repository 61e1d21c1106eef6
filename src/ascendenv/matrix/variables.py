"""The catalogue of environment variables, the vendor's exports, and the purposes of profiles."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ascendenv.matrix.fields import decode
from ascendenv.matrix.rows.profiles import BaseLayer, CostlySetting, Purpose
from ascendenv.matrix.rows.variables import Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.matrix.model import RawMatrix
    from ascendenv.versions import Version

__all__ = ["Catalogue"]


class Catalogue:
    """All rows about environment variables."""

    def __init__(self, raw: RawMatrix) -> None:
        self.raw = raw

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The variables by name, in the order of their names."""
        rows = sorted(self.raw.get("variables", ()), key=lambda row: str(row["name"]))
        return {str(row["name"]): decode(Variable, row) for row in rows}

    @cached_property
    def purposes(self) -> Mapping[str, Purpose]:
        """The purposes by name."""
        return {str(row["name"]): decode(Purpose, row) for row in self.raw.get("purposes", ())}

    @cached_property
    def costly(self) -> Mapping[str, tuple[str, ...]]:
        """The values that are for finding faults only, by name of the variable."""
        rows = (decode(CostlySetting, row) for row in self.raw.get("costly_settings", ()))
        return {one.name: one.values for one in rows}

    def layers(self, cann: Version) -> tuple[BaseLayer, ...]:
        """What the scripts of that CANN export, in the order in which they are sourced."""
        found = (decode(BaseLayer, row) for row in self.raw.get("base_environment", ()))
        return tuple(one for one in found if one.cann.contains(cann))
