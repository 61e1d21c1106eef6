"""The rows of the matrix as the tables of the page: every row with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from ascendenv.language import LANGUAGES, Message, say
from ascendenv.matrix.level import Level
from ascendenv.matrix.words import words
from ascendenv.site.sources import is_of_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.base import Lifecycle
    from ascendenv.matrix.rows.releases import HdkCell
    from ascendenv.site.texts import Texts

__all__ = ["ListingData", "listing_data"]

Cell = str | list[str] | dict[str, str] | int
"""Text, several texts, a sentence by language, or the number of a level."""
Row = tuple[tuple[object, ...], tuple[str, ...]]
"""The cells of a row, and its sources."""


class ColumnData(TypedDict):
    """The head of a column; `order` names the part whose versions stand there."""

    label: dict[str, str]
    order: str


class ListingData(TypedDict):
    """One table; a row holds its cells, then the number of its sources, then whether it is a site's own."""

    kind: str
    title: dict[str, str]
    columns: list[ColumnData]
    rows: list[list[Cell | bool]]


_STAGES = {
    "planned": say("planned"),
    "development": say("under development"),
    "maintenance": say("in maintenance"),
    "eol": say("end of life"),
}


@dataclass(frozen=True)
class _Listing:
    kind: str
    title: Message
    columns: tuple[tuple[Message, str], ...]
    rows: Callable[[Matrix], Iterator[Row]]


def listing_data(matrix: Matrix, texts: Texts) -> list[ListingData]:
    """All tables in their order."""
    return [_listing(one, matrix, texts) for one in _LISTINGS]


def _listing(listing: _Listing, matrix: Matrix, texts: Texts) -> ListingData:
    return {
        "kind": listing.kind,
        "title": _both(listing.title),
        "columns": [{"label": _both(label), "order": order} for label, order in listing.columns],
        "rows": [
            [*(_cell(one) for one in cells), texts.sources(sources), is_of_site(sources)]
            for cells, sources in listing.rows(matrix)
        ],
    }


def _cell(value: object) -> Cell:
    if value is None:
        return ""
    if isinstance(value, Level):
        return int(value)
    if isinstance(value, Message):
        return _both(value)
    if isinstance(value, tuple):
        return [str(one) for one in value] if len(value) != 1 else str(value[0])
    return str(value)


def _both(message: Message) -> dict[str, str]:
    return {language: message.text(language) for language in LANGUAGES}


def _torch_npu(matrix: Matrix) -> Iterator[Row]:
    for one in matrix.torch_npu.values():
        wheels = tuple(f"{arch}: {' '.join(tags)}" for arch, tags in one.wheels.items())
        installed_from = None if one.on_index else say("not on the package index")
        cells = (one.version, one.torch, one.cann, one.cann_compatible, wheels or installed_from)
        yield cells, one.sources


def _cann(matrix: Matrix) -> Iterator[Row]:
    for one in matrix.cann.values():
        recommended = tuple(dict.fromkeys(str(cell.hdk) for cell in one.recommended_hdk))
        yield (one.version, one.channel, one.released, recommended, one.python, one.chips), one.sources


def _cells(matrix: Matrix) -> Iterator[Row]:
    for cann in matrix.cann.values():
        for cell in cann.hdk_cells:
            yield (cann.version, cell.hdk, Level.named(cell.level), _where(cell)), cell.sources


def _where(cell: HdkCell) -> tuple[str, ...]:
    return cell.products or cell.families


def _hdk(matrix: Matrix) -> Iterator[Row]:
    for one in matrix.hdk.values():
        for pair in one.pairs:
            accepted = (f"{span.low} - {span.high}" for span in pair.accepts_firmware)
            cells = (one.hdk, pair.driver, pair.firmware, pair.families, pair.builds, tuple(accepted))
            yield cells, pair.sources
        if not one.pairs:
            yield (one.hdk, None, None, (), (), ()), one.sources


def _torch(matrix: Matrix) -> Iterator[Row]:
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


def _chips(matrix: Matrix) -> Iterator[Row]:
    for family in matrix.families.values():
        yield (family.name, family.name, family.aliases, None, family.first_cann), family.sources
        for one in family.chips:
            memory = f"{one.memory} MB" if one.memory is not None else None
            first = one.first_cann or family.first_cann
            yield (one.name, family.name, one.aliases, memory, first), one.sources


def _products(matrix: Matrix) -> Iterator[Row]:
    for one in matrix.products.values():
        yield (one.name, one.family, one.aliases, one.first_cann, one.hdk_lines), one.sources


