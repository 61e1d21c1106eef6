"""The rows of the matrix as the tables of the page: every row with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from ascendenv.language import LANGUAGES, Message, say
from ascendenv.matrix.level import Level
from ascendenv.site import listing_rows
from ascendenv.site.sources import is_of_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.matrix.model import Matrix
    from ascendenv.site.listing_rows import Row
    from ascendenv.site.texts import Texts

__all__ = ["ListingData", "listing_data"]

Cell = str | list[str] | dict[str, str] | int
"""Text, several texts, a sentence by language, or the number of a level."""


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
        listing_rows.torch_npu_rows,
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
        listing_rows.cann_rows,
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
        listing_rows.cells_rows,
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
        listing_rows.hdk_rows,
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
        listing_rows.torch_rows,
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
        listing_rows.chips_rows,
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
        listing_rows.products_rows,
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
        listing_rows.systems_rows,
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
        listing_rows.projects_rows,
    ),
    _Listing(
        "breaks",
        say("Known breaks"),
        (say("name"), say("cause"), say("how it shows")),
        listing_rows.breaks_rows,
    ),
    _Listing(
        "contradictions",
        say("Contradictions"),
        (say("subject"), say("who says what"), say("what is followed")),
        listing_rows.contradictions_rows,
    ),
)
