"""References between rows: everything that a row names must be a row of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascendenv.language import say
from ascendenv.matrix.fields import span
from ascendenv.matrix.fit import covers
from ascendenv.matrix.load import KINDS, Kind, places_of
from ascendenv.matrix.names import normalised
from ascendenv.matrix.yaml_file import Mistake, YamlFile
from ascendenv.versions import InvalidVersion, VersionLine, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ascendenv.matrix.model import RawMatrix

__all__ = ["dangling"]

Place = tuple["str | int", ...]

REFERENCES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "cann": (
        ("hdk_cells.*.families.*", "family"),
        ("hdk_cells.*.products.*", "product"),
        ("chips.*", "family"),
    ),
    "hdk": (("pairs.*.families.*", "family"), ("products.*", "product")),
    "torch_npu": (("torch", "torch"), ("cann.*", "cann"), ("cann_compatible.*", "cann")),
    "families": (("hdk_lines.*", "hdk"), ("first_cann", "cann")),
    "products": (("family", "family"), ("chips.*", "chip"), ("hdk_lines.*", "hdk"), ("first_cann", "cann")),
    "os": (("family", "family"), ("systems.*.products.*", "product"), ("minimum.*.product", "product")),
    "breaks": (("given.families.*", "family"), ("given.products.*", "product")),
    "contradictions": (("given.families.*", "family"), ("given.products.*", "product")),
    "downstream": (("releases.*.cann", "cann"), ("releases.*.families.*", "family")),
    "package_names": (("families.*", "family"),),
    "file_names": (("families.*", "family"),),
}
"""For each kind of row: the keys that name another row (`*` is every item of a list), and what they name."""


class Known:
    """What can be referred to: the rows of a folder and of the matrix below it."""

    def __init__(self, *layers: RawMatrix) -> None:
        rows = {kind.name: [row for raw in layers for row in raw.get(kind.name, ())] for kind in KINDS}
        cann: list[Any] = rows["cann"]
        texts = [text for row in cann for text in (row["version"], *row.get("aliases", ()))]
        self._cann = [vendor(text) for text in texts]
        self._hdk = [vendor(str(row["hdk"])) for row in rows["hdk"]]
        self._torch = {pep440(str(row["torch"])) for row in rows["torch"]}
        self._families = {str(row["name"]) for row in rows["families"]}
        self._products = {str(row["name"]) for row in rows["products"]}
        chips: list[Any] = [chip for row in rows["families"] for chip in _listed(row, "chips")]
        self._chips = {normalised(chip["name"]) for chip in chips}

    def has(self, what: str, text: str) -> bool:
        """Whether there is a `what` of that name; a line needs one version in it."""
        if what in ("cann", "hdk"):
            wanted = span(text)
            versions = self._cann if what == "cann" else self._hdk
            if isinstance(wanted, VersionLine):
                return any(covers(wanted, one) for one in versions)
            return wanted in versions
        if what == "torch":
            return pep440(text) in self._torch
        if what == "chip":
            return normalised(text) in self._chips
        return text in (self._families if what == "family" else self._products)


def dangling(read: Sequence[tuple[Kind, YamlFile]], raw: RawMatrix, base: RawMatrix | None) -> list[Mistake]:
    """A mistake for every reference that leads nowhere."""
    known = Known(raw, base or {})
    found = []
    for kind, file in read:
        for path, what in REFERENCES.get(kind.name, ()):
            for place, row in places_of(kind, file):
                for where, text in _values(row, tuple(path.split(".")), place):
                    if not _exists(known, what, text):
                        key = ".".join(str(part) for part in where)
                        words = say("the matrix has no {what} {name}", what=what, name=text)
                        found.append(Mistake(file.path, file.line_of(where), key, words))
    return found


def _exists(known: Known, what: str, text: str) -> bool:
    try:
        return known.has(what, text)
    except InvalidVersion:
        return False


def _values(data: object, path: Place, place: Place) -> Iterator[tuple[Place, str]]:
    """Each text at `path` below `data`, with its place."""
    if not path:
        if data is not None:
            yield place, str(data)
        return
    if path[0] == "*":
        for number, item in enumerate(data if isinstance(data, list) else ()):
            yield from _values(item, path[1:], (*place, number))
    elif isinstance(data, dict) and path[0] in data:
        yield from _values(data[path[0]], path[1:], (*place, path[0]))


def _listed(row: Mapping[str, object], key: str) -> list[Any]:
    value = row.get(key)
    return value if isinstance(value, list) else []