def _systems(matrix: Matrix) -> Iterator[Row]:
    for listed in matrix.os.values():
        for one in listed.systems:
            yield (f"{one.id} {one.release}", listed.family, one.arch, one.products, None), one.sources
        for least in listed.minimum:
            cells = (f"{least.id} {least.release}", listed.family, least.arch, (least.product,), least.driver)
            yield cells, least.sources


def _projects(matrix: Matrix) -> Iterator[Row]:
    for project in matrix.downstream.values():
        for one in project.releases:
            cells = (project.project, one.version, one.cann, one.torch_npu or one.torch, one.python, one.hdk)
            yield (*cells, one.families), one.sources


def _breaks(matrix: Matrix) -> Iterator[Row]:
    for one in matrix.breaks:
        yield (one.id, words(one.cause), one.symptoms), one.sources


def _contradictions(matrix: Matrix) -> Iterator[Row]:
    for one in matrix.contradictions:
        said = tuple(f"{claim.who}: {claim.what}" for claim in one.says)
        yield (one.subject, said, words(one.advice)), one.sources


_NO_ORDER = ""
_LISTINGS = (
    _Listing(
        "torch_npu",
        say("torch_npu"),
        (
            (say("torch_npu"), "torch_npu"),
            (say("torch"), "torch"),
            (say("made for CANN"), "cann"),
            (say("works with CANN"), "cann"),
            (say("wheels"), _NO_ORDER),
        ),
        _torch_npu,
    ),
    _Listing(
        "cann",
        say("CANN"),
        (
            (say("CANN"), "cann"),
            (say("channel"), _NO_ORDER),
            (say("released"), _NO_ORDER),
            (say("recommended HDK"), "driver"),
            (say("Python"), _NO_ORDER),
            (say("chips"), _NO_ORDER),
        ),
        _cann,
    ),
    _Listing(
        "cann-hdk",
        say("CANN and HDK"),
        (
            (say("CANN"), "cann"),
            (say("HDK"), "driver"),
            (say("level"), _NO_ORDER),
            (say("only for"), _NO_ORDER),
        ),
        _cells,
    ),
    _Listing(
        "hdk",
        say("HDK"),
        (
            (say("HDK"), "driver"),
            (say("driver"), "driver"),
            (say("firmware"), "firmware"),
            (say("chips"), _NO_ORDER),
            (say("builds"), "driver"),
            (say("accepts firmware"), _NO_ORDER),
        ),
        _hdk,
    ),
    _Listing(
        "torch",
        say("torch"),
        (
            (say("torch"), "torch"),
            (say("stage"), _NO_ORDER),
            (say("next"), _NO_ORDER),
            (say("Python"), _NO_ORDER),
            (say("build on the default index"), _NO_ORDER),
        ),
        _torch,
    ),
    _Listing(
        "chips",
        say("Chips"),
        (
            (say("chip"), _NO_ORDER),
            (say("family"), _NO_ORDER),
            (say("other names"), _NO_ORDER),
            (say("memory"), _NO_ORDER),
            (say("first CANN"), "cann"),
        ),
        _chips,
    ),
    _Listing(
        "products",
        say("Products"),
        (
            (say("product"), _NO_ORDER),
            (say("family"), _NO_ORDER),
            (say("other names"), _NO_ORDER),
            (say("first CANN"), "cann"),
            (say("own HDK releases"), "driver"),
        ),
        _products,
    ),
    _Listing(
        "os",
        say("Systems"),
        (
            (say("system"), _NO_ORDER),
            (say("family"), _NO_ORDER),
            (say("architecture"), _NO_ORDER),
            (say("only for"), _NO_ORDER),
            (say("driver from"), "driver"),
        ),
        _systems,
    ),
    _Listing(
        "downstream",
        say("Projects"),
        (
            (say("project"), _NO_ORDER),
            (say("version"), _NO_ORDER),
            (say("CANN"), "cann"),
            (say("torch_npu"), "torch_npu"),
            (say("Python"), _NO_ORDER),
            (say("HDK"), "driver"),
            (say("chips"), _NO_ORDER),
        ),
        _projects,
    ),
    _Listing(
        "breaks",
        say("Known breaks"),
        ((say("name"), _NO_ORDER), (say("cause"), _NO_ORDER), (say("how it shows"), _NO_ORDER)),
        _breaks,
    ),
    _Listing(
        "contradictions",
        say("Contradictions"),
        ((say("subject"), _NO_ORDER), (say("who says what"), _NO_ORDER), (say("what is followed"), _NO_ORDER)),
        _contradictions,
    ),
)
