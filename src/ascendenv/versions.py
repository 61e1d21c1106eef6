"""Versions as they are written in the field: one value object, two schemes.

`pep440` is Python's own scheme (torch, torch_npu, python, every wheel). `vendor` is what Ascend software uses: driver,
firmware, HDK, CANN, ops, NNAL, npu-smi. A vendor version is a row of numbers and words; words sort at their place as

    dev < alpha < beta < T (test drop) < RC, TR < B (build) < nothing < SPH, SPC (patch) < another number

so that a build or an alpha comes before the RC or release it names, and a patch after it:

    8.0.T13 < 8.0.RC3.alpha001 < 8.0.RC3.B150 < 8.0.RC3 < 8.0.RC3_sph001 < 8.0.RC3.1 < 8.0.0.beta1 < 8.0.0

A `b` that follows a digit at once is a beta (`9.1.0b3`, how pip writes `9.1.0-beta.3`); a `b` after a separator is a
build (`25.3.rc1.b020`). Builds lie between the betas and the release, because that is when they are made: driver
25.5.0.b061 carried an older firmware than 25.5.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version as PackagingVersion

__all__ = [
    "InvalidRange",
    "InvalidVersion",
    "Scheme",
    "Version",
    "VersionLine",
    "VersionRange",
    "parse",
    "pep440",
    "vendor",
]

Scheme = Literal["vendor", "pep440"]

_END, _NUMBER = 6, 8
_WORDS = {
    "dev": 0,
    "day": 0,
    "a": 1,
    "alpha": 1,
    "beta": 2,
    "t": 3,
    "rc": 4,
    "tr": 4,
    "b": 5,
    "build": 5,
    "sph": 7,
    "spc": 7,
    "sp": 7,
}
_ALPHA_BETA = (1, 2)
_PRERELEASE = (0, 1, 2, 3, 5)
_BUILD, _PATCH = 5, 7
_COMPONENT = re.compile(r"([0-9]+)?(?:([a-z]+)([0-9]+)?)?", re.IGNORECASE | re.ASCII)
_SEPARATED = re.compile(r"[^._-]+")
_SHAPE = re.compile(r"[0-9]+(?:[._-][0-9a-z]+)+", re.IGNORECASE | re.ASCII)
_LINE = re.compile(r"((?:[0-9]+\.)+)x", re.IGNORECASE | re.ASCII)
_ONE_OR_TWO_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)
_CLAUSE = re.compile(r"(>=|<=|==|!=|>|<)?\s*([^\s<>=!~,]+)")
_LONGEST = 64


class InvalidVersion(ValueError):
    """The text is no version of its scheme."""


class InvalidRange(ValueError):
    """The text is no range of versions."""


@dataclass(frozen=True, eq=False)
class Version:
    """A version that compares with others of its scheme and prints as it was written.

    Build one with `vendor(text)` or `pep440(text)`.
    """

    text: str
    scheme: Scheme
    _key: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        key = _vendor_key(self.text) if self.scheme == "vendor" else _pep440_key(self.text)
        object.__setattr__(self, "_key", key)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.scheme == other.scheme and bool(self._key == other._key)

    def __hash__(self) -> int:
        return hash((self.scheme, self._key))

    def __lt__(self, other: Version) -> bool:
        return bool(self._key < self._comparable(other))

    def __le__(self, other: Version) -> bool:
        return bool(self._key <= self._comparable(other))

    def __gt__(self, other: Version) -> bool:
        return bool(self._key > self._comparable(other))

    def __ge__(self, other: Version) -> bool:
        return bool(self._key >= self._comparable(other))

    @cached_property
    def release(self) -> tuple[int, ...]:
        """The numbers before the first word: `(8, 0)` for 8.0.RC3, `(2, 5, 1)` for 2.5.1.post1."""
        if self.scheme == "pep440":
            return tuple(self._key.release)
        numbers = []
        for rank, number in self._key:
            if rank != _NUMBER:
                break
            numbers.append(number)
        return tuple(numbers)

    @cached_property
    def is_alpha(self) -> bool:
        """Whether this is an alpha or a beta."""
        if self.scheme == "pep440":
            return self._key.pre is not None and self._key.pre[0] in ("a", "b")
        return any(rank in _ALPHA_BETA for rank, _ in self._key)

    @property
    def is_prerelease(self) -> bool:
        """Whether a release of this name is still to come. A vendor's RC is a release: 8.0.RC3 is none."""
        if self.scheme == "pep440":
            return bool(self._key.is_prerelease)
        return any(rank in _PRERELEASE for rank, _ in self._key)

    @property
    def public(self) -> str:
        """The text without a local part: `2.9.0` for 2.9.0+cpu."""
        return self.text.partition("+")[0]

    @property
    def local(self) -> str | None:
        """The local part: `cpu` for 2.9.0+cpu."""
        return self._key.local if self.scheme == "pep440" else None

    @property
    def base(self) -> str:
        """The release this belongs to: `2.5.1` for 2.5.1.post1.dev2+cpu, `8.0.RC3` for 8.0.RC3.alpha001."""
        if self.scheme == "pep440":
            return str(self._key.base_version)
        for rank, _, start in _components(self.text):
            if rank in _PRERELEASE or rank == _PATCH:
                return self.text[:start].rstrip("._-")
        return self.text

    def belongs_to(self, release: Version) -> bool:
        """Whether this is `release`, or a build or a patch of it: 25.0.rc1.1 and 25.0.rc1.b010 belong to 25.0.RC1.

        An alpha or beta belongs to no release. For Python packages only the local part may differ.
        """
        if self.scheme != release.scheme:
            return False
        if self.scheme == "pep440":
            return self == release or pep440(self.public) == release
        own, front = self._key[:-1], release._key[:-1]
        rest = own[len(front) :]
        return own[: len(front)] == front and all(rank == _BUILD or rank >= _PATCH for rank, _ in rest)

    def _comparable(self, other: Version) -> Any:  # noqa: ANN401  (the key of the same scheme)
        if not isinstance(other, Version) or self.scheme != other.scheme:
            raise TypeError(f"{self!r} and {other!r} have no order")
        return other._key


