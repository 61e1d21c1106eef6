"""Where keys stand in a TOML file."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascendenv.lock.toml_file import parse_toml
from ascendenv.lock.toml_lines import lines_of
from ascendenv.lock.toml_text import line, spread, table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCUMENT = '''\
# a comment = 1
title = "a # b"   # not a [header]
[stack.prod]
arch = [
  "aarch64",  # first
  "x86_64",
]
text = """
[no.header]
key = 1
"""
other.deep = 1
env = { A = "1", "B c" = '2' }
[[stack.prod.file]]
name = "one"
[[stack.prod.file]]
name = "two"
[stack.prod.file.inside]
x = 1
["quoted.name"]
y = -1.5e3
'''


@pytest.mark.parametrize(
    ("place", "line_number"),
    [
        (("title",), 2),
        (("stack", "prod"), 3),
        (("stack", "prod", "arch"), 4),
        (("stack", "prod", "arch", 0), 5),
        (("stack", "prod", "arch", 1), 6),
        (("stack", "prod", "text"), 8),
        (("stack", "prod", "other", "deep"), 12),
        (("stack", "prod", "env", "B c"), 13),
        (("stack", "prod", "file", 0), 14),
        (("stack", "prod", "file", 1, "name"), 17),
        (("stack", "prod", "file", 1, "inside", "x"), 19),
        (("quoted.name", "y"), 21),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_key_has_its_line(place: tuple[str | int, ...], line_number: int, ending: str) -> None:
    assert lines_of(DOCUMENT.replace("\n", ending))[place] == line_number


VALUES = st.one_of(
    st.text(), st.integers(-(2**62), 2**62), st.booleans(), st.lists(st.text(), max_size=4).map(tuple)
)


@given(st.dictionaries(st.text(), VALUES, max_size=6))
def test_what_we_write_is_read_back_and_every_line_is_found(
    values: dict[str, str | int | bool | tuple[str, ...]],
) -> None:
    text = table(("t", "u.v"), [line(name, value) for name, value in values.items()])
    text += table(("s",), [spread(name, value) for name, value in values.items()], many=True)

    read = tomllib.loads(text)
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    assert read["t"]["u.v"] == plain
    assert read["s"] == [plain]
    lines = lines_of(text)
    assert all(lines["t", "u.v", name] == number for number, name in enumerate(values, start=2))


@given(
    st.one_of(st.binary(max_size=200), st.text(alphabet="ab.=[]{}\"'\\#,\n 1", max_size=60).map(str.encode))
)
def test_any_bytes_are_read_or_are_one_mistake(data: bytes) -> None:
    file = parse_toml(data, "x.toml")

    assert (file.data is None) == bool(file.mistakes)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"a = 1\nb = \n", "x.toml:2: this is not TOML"),
        (b"a = 1\na = 2\n", "this is not TOML"),
        (b"a = 1\n\xff\n", "x.toml:2: cannot be read: it is not UTF-8"),
        (b"a = " + b"[" * 5000, "it nests too deep"),
        (b"a = '''x", "this is not TOML"),
    ],
)
def test_a_file_that_is_no_toml_tells_its_line(data: bytes, told: str) -> None:
    (mistake,) = parse_toml(data, "x.toml").mistakes

    assert told in str(mistake)
