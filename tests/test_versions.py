"""Versions: long sorted tables in which every pair is compared, and laws that hold for any version."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascendenv.versions import (
    InvalidRange,
    InvalidVersion,
    Scheme,
    Version,
    VersionLine,
    VersionRange,
    parse,
    pep440,
    vendor,
)

CANN_SORTED = [
    "6.0.RC1.alpha001",
    "6.0.RC1",
    "6.0.1.alpha001",
    "6.0.1",
    "6.3.RC1",
    "6.3.RC2",
    "6.3.RC3",
    "6.3.RC3.1",
    "7.0.RC1",
    "7.0.0.beta1",
    "7.0.0",
    "7.0.1",
    "7.0.1.1",
    "8.0.T13",
    "8.0.RC1.alpha003",
    "8.0.RC1.beta1",
    "8.0.RC1",
    "8.0.RC2",
    "8.0.RC2.20",
    "8.0.RC3.alpha001",
    "8.0.RC3.alpha002",
    "8.0.RC3.beta1",
    "8.0.RC3.B060",
    "8.0.RC3",
    "8.0.RC3_sph001",
    "8.0.RC3.20",
    "8.0",
    "8.0.0.alpha001",
    "8.0.0.beta1",
    "8.0.0",
    "8.0.1",
    "8.1.RC1.alpha001",
    "8.1.RC1.B238",
    "8.1.RC1",
    "8.2.RC1.B150",
    "8.2.RC1",
    "8.2.RC2",
    "8.3.RC1",
    "8.3.RC2",
    "8.5.0.alpha001",
    "8.5.0.alpha002",
    "8.5.0-beta.1",
    "8.5.0",
    "8.5.1",
    "8.5.2",
    "9.0.T2",
    "9.0.T511",
    "9.0.0-beta.1",
    "9.0.0-beta.2",
    "9.0.0",
    "9.0.1",
    "9.1.0.day20260401",
    "9.1.0-beta.1",
    "9.1.0_beta.2",
    "9.1.0b3",
    "9.1.0",
    "9.1.1",
    "9.2.0",
    "10.0.0",
]

HDK_SORTED = [
    "1.0.RC1",
    "1.82.22.2.220",
    "6.0.rc1",
    "6.0.rc1.2",
    "6.3.0.1.241",
    "6.4.0.4.220",
    "6.4.12.1.241",
    "7.0.0.5.242",
    "7.1.0.4.220",
    "7.1.0.11.220",
    "7.3.0.1.231",
    "7.5.0.1.129",
    "7.7.0.1.231",
    "7.7.0.1.238",
    "7.7.0.3.228",
    "7.7.99",
    "7.8.0.2.212",
    "9.0.0.0.205",
    "9.0.0.9.220",
    "9.0.0.105.229",
    "22.0.0",
    "23.0.rc1",
    "23.0.rc3",
    "23.0.0",
    "23.0.3",
    "23.0.7",
    "24.1.rc1",
    "24.1.rc2",
    "24.1.rc2.2",
    "24.1.RC3",
    "24.1.0",
    "24.1.0.1",
    "25.0.rc1.b010",
    "25.0.rc1",
    "25.0.rc1_sph001",
    "25.0.rc1_sph002",
    "25.0.rc1.1",
    "25.0.rc1.3",
    "25.2.0",
    "25.2.3",
    "25.3.rc1.b020",
    "25.3.rc1",
    "25.3.rc1.2",
    "25.5.0.b061",
    "25.5.0",
    "25.5.1",
    "25.6.rc1.b163",
    "25.6.rc1.b218",
    "25.7.rc1.6",
    "26.0.rc1",
    "26.0.rc3",
    "26.1.1",
    "26.2.rc1.b021",
    "26.2.rc1",
    "26.2.0",
]

PEP440_SORTED = [
    "1.5.0.post3",
    "1.8.1rc1",
    "1.8.1",
    "1.11.0.post4",
    "2.1.0rc1",
    "2.1.0",
    "2.1.0+cpu",
    "2.1.0.post3",
    "2.1.0.post17.dev20250619",
    "2.1.0.post17",
    "2.5.1.dev20250218",
    "2.5.1rc1",
    "2.5.1",
    "2.5.1+cpu",
    "2.5.1.post1.dev20250619",
    "2.5.1.post1",
    "2.7.1a0+git1234567",
    "2.7.1",
    "2.9.0",
    "2.9.0+cpu",
    "2.9.0.post2",
    "2.10.0",
    "2.10.0.post10",
    "2.14.0",
    "3.9.7",
    "3.10.0",
]

SORTED: list[tuple[Scheme, list[str]]] = [
    ("vendor", CANN_SORTED),
    ("vendor", HDK_SORTED),
    ("pep440", PEP440_SORTED),
]


@pytest.mark.parametrize(("scheme", "table"), SORTED, ids=["cann", "hdk", "python"])
def test_every_pair_of_a_sorted_table_compares(scheme: Scheme, table: list[str]) -> None:
    versions = [parse(text, scheme) for text in table]
    for low, high in combinations(versions, 2):
        assert low < high
        assert low <= high
        assert high > low
        assert high >= low
        assert low != high
        assert not low > high
    assert sorted(set(versions)) == versions


@pytest.mark.parametrize(("scheme", "table"), SORTED, ids=["cann", "hdk", "python"])
def test_a_version_prints_as_it_was_written(scheme: Scheme, table: list[str]) -> None:
    assert [str(parse(text, scheme)) for text in table] == table


@pytest.mark.parametrize(
    ("scheme", "one", "other"),
    [
        ("vendor", "25.0.RC1", "25.0.rc1"),
        ("vendor", "8.0.RC3.ALPHA001", "8.0.rc3.alpha001"),
        ("vendor", "9.1.0-beta.3", "9.1.0b3"),
        ("vendor", "9.1.0-beta.3", "9.1.0_beta.3"),
        ("vendor", "9.1.0.beta.3", "9.1.0.beta3"),
        ("vendor", "8.0.RC3.alpha001", "8.0.RC3.alpha1"),
        ("vendor", "8.2.RC1.B150", "8.2.rc1.b150"),
        ("vendor", "25.0.rc1_sph001", "25.0.RC1.SPH001"),
        ("pep440", "2.9.0+CPU", "2.9.0+cpu"),
        ("pep440", "2.1.0RC1", "2.1.0rc1"),
        ("pep440", "2.9", "2.9.0"),
    ],
)
def test_spellings_of_one_version_are_equal(scheme: Scheme, one: str, other: str) -> None:
    left, right = parse(one, scheme), parse(other, scheme)
    assert left == right
    assert hash(left) == hash(right)
    assert left <= right
    assert left >= right
    assert str(left) == one


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "8",
        "RC3",
        "8.0.",
        ".8.0",
        "8..0",
        "8.0 RC3",
        " 8.0.RC3",
        "8.0.RC3\n",
        "8.0.RC3.final",
        "8.0.X",
        "25.0.x",
        "V100R001C21SPC001B238",
        "v8.0.0",
        "8.0.0+cpu",
        "latest",
        "8.0.1RC2X",
        "٨.٠",
        "8." + "1" * 80,
        "1" * 5000 + ".0",
    ],
)
def test_what_is_no_vendor_version_is_refused(text: str) -> None:
    with pytest.raises(InvalidVersion):
        vendor(text)


@pytest.mark.parametrize(
    "text", ["", "25.0.rc1.1", "8.0.RC3.alpha001", "abc", " 2.1.0", "2.1.0 ", "2." * 200]
)
def test_what_is_no_python_version_is_refused(text: str) -> None:
    with pytest.raises(InvalidVersion):
        pep440(text)


@pytest.mark.parametrize(
    ("text", "release", "base", "alpha", "prerelease"),
    [
        ("8.0.RC3", (8, 0), "8.0.RC3", False, False),
        ("8.0.RC3.alpha001", (8, 0), "8.0.RC3", True, True),
        ("8.5.0.alpha001", (8, 5, 0), "8.5.0", True, True),
        ("9.1.0-beta.1", (9, 1, 0), "9.1.0", True, True),
        ("9.1.0b3", (9, 1, 0), "9.1.0", True, True),
        ("8.2.RC1.B150", (8, 2), "8.2.RC1", False, True),
        ("8.0.T13", (8, 0), "8.0", False, True),
        ("6.3.RC3.1", (6, 3), "6.3.RC3.1", False, False),
        ("25.0.rc1.1", (25, 0), "25.0.rc1.1", False, False),
        ("25.0.rc1_sph001", (25, 0), "25.0.rc1", False, False),
        ("25.3.rc1.b020", (25, 3), "25.3.rc1", False, True),
        ("7.7.0.1.238", (7, 7, 0, 1, 238), "7.7.0.1.238", False, False),
        ("8.5.0", (8, 5, 0), "8.5.0", False, False),
    ],
)
def test_parts_of_a_vendor_version(
    text: str, release: tuple[int, ...], base: str, alpha: bool, prerelease: bool
) -> None:
    version = vendor(text)
    assert (version.release, version.base, version.is_alpha, version.is_prerelease) == (
        release,
        base,
        alpha,
        prerelease,
    )
    assert (version.public, version.local) == (text, None)


@pytest.mark.parametrize(
    ("text", "release", "names", "flags"),
    [
        ("2.5.1.post1", (2, 5, 1), ("2.5.1", "2.5.1.post1", None), (False, False)),
        ("2.9.0+cpu", (2, 9, 0), ("2.9.0", "2.9.0", "cpu"), (False, False)),
        (
            "2.5.1.post1.dev20250619+cpu",
            (2, 5, 1),
            ("2.5.1", "2.5.1.post1.dev20250619", "cpu"),
            (False, True),
        ),
        ("2.1.0rc1", (2, 1, 0), ("2.1.0", "2.1.0rc1", None), (False, True)),
        ("2.7.0a0+gitabc", (2, 7, 0), ("2.7.0", "2.7.0a0", "gitabc"), (True, True)),
    ],
)
def test_parts_of_a_python_version(
    text: str,
    release: tuple[int, ...],
    names: tuple[str, str, str | None],
    flags: tuple[bool, bool],
) -> None:
    version = pep440(text)
    assert version.release == release
    assert (version.base, version.public, version.local) == names
    assert (version.is_alpha, version.is_prerelease) == flags


@pytest.mark.parametrize(
    ("version", "release", "belongs"),
    [
        ("25.0.rc1", "25.0.RC1", True),
        ("25.0.rc1.1", "25.0.RC1", True),
        ("25.0.rc1.b010", "25.0.RC1", True),
        ("25.0.rc1_sph001", "25.0.RC1", True),
        ("24.1.0.1", "24.1.0", True),
        ("25.5.0.b061", "25.5.0", True),
        ("7.0.1.1", "7.0.1", True),
        ("8.0.RC3.alpha001", "8.0.RC3", False),
        ("8.5.0-beta.1", "8.5.0", False),
        ("8.0.RC3", "8.0", False),
        ("25.0.rc10", "25.0.rc1", False),
        ("25.0.rc1", "25.0.rc1.1", False),
        ("8.0.T13", "8.0", False),
    ],
)
def test_builds_and_patches_belong_to_their_release(version: str, release: str, belongs: bool) -> None:
    assert vendor(version).belongs_to(vendor(release)) is belongs


@pytest.mark.parametrize(
    ("version", "release", "belongs"),
    [
        ("2.9.0+cpu", "2.9.0", True),
        ("2.9.0.post2+git4c901a4", "2.9.0.post2", True),
        ("2.9.0.post2", "2.9.0", False),
        ("2.5.1.dev20250218", "2.5.1", False),
    ],
)
def test_only_a_local_part_may_differ_for_python(version: str, release: str, belongs: bool) -> None:
    assert pep440(version).belongs_to(pep440(release)) is belongs
    assert not vendor("2.9.0").belongs_to(pep440("2.9.0"))


def test_versions_of_two_schemes_have_no_order() -> None:
    assert vendor("8.0.0") != pep440("8.0.0")
    with pytest.raises(TypeError):
        _ = vendor("8.0.0") < pep440("8.0.0")
    with pytest.raises(TypeError):
        _ = pep440("8.0.0") >= vendor("8.0.0")


@pytest.mark.parametrize(
    ("line", "inside", "outside"),
    [
        ("25.0.X", ["25.0.rc1", "25.0.RC1.1", "25.0.0", "25.0.rc1_sph001"], ["25.2.0", "24.1.0", "2.5.0"]),
        ("8.5.x", ["8.5.0", "8.5.2", "8.5.0.alpha001"], ["8.3.RC1", "9.0.0", "8.50.0"]),
        ("26.X", ["26.0.rc1", "26.2.0"], ["25.9.0"]),
    ],
)
def test_lines(line: str, inside: list[str], outside: list[str]) -> None:
    assert [text for text in inside + outside if VersionLine(line).contains(vendor(text))] == inside
    assert VersionLine(line) == VersionLine(line.swapcase())
    assert hash(VersionLine(line)) == hash(VersionLine(line.swapcase()))
    assert str(VersionLine(line)) == line


def test_a_line_serves_python_versions_too() -> None:
    assert VersionLine("2.8.x").contains(pep440("2.8.0.post2"))
    assert not VersionLine("2.8.x").contains(pep440("2.9.0"))


@pytest.mark.parametrize("text", ["", "X", "25", "25.0", "25.X.0", "25.0.Y", "25.0.X "])
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(InvalidVersion):
        VersionLine(text)


@pytest.mark.parametrize(
    ("text", "scheme", "inside", "outside"),
    [
        (">=2.8,<2.11", "pep440", ["2.8.0", "2.10.0", "2.10.0+cpu"], ["2.7.1", "2.11.0", "2.11.0.post3"]),
        ("2.9.0", "pep440", ["2.9.0", "2.9.0+cpu"], ["2.9.0.post2", "2.9.1"]),
        ("2.9.X", "pep440", ["2.9.0", "2.9.0.post2", "2.9.1"], ["2.10.0"]),
        ("~=2.9.0", "pep440", ["2.9.0", "2.9.1"], ["2.10.0"]),
        (
            ">=8.1",
            "vendor",
            ["8.1.RC1", "8.1.RC1.alpha001", "8.1.0", "9.0.0"],
            ["8.0.0", "8.0.RC3"],
        ),
        ("<8.1", "vendor", ["8.0.0", "8.0.RC3"], ["8.1.RC1", "8.1.RC1.alpha001", "8.2.RC1"]),
        ("<=8.1", "vendor", ["8.0.0", "8.1.RC1"], ["8.2.RC1"]),
        (">8.1", "vendor", ["8.2.RC1"], ["8.1.RC1", "8.1.0"]),
        (">=8.5.0", "vendor", ["8.5.0", "8.5.1"], ["8.5.0.alpha001", "8.3.RC2"]),
        (">=8.1, <8.5, !=8.2.RC1", "vendor", ["8.1.RC1", "8.3.RC1"], ["8.2.RC1", "8.5.0"]),
        ("25.0.X", "vendor", ["25.0.rc1.1"], ["25.2.0"]),
        ("<25", "vendor", ["24.1.0", "23.0.7"], ["25.0.rc1", "26.0.rc1"]),
        ("9", "vendor", ["9.0.0", "9.2.0-beta.2"], ["8.5.2"]),
        ("==25.0.rc1.1", "vendor", ["25.0.RC1.1"], ["25.0.rc1", "25.0.rc1.1.b010"]),
        (
            "25.0.rc1",
            "vendor",
            ["25.0.RC1", "25.0.rc1.1", "25.0.rc1.b010"],
            ["25.0.rc2", "25.0.rc1.alpha001"],
        ),
    ],
)
def test_ranges(text: str, scheme: Scheme, inside: list[str], outside: list[str]) -> None:
    within = VersionRange(text, scheme)
    assert [one for one in inside + outside if within.contains(parse(one, scheme))] == inside


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("", "vendor"),
        (">=", "vendor"),
        ("8.1,", "vendor"),
        ("=>8.1", "vendor"),
        (">=latest", "vendor"),
        ("", "pep440"),
        ("=>2.8", "pep440"),
        (">=2.8,,<3", "pep440"),
    ],
)
def test_what_is_no_range_is_refused(text: str, scheme: Scheme) -> None:
    with pytest.raises(InvalidRange):
        VersionRange(text, scheme)


@pytest.mark.parametrize(
    ("text", "scheme", "exact"),
    [
        ("2.9.0", "pep440", "2.9.0"),
        ("==2.9.0+cpu", "pep440", "2.9.0+cpu"),
        ("==2.9.*", "pep440", None),
        (">=2.9.0", "pep440", None),
        ("25.0.rc1.1", "vendor", "25.0.rc1.1"),
        ("25.0.X", "vendor", None),
        (">=8.1,<8.5", "vendor", None),
    ],
)
def test_a_range_may_be_one_version(text: str, scheme: Scheme, exact: str | None) -> None:
    found = VersionRange(text, scheme).exact
    assert (str(found) if found is not None else None) == exact


def test_a_range_refuses_a_version_of_the_other_scheme() -> None:
    with pytest.raises(TypeError):
        VersionRange(">=8.1", "vendor").contains(pep440("8.1"))


NUMBER = st.integers(0, 400).map(str)
WORD = st.sampled_from(["RC", "rc", "alpha", "beta", "B", "b", "T", "sph", "Beta.", "alpha00"])
TAIL = st.one_of(
    st.tuples(st.sampled_from("._-"), NUMBER).map("".join),
    st.tuples(st.sampled_from("._-"), WORD, NUMBER).map("".join),
)
VENDOR = st.tuples(NUMBER, NUMBER, st.lists(TAIL, max_size=4).map("".join)).map(
    lambda parts: vendor(f"{parts[0]}.{parts[1]}{parts[2]}")
)
PEP440 = (
    st.tuples(
        NUMBER,
        st.lists(NUMBER, min_size=1, max_size=3).map(lambda parts: "." + ".".join(parts)),
        st.sampled_from(["", "a1", "b2", "rc1", "rc2"]),
        st.sampled_from(["", ".post1", ".post17"]),
        st.sampled_from(["", ".dev20250218"]),
        st.sampled_from(["", "+cpu", "+git12ab"]),
    )
    .map("".join)
    .map(pep440)
)


@pytest.mark.parametrize("versions", [VENDOR, PEP440], ids=["vendor", "pep440"])
def test_order_is_total_and_hash_agrees_with_equality(versions: st.SearchStrategy[Version]) -> None:
    @settings(deadline=None)
    @given(versions, versions, versions)
    def laws(one: Version, two: Version, three: Version) -> None:
        assert (one < two) + (one == two) + (one > two) == 1
        assert (one <= two) == (not two < one)
        assert (one >= two) == (not one < two)
        assert one != two or hash(one) == hash(two)
        low, middle, high = sorted([one, two, three])
        assert low <= middle <= high
        assert low <= high

    laws()


@pytest.mark.parametrize("versions", [VENDOR, PEP440], ids=["vendor", "pep440"])
def test_text_round_trips_in_any_case(versions: st.SearchStrategy[Version]) -> None:
    @settings(deadline=None)
    @given(versions)
    def laws(version: Version) -> None:
        again = parse(str(version), version.scheme)
        assert (again, str(again)) == (version, version.text)
        assert parse(version.text.swapcase(), version.scheme) == version
        assert VersionRange(f"=={version.text}", version.scheme).contains(version)
        assert parse(version.base, version.scheme).release == version.release

    laws()


@pytest.mark.parametrize("scheme", ["vendor", "pep440"])
def test_any_text_is_a_version_or_refused(scheme: Scheme) -> None:
    @settings(deadline=None)
    @given(st.text(max_size=30))
    def laws(text: str) -> None:
        try:
            version = parse(text, scheme)
        except InvalidVersion:
            return
        assert str(version) == text

    laws()