def vendor(text: str) -> Version:
    """A version of Ascend software; raises InvalidVersion."""
    return parse(text, "vendor")


def pep440(text: str) -> Version:
    """A version of a Python distribution; raises InvalidVersion."""
    return parse(text, "pep440")


@lru_cache(maxsize=4096)  # the rows of the matrix name the same few hundred versions again and again
def parse(text: str, scheme: Scheme) -> Version:
    """A version of that scheme; raises InvalidVersion."""
    return Version(text, scheme)


@dataclass(frozen=True)
class VersionLine:
    """All versions that begin with the same numbers, written `25.0.X`."""

    text: str

    def __post_init__(self) -> None:
        if _LINE.fullmatch(self.text) is None:
            raise InvalidVersion(f"{self.text!r} is no line of versions such as '25.0.X'")

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VersionLine) and self.release == other.release

    def __hash__(self) -> int:
        return hash(self.release)

    @cached_property
    def release(self) -> tuple[int, ...]:
        """The numbers before the X."""
        return tuple(int(number) for number in self.text.split(".")[:-1])

    def contains(self, version: Version) -> bool:
        """Whether `version` begins with the numbers of this line; its RCs and builds do, too."""
        return version.release[: len(self.release)] == self.release


@dataclass(frozen=True)
class VersionRange:
    """Comma-separated bounds such as `>=2.8,<2.11`; a bare version or line stands for itself.

    For the vendor scheme a bound of one or two numbers, or one with an X, names a whole line: `>=8.1` contains 8.1.RC1,
    `<8.1` contains none of its versions; a bare version contains its builds and patches, too. The pep440 scheme
    follows Python's rules, pre-releases included.
    """

    text: str
    scheme: Scheme

    def __post_init__(self) -> None:
        if self.scheme == "pep440":
            _specifiers(self.text)
        else:
            _vendor_clauses(self.text)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def exact(self) -> Version | None:
        """The one version that the text is, e.g. of `2.9.0` or `==2.9.0`; None for a range or a line."""
        try:
            return parse(self.text.strip().removeprefix("==").strip(), self.scheme)
        except InvalidVersion:
            return None

    def contains(self, version: Version) -> bool:
        """Whether `version`, which must be of the same scheme, lies inside."""
        if version.scheme != self.scheme:
            raise TypeError(f"{version!r} does not belong to {self!r}")
        if self.scheme == "pep440":
            return _specifiers(self.text).contains(version.text, prereleases=True)
        return all(_fulfils(version, operator, bound) for operator, bound in _vendor_clauses(self.text))


