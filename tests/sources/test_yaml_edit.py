"""Single keys and items of a YAML file change; every other byte stays."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ascendenv.sources.row_order import at_the_end, by_name, natural
from ascendenv.sources.yaml_edit import YamlEdit
from ascendenv.sources.yaml_text import row_lines, scalar

FILE = """\
# Head of the file.
version: "9.0.0"   # as they call it
channel: release
chips: ["910B"]  # and no other
hdk_cells:
  # seen by us
  - hdk: "25.5.X"
    level: compatible   # for now
    source: [a]

  # asked for
  - {hdk: "25.0.X", level: broken, source: [b]}
packages:
- one   # first
- two
notes:
  - a note
# Foot of the file.
"""


def changed(text: str, *edits: tuple[str, Any]) -> str:
    edit = YamlEdit(text)
    for method, arguments in edits:
        options = arguments[-1] if isinstance(arguments[-1], dict) and "before" in arguments[-1] else {}
        getattr(edit, method)(*(arguments[:-1] if options else arguments), **options)
    return edit.text


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (
            ("set_key", ((), "version", "9.0.1")),
            'version: "9.0.0"   # as they',
            'version: "9.0.1"  # as they',
        ),
        (("set_key", ((), "channel", "beta")), "channel: release", "channel: beta"),
        (
            ("set_key", ((), "chips", ["910B", "A3"])),
            'chips: ["910B"]  # and',
            'chips: ["910B", "A3"]  # and',
        ),
        (("set_key", ((), "layout", "cann")), "channel: release\n", "channel: release\nlayout: cann\n"),
        (("set_key", ((), "source", ["x: y"])), "  - a note\n", '  - a note\nsource:\n  - "x: y"\n'),
        (
            ("set_key", (("hdk_cells", 0), "level", "broken")),
            "    level: compatible   # for now",
            "    level: broken  # for now",
        ),
        (("set_key", (("hdk_cells", 0), "hdk", "25.5.1")), '  - hdk: "25.5.X"', '  - hdk: "25.5.1"'),
        (
            ("set_key", (("hdk_cells", 0), "families", ["910B"])),
            '  - hdk: "25.5.X"\n',
            '  - hdk: "25.5.X"\n    families: ["910B"]\n',
        ),
        (
            ("set_key", (("hdk_cells", 1), "level", "compatible")),
            '  - {hdk: "25.0.X", level: broken, source: [b]}\n',
            '  - hdk: "25.0.X"\n    level: compatible\n    source:\n      - b\n',
        ),
        (
            ("add_item", ((), "hdk_cells", {"hdk": "24.0.X", "level": "broken"}, {"before": at_the_end})),
            '  - {hdk: "25.0.X", level: broken, source: [b]}\n',
            '  - {hdk: "25.0.X", level: broken, source: [b]}\n  - hdk: "24.0.X"\n    level: broken\n',
        ),
        (
            (
                "add_item",
                ((), "hdk_cells", {"hdk": "25.2.X"}, {"before": lambda one: one["level"] == "broken"}),
            ),
            "\n  # asked for\n",
            '\n  - hdk: "25.2.X"\n  # asked for\n',
        ),
        (("add_item", ((), "packages", "three", {"before": at_the_end})), "- two\n", "- two\n- three\n"),
        (("add_item", ((), "packages", "a", {"before": lambda one: one == "one"})), "- one ", "- a\n- one "),
        (
            ("add_item", (("hdk_cells", 0), "source", "b, c", {"before": at_the_end})),
            "    source: [a]\n",
            '    source:\n      - a\n      - "b, c"\n',
        ),
    ],
)
def test_one_change(edit: tuple[str, Any], old: str, new: str) -> None:
    assert FILE.count(old) == 1
    assert changed(FILE, edit) == FILE.replace(old, new)


def test_rows_go_into_a_list_below_the_head_of_the_file() -> None:
    text = '# Newest first.\n- torch: "2.9.0"\n  source: [a]\n'
    row = {"torch": "2.10.0", "source": ["b"]}
    assert changed(text, ("add_row", (row, {"before": lambda _: True}))) == (
        '# Newest first.\n- torch: "2.10.0"\n  source:\n    - b\n- torch: "2.9.0"\n  source: [a]\n'
    )
    assert (
        changed("", ("add_row", (row, {"before": at_the_end}))) == '- torch: "2.10.0"\n  source:\n    - b\n'
    )
    assert changed("# Empty.\n[]\n", ("add_row", (row, {"before": at_the_end}))).startswith(
        "# Empty.\n- torch"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("release", "release"),
        ("9.0.0", '"9.0.0"'),
        ("v0.23.0", '"v0.23.0"'),
        ("A3", '"A3"'),
        ("cp311", '"cp311"'),
        ("f1e106203c72beaa9e35af4ac27f416b86b3edc1f4e56906773964cc141d9976", None),
        ("yes", '"yes"'),
        ("null", '"null"'),
        ("package-index: torch-npu 2.9.0", '"package-index: torch-npu 2.9.0"'),
        ("Ascend-cann-toolkit_9.0.0_linux-aarch64.zip", "Ascend-cann-toolkit_9.0.0_linux-aarch64.zip"),
        ("a #b", '"a #b"'),
        ("", '""'),
        ("固件", '"固件"'),
        (True, "true"),
        (7, "7"),
    ],
)
def test_scalars(value: object, text: str | None) -> None:
    assert scalar(value) == (text or f'"{value}"')
    assert yaml.safe_load(f"x: {scalar(value)}") == {"x": value}


@pytest.mark.parametrize(
    ("names", "new", "order"),
    [
        (
            ["v0.23.0", "v0.22.1rc1", "v0.21.0rc1"],
            "v0.23.0rc1",
            ["v0.23.0", "v0.23.0rc1", "v0.22.1rc1", "v0.21.0rc1"],
        ),
        (["v0.9.1", "v0.9.0", "v0.8.0"], "v0.10.0", ["v0.10.0", "v0.9.1", "v0.9.0", "v0.8.0"]),
        (["7.0.RC1", "7.1.RC1", "26.0.0"], "7.3.0", ["7.0.RC1", "7.1.RC1", "7.3.0", "26.0.0"]),
        (["b", "c", "a", "d", "a"], "b", ["b", "c", "a", "d", "a", "b"]),
        ([], "a", ["a"]),
    ],
)
def test_a_new_name_follows_the_order_that_is_there(names: list[str], new: str, order: list[str]) -> None:
    items = [{"version": one} for one in names]
    before = by_name({"version": new}, "version", items)
    at = next((number for number, one in enumerate(items) if before(one)), len(items))
    assert [*names[:at], new, *names[at:]] == order


def test_natural_order() -> None:
    names = ["2.9.0rc1", "2.9.0", "2.9.0.post2", "2.10.0"]
    assert sorted(names, key=natural) == names


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)
KEYS = st.sampled_from(
    ["version", "torch", "cann", "source", "notes", "wheels", "other", "tags", "lifecycle"]
)
SCALARS = st.one_of(
    TEXT, st.booleans(), st.integers(0, 99), st.sampled_from(["9.0.0", "8.10", "A3", "on", "1e5"])
)
ROWS: Any = st.dictionaries(
    KEYS,
    st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(KEYS, SCALARS, min_size=1, max_size=3)),
    min_size=1,
    max_size=5,
)


@settings(deadline=None)
@given(ROWS)
def test_what_is_written_is_read_back(row: dict[str, object]) -> None:
    assert yaml.safe_load("\n".join(row_lines(row))) == row


@settings(deadline=None, max_examples=60)
@given(st.lists(ROWS, min_size=1, max_size=4), st.data())
def test_edits_do_to_the_file_what_they_do_to_its_data(
    rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Any edits after each other, on files in block and in flow style, with comments everywhere."""
    style = data.draw(st.sampled_from([None, True, False]))
    text = yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, default_flow_style=style, width=40)
    if style is False:
        text = "# head\n" + "".join(
            f"{line}  # c\n" if line.endswith(":") else f"{line}\n" for line in text.splitlines()
        )
    edit, plain = YamlEdit(text), copy.deepcopy(rows)
    for _ in range(data.draw(st.integers(1, 5))):
        number = data.draw(st.integers(0, len(plain) - 1))
        key = data.draw(KEYS)
        if data.draw(st.booleans()) or not isinstance(plain[number].get(key, []), list):
            value = data.draw(st.one_of(SCALARS, st.lists(SCALARS, max_size=2)))
            edit.set_key((number,), key, value)
            plain[number][key] = value
        else:
            value = data.draw(SCALARS)
            edit.add_item((number,), key, value, before=at_the_end)
            plain[number][key] = [*plain[number].get(key, []), value]
    assert yaml.safe_load(edit.text) == plain
    assert ("# head" in edit.text) is (style is False)
