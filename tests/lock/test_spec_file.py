"""Wishes are read; every mistake in them is told at once, with file, line, key and the nearest right name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascendenv.errors import UnusableInput
from ascendenv.lock.spec import Mirror
from ascendenv.lock.spec_file import ONLY, SpecMistakes, read_spec

if TYPE_CHECKING:
    from ascendenv.lock.spec import Spec
    from ascendenv.matrix.model import Matrix

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "ascendenv.toml"
GOOD = '[stack]\nchip = "910B3"\narch = ["aarch64"]\n'


def read(text: str, folder: Path, matrix: Matrix) -> Spec:
    path = folder / "ascendenv.toml"
    path.write_text(text)
    return read_spec(path, matrix)


def test_the_example_is_right(matrix: Matrix) -> None:
    spec = read_spec(EXAMPLE, matrix)

    assert list(spec.stacks) == ["canary", "prod"]
    prod = spec.stacks["prod"]
    assert prod.arch == ("aarch64", "x86_64")
    assert prod.wishes().named() == {
        "chip": "910B3",
        "product": "Atlas 800T A2",
        "driver": ">=25.5",
        "cann": "8.5.0",
        "torch": ">=2.8,<2.11",
        "python": "3.11",
        "os": "ubuntu 22.04",
    }
    assert prod.env == {"HCCL_BUFFSIZE": "200"}
    assert prod.op_compiler


def test_every_key_of_the_example_is_right_when_its_comment_is_taken_away(
    tmp_path: Path, matrix: Matrix
) -> None:
    lines = EXAMPLE.read_text().replace('sha256 = "..."', f'sha256 = "{"0" * 64}"').splitlines()
    keys = [line.removeprefix("# ") if _is_commented_key(line) else line for line in lines]
    text = "\n".join(keys).replace('arch = ["aarch64", "x86_64"]', 'arch = ["aarch64"]')

    spec = read(text, tmp_path, matrix)

    assert spec.sources.mirrors == (
        Mirror(prefix="https://vendor.example/", url="https://mirror.example/ascend/{path}"),
    )
    assert spec.stacks["prod"].interpreter[0].file == "cpython-3.11.9-aarch64.tar.gz"
    assert spec.sources.find_links == ("wheels",)


def _is_commented_key(line: str) -> bool:
    rest = line.removeprefix("# ")
    return rest != line and (rest.startswith("[[") or (" = " in rest and rest[0].islower()))


def test_a_single_stack_has_a_name_of_its_own(tmp_path: Path, matrix: Matrix) -> None:
    assert list(read(GOOD, tmp_path, matrix).stacks) == [ONLY]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["1: stack: the key stack is missing"]),
        ("[stack]\n", ["1: stack: there is no stack here"]),
        ("stack = 1\n", ["1: stack"]),
        ('[stak]\nchip = "910B3"\n', ["1: stak: there is no key stak here; the nearest one is stack"]),
        (
            GOOD + 'pythn = "3.11"\n',
            ["4: stack.pythn: there is no key pythn here; the nearest one is python"],
        ),
        (GOOD + "xyzzy = 1\n", ["4: stack.xyzzy: there is no key xyzzy here"]),
        (GOOD + "driver = 25.5\n", ["4: stack.driver: this must be text"]),
        (GOOD + 'cann = ">>9"\n', ["4: stack.cann: '>>9' is no range such as '>=8.1,<8.5'"]),
        (GOOD + 'torch = "two"\n', ["4: stack.torch"]),
        (GOOD + 'pip = ["a", "b c"]\n', ["4: stack.pip.1: 'b c' is no requirement"]),
        (
            GOOD + 'pip = [\n  "numpy<2",\n  "Torch_NPU>2",\n]\n',
            ["6: stack.pip.1: torch-npu is chosen with CANN: wish it with the key torch_npu"],
        ),
        (GOOD + 'pip = ["x @ https://e.x/x.whl"]\n', ["4: stack.pip.0: x: name a version here"]),
        (GOOD + 'profile = "a b"\n', ["4: stack.profile"]),
        (GOOD + 'glibc = "3"\n', ["4: stack.glibc: '3' is no glibc such as '2.28'"]),
        (GOOD + 'env = { "A-B" = "1" }\n', ["4: stack.env.A-B: this is no name of an environment variable"]),
        ('[stack]\narch = ["aarch64"]\n', ["1: stack: name the chip or the product"]),
        ('[stack]\nchip = "910B3"\n', ["1: stack.arch: the key arch is missing"]),
        ('[stack]\nchip = "910B3"\narch = []\n', ["3: stack.arch: name aarch64, x86_64 or both"]),
        ('[stack]\nchip = "910B3"\narch = ["arm64"]\n', ["3: stack.arch.0: this must be one of"]),
        (
            '[stack]\nchip = "Asend910B3"\narch = ["aarch64"]\n',
            ["2: stack.chip: the matrix does not know Asend910B3; the nearest is Ascend910B3"],
        ),
        (
            '[stack]\nproduct = "Atlas 800I A4"\narch = ["aarch64"]\n',
            ["2: stack.product: the matrix does not know Atlas 800I A4; the nearest is Atlas 800I A"],
        ),
        (
            '[stack."a b"]\nchip = "910B3"\narch = ["aarch64"]\n',
            ["1: stack.a b: the name of a stack is made of"],
        ),
        (
            GOOD + '[sources]\nindx = "https://x"\n',
            ["5: sources.indx: there is no key indx here; the nearest one is index"],
        ),
        (GOOD + '[sources]\nindex = "pypi"\n', ["5: sources.index: this must be an address"]),
        (
            GOOD + '[[sources.mirrors]]\nprefix = "https://x/"\nurl = "https://y/"\n',
            ["6: sources.mirrors.0.url: a mirror is an address with {path}"],
        ),
        (GOOD + "chip = \n", ["4: this is not TOML"]),
    ],
)
def test_a_mistake_is_told_where_it_stands(
    text: str, told: list[str], tmp_path: Path, matrix: Matrix
) -> None:
    with pytest.raises(SpecMistakes) as caught:
        read(text, tmp_path, matrix)

    path = tmp_path / "ascendenv.toml"
    shown = [str(one).removeprefix(f"{path}:") for one in caught.value.mistakes]
    assert all(any(one.startswith(start) for one in shown) for start in told), shown


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(tmp_path: Path, matrix: Matrix) -> None:
    text = (
        '[sources]\nindx = "x"\n[stack.a]\nchip = "nothing like it"\narch = ["arm"]\ncann = "??"\n'
        '[stack.b]\nchip = "A3"\narch = ["x86_64"]\npip = ["a b"]\ndrver = "25"\n'
    )

    with pytest.raises(SpecMistakes, match="6 mistakes in the wishes") as caught:
        read(text, tmp_path, matrix)

    assert [one.line for one in caught.value.mistakes] == [2, 4, 5, 6, 10, 11]


@pytest.mark.parametrize(
    ("wishes", "interpreters", "told"),
    [
        ('["aarch64"]\n', ["aarch64 3.11.9"], None),
        ('["aarch64"]\npython = "3.11"\n', ["aarch64 3.11.9"], None),
        ('["aarch64", "x86_64"]\npython = ">=3.10"\n', ["aarch64 3.11.9", "x86_64 3.11.9"], None),
        ('["aarch64"]\npython = "3.12"\n', ["aarch64 3.11.9"], "which python = '3.12' leaves out"),
        ('["aarch64", "x86_64"]\n', ["aarch64 3.11.9"], "one interpreter for each architecture"),
        ('["aarch64", "x86_64"]\n', ["aarch64 3.11.9", "x86_64 3.11.8"], "must have one version"),
    ],
)
def test_interpreters_must_fit_the_stack(
    wishes: str, interpreters: list[str], told: str | None, tmp_path: Path, matrix: Matrix
) -> None:
    text = f'[stack]\nchip = "910B3"\narch = {wishes}'
    for one in interpreters:
        own, version = one.split()
        text += f'[[stack.interpreter]]\narch = "{own}"\nversion = "{version}"\nfile = "py.tar.gz"\nsha256 = "{"0" * 64}"\n'

    if told is not None:
        with pytest.raises(SpecMistakes, match="interpreter") as caught:
            read(text, tmp_path, matrix)
        assert told in str(caught.value)
    else:
        assert str(read(text, tmp_path, matrix).stacks[ONLY].wishes().python) == "==3.11.*"


def test_no_wishes_at_all_says_what_is_enough(tmp_path: Path, matrix: Matrix) -> None:
    with pytest.raises(UnusableInput, match="there are no wishes here") as caught:
        read_spec(tmp_path / "ascendenv.toml", matrix)

    assert "chip" in str(caught.value.hint)