def _components(text: str) -> list[tuple[int, int, int]]:
    """Rank, number and place of each number and word of a vendor version."""
    if len(text) > _LONGEST or _SHAPE.fullmatch(text) is None:
        raise InvalidVersion(f"{text!r} is no version of Ascend software")
    found: list[tuple[int, int, int]] = []
    open_word = False
    for component in _SEPARATED.finditer(text):
        match = _COMPONENT.fullmatch(component.group())
        if match is None:
            raise InvalidVersion(f"{text!r} is no version of Ascend software")
        number, word, count = match.groups()
        if number is not None and open_word and word is None:
            rank, _, start = found.pop()
            found.append((rank, int(number), start))
        elif number is not None:
            found.append((_NUMBER, int(number), component.start()))
        if word is not None:
            rank = _rank(word.lower(), text, attached=number is not None)
            found.append((rank, int(count or 0), component.start() + match.start(2)))
        open_word = word is not None and count is None
    return found


def _rank(word: str, text: str, *, attached: bool) -> int:
    if word == "b" and attached:
        return _WORDS["beta"]
    if word not in _WORDS:
        raise InvalidVersion(f"{text!r} holds the word {word!r}, which no version of Ascend software has")
    return _WORDS[word]


def _vendor_key(text: str) -> tuple[tuple[int, int], ...]:
    return (*((rank, number) for rank, number, _ in _components(text)), (_END, 0))


def _pep440_key(text: str) -> PackagingVersion:
    from packaging.version import InvalidVersion as Refused
    from packaging.version import Version as Parsed

    if text != text.strip() or len(text) > 2 * _LONGEST:
        raise InvalidVersion(f"{text!r} is no version of a Python package")
    try:
        return Parsed(text)
    except Refused:
        raise InvalidVersion(f"{text!r} is no version of a Python package") from None


@lru_cache(maxsize=256)
def _specifiers(text: str) -> SpecifierSet:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    clauses = []
    for clause in text.split(","):
        part = re.sub(r"\.x$", ".*", clause.strip(), flags=re.IGNORECASE)
        clauses.append(part if part[:1] in tuple("<>=!~") else f"=={part}")
    try:
        return SpecifierSet(",".join(clauses))
    except InvalidSpecifier:
        raise InvalidRange(f"{text!r} is no range such as '>=2.8,<2.11'") from None


@lru_cache(maxsize=256)
def _vendor_clauses(text: str) -> tuple[tuple[str, Version | VersionLine], ...]:
    clauses: list[tuple[str, Version | VersionLine]] = []
    for clause in text.split(","):
        match = _CLAUSE.fullmatch(clause.strip())
        if match is None:
            raise InvalidRange(f"{text!r} is no range such as '>=8.1,<8.5'")
        try:
            clauses.append((match.group(1) or "", _bound(match.group(2))))
        except InvalidVersion as error:
            raise InvalidRange(str(error)) from None
    return tuple(clauses)


def _bound(text: str) -> Version | VersionLine:
    if _LINE.fullmatch(text):
        return VersionLine(text)
    if _ONE_OR_TWO_NUMBERS.fullmatch(text):
        return VersionLine(f"{text}.X")
    return vendor(text)


def _position(version: Version, bound: Version | VersionLine) -> int:
    """Where `version` lies: -1 below the bound, 0 on it, 1 above."""
    if isinstance(bound, Version):
        return (version > bound) - (version < bound)
    here = version.release[: len(bound.release)]
    return (here > bound.release) - (here < bound.release)


def _fulfils(version: Version, operator: str, bound: Version | VersionLine) -> bool:
    position = _position(version, bound)
    if not operator:
        return position == 0 or (isinstance(bound, Version) and version.belongs_to(bound))
    return {
        ">=": position >= 0,
        ">": position > 0,
        "<=": position <= 0,
        "<": position < 0,
        "==": position == 0,
        "!=": position != 0,
    }[operator]
