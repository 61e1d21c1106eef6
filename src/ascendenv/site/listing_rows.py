"""The cells of each row of the matrix, and its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.level import Level
from ascendenv.matrix.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.base import Lifecycle
    from ascendenv.matrix.rows.releases import HdkCell

__all__ = [
    "Row",
    "breaks_rows",
    "cann_rows",
    "cells_rows",
    "chips_rows",
    "contradictions_rows",
    "hdk_rows",
    "products_rows",
    "projects_rows",
    "systems_rows",
    "torch_npu_rows",
    "torch_rows",
]

Row = tuple[tuple[object, ...], tuple[str, ...]]
"""The cells of a row, and its sources."""

_STAGES = {
    "planned": say("planned"),
    "development": say("under development"),
    "maintenance": say("in maintenance"),
    "eol": say("end of life"),
}


def torch_npu_rows(matrix: Matrix) -> Iterator[Row]:
    """Releases of torch_npu."""
    for one in matrix.torch_npu.values():
        wheels = tuple(f"{arch}: {' '.join(tags)}" for arch, tags in one.wheels.items())
        installed_from = None if one.on_index else say("not on the package index")
        cells = (one.version, one.torch, one.cann, one.cann_compatible, wheels or installed_from)
        yield cells, one.sources


def cann_rows(matrix: Matrix) -> Iterator[Row]:
    """CANN releases."""
    for one in matrix.cann.values():
        recommended = tuple(dict.fromkeys(str(cell.hdk) for cell in one.recommended_hdk))
        yield (one.version, one.channel, one.released, recommended, one.python, one.chips), one.sources


def cells_rows(matrix: Matrix) -> Iterator[Row]:
    """What CANN's tables say about each HDK release."""
    for cann in matrix.cann.values():
        for cell in cann.hdk_cells:
            yield (cann.version, cell.hdk, Level.named(cell.level), _where(cell)), cell.sources


def _where(cell: HdkCell) -> tuple[str, ...]:
    return cell.products or cell.families


def hdk_rows(matrix: Matrix) -> Iterator[Row]:
    """HDK releases, a driver and firmware a row."""
    for one in matrix.hdk.values():
        for pair in one.pairs:
            accepted = (f"{span.low} - {span.high}" for span in pair.accepts_firmware)
            cells = (one.hdk, pair.driver, pair.firmware, pair.families, pair.builds, tuple(accepted))
            yield cells, pair.sources
        if not one.pairs:
            yield (one.hdk, None, None, (), (), ()), one.sources


def torch_rows(matrix: Matrix) -> Iterator[Row]:
    """Torch lines."""
    for one in matrix.torch.values():
        life = one.lifecycle
        stage = _STAGES[life.status] if life is not None else None
        builds = tuple(f"{arch}: {build}" for arch, build in one.default_index.items())
        yield (one.torch, stage, _turning(life), one.pythons_documented, builds), one.sources


def _turning(life: Lifecycle | None) -> Message | str | None:
    """The day on which the line ends or enters its next stage."""
    if life is None or life.next_status in (None, life.status):
        return life.eol if life is not None else None
    return say("{stage} from {day}", stage=_STAGES[life.next_status], day=life.next_from)


def chips_rows(matrix: Matrix) -> Iterator[Row]:
    """Chip families and their chips."""
    for family in matrix.families.values():
        yield (family.name, family.name, family.aliases, None, family.first_cann), family.sources
        for one in family.chips:
            memory = f"{one.memory} MB" if one.memory is not None else None
            first = one.first_cann or family.first_cann
            yield (one.name, family.name, one.aliases, memory, first), one.sources


def products_rows(matrix: Matrix) -> Iterator[Row]:
    """Cards and servers."""
    for one in matrix.products.values():
        yield (one.name, one.family, one.aliases, one.first_cann, one.hdk_lines), one.sources


def systems_rows(matrix: Matrix) -> Iterator[Row]:
    """Operating systems."""
    for listed in matrix.os.values():
        for one in listed.systems:
            yield (f"{one.id} {one.release}", listed.family, one.arch, one.products, None), one.sources
        for least in listed.minimum:
            cells = (f"{least.id} {least.release}", listed.family, least.arch, (least.product,), least.driver)
            yield cells, least.sources


def projects_rows(matrix: Matrix) -> Iterator[Row]:
    """Releases of projects that build on the stack."""
    for project in matrix.downstream.values():
        for one in project.releases:
            cells = (project.project, one.version, one.cann, one.torch_npu or one.torch, one.python, one.hdk)
            yield (*cells, one.families), one.sources


def breaks_rows(matrix: Matrix) -> Iterator[Row]:
    """Known breaks."""
    for one in matrix.breaks:
        yield (one.id, words(one.cause), one.symptoms), one.sources


def contradictions_rows(matrix: Matrix) -> Iterator[Row]:
    """Where sources disagree."""
    for one in matrix.contradictions:
        said = tuple(f"{claim.who}: {claim.what}" for claim in one.says)
        yield (one.subject, said, words(one.advice)), one.sources
