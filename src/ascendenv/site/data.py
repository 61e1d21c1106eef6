"""Everything that the page knows, as plain data."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, TypedDict

from ascendenv import __version__
from ascendenv.matrix.level import Level
from ascendenv.site.command_tables import CommandData, command_data
from ascendenv.site.listings import ListingData, listing_data
from ascendenv.site.parts import PARTS, Parts, QuickMatrix
from ascendenv.site.relation_tables import RelationData, relation_data
from ascendenv.site.sources import is_of_site
from ascendenv.site.stack_tables import StackData, stack_data
from ascendenv.site.texts import TextData, Texts
from ascendenv.site.words import words_by_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.matrix.model import Matrix

__all__ = ["PageData", "page_data"]


class PlaceData(TypedDict):
    """A chip, family or product."""

    name: str
    kind: str
    family: str
    kin: int
    aliases: list[str]


class PartData(TypedDict):
    """The values of a part, the numbers of those that only a site's folder has, and other names for values."""

    name: str
    values: list[str]
    site: list[int]
    aliases: dict[str, int]


class PageData(TypedDict):
    """What stands in the page."""

    version: str
    digest: str
    levels: list[str]
    parts: list[PartData]
    places: list[PlaceData]
    kins: list[str]
    texts: TextData
    relations: RelationData
    stacks: StackData
    commands: CommandData
    listings: list[ListingData]
    words: dict[str, dict[str, str]]
    folders: list[str]


def page_data(matrix: Matrix, folders: Sequence[str] = ()) -> PageData:
    """The data of the page for that matrix; `folders` are a site's own that stand on top, as the user named them."""
    parts, texts = Parts(QuickMatrix(matrix)), Texts()
    relations, listings = relation_data(parts, texts), listing_data(parts.matrix, texts)
    return {
        "version": __version__,
        "digest": _digest(matrix),
        "levels": [str(one) for one in Level],
        "parts": [_part(part, parts) for part in PARTS],
        "places": [
            {
                "name": one.name,
                "kind": one.kind,
                "family": one.family,
                "kin": parts.kin_of(one),
                "aliases": list(one.aliases),
            }
            for one in parts.places
        ],
        "kins": [one.name for one in parts.kins],
        "texts": texts.data(),
        "relations": relations,
        "stacks": stack_data(parts),
        "commands": command_data(parts),
        "listings": listings,
        "words": words_by_language(),
        "folders": list(folders),
    }


def _part(part: str, parts: Parts) -> PartData:
    aliases = {}
    if part == "cann":
        aliases = {
            str(alias): parts.number("cann", one.version)
            for one in parts.matrix.cann.values()
            for alias in one.aliases
        }
    return {
        "name": part,
        "values": parts.texts(part),
        "site": sorted(set(_of_site(part, parts))),
        "aliases": aliases,
    }


def _of_site(part: str, parts: Parts) -> Iterator[int]:
    """The numbers of values whose row is a site's own."""
    matrix = parts.matrix
    if part == "place":
        for number, place in enumerate(parts.places, start=1):
            row = matrix.products[place.name] if place.kind == "product" else matrix.families[place.family]
            if is_of_site(row.sources):
                yield number
    elif part in ("cann", "torch", "torch_npu"):
        rows = getattr(matrix, part).values()
        yield from (number for number, row in enumerate(rows, start=1) if is_of_site(row.sources))
    elif part in ("driver", "firmware"):
        for hdk in matrix.hdk.values():
            for pair in hdk.pairs:
                version = getattr(pair, part)
                if version is not None and is_of_site(pair.sources):
                    yield parts.number(part, version)


def _digest(matrix: Matrix) -> str:
    """Tells one state of the matrix from another."""
    text = json.dumps(matrix.raw, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
