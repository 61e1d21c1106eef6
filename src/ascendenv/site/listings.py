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
    """The head of a column, and whether versions stand there."""

    label: dict[str, str]
    isVersion: bool


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
    columns: tuple[Message, ...]
    rows: Callable[[Matrix], Iterator[Row]]


def listing_data(matrix: Matrix, texts: Texts) -> list[ListingData]:
    """All tables in their order."""
    return [_listing(one, matrix, texts) for one in _LISTINGS]


def _listing(listing: _Listing, matrix: Matrix, texts: Texts) -> ListingData:
    return {
        "kind": listing.kind,
        "title": _both(listing.title),
        "columns": [{"label": _both(label), "isVersion": label in _VERSIONS} for label in listing.columns],
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


_VERSIONS = frozenset(
    {
        say("CANN"),
        say("HDK"),
        say("torch"),
        say("torch_npu"),
        say("driver"),
        say("firmware"),
        say("builds"),
        say("first CANN"),
        say("made for CANN"),
        say("works with CANN"),
        say("recommended HDK"),
        say("own HDK releases"),
        say("driver from"),
        say("version"),
    }
)
"""The heads of columns that hold versions, which sort otherwise than words."""
_LISTINGS = (
    _Listing(
        "torch_npu",
        say("torch_npu"),
        (
            say("torch_npu"),
            say("torch"),
            say("made for CANN"),
            say("works with CANN"),
            say("wheels"),
        ),
        _torch_npu,
    ),
    _Listing(
        "cann",
        say("CANN"),
        (
            say("CANN"),
            say("channel"),
            say("released"),
            say("recommended HDK"),
            say("Python"),
            say("chips"),
        ),
        _cann,
    ),
    _Listing(
        "cann-hdk",
        say("CANN and HDK"),
        (
            say("CANN"),
            say("HDK"),
            say("level"),
            say("only for"),
        ),
        _cells,
    ),
    _Listing(
        "hdk",
        say("HDK"),
        (
            say("HDK"),
            say("driver"),
            say("firmware"),
            say("chips"),
            say("builds"),
            say("accepts firmware"),
        ),
        _hdk,
    ),
    _Listing(
        "torch",
        say("torch"),
        (
            say("torch"),
            say("stage"),
            say("next"),
            say("Python"),
            say("build on the default index"),
        ),
        _torch,
    ),
    _Listing(
        "chips",
        say("Chips"),
        (
            say("chip"),
            say("family"),
            say("other names"),
            say("memory"),
            say("first CANN"),
        ),
        _chips,
    ),
    _Listing(
        "products",
        say("Products"),
        (
            say("product"),
            say("family"),
            say("other names"),
            say("first CANN"),
            say("own HDK releases"),
        ),
        _products,
    ),
    _Listing(
        "os",
        say("Systems"),
        (
            say("system"),
            say("family"),
            say("architecture"),
            say("only for"),
            say("driver from"),
        ),
        _systems,
    ),
    _Listing(
        "downstream",
        say("Projects"),
        (
            say("project"),
            say("version"),
            say("CANN"),
            say("torch_npu"),
            say("Python"),
            say("HDK"),
            say("chips"),
        ),
        _projects,
    ),
    _Listing(
        "breaks",
        say("Known breaks"),
        (say("name"), say("cause"), say("how it shows")),
        _breaks,
    ),
    _Listing(
        "contradictions",
        say("Contradictions"),
        (say("subject"), say("who says what"), say("what is followed")),
        _contradictions,
    ),
)
