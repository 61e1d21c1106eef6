"""What a lock, the files beside it and the answers look like, in whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.golden_files import assert_golden
from tests.lock.stacks import LOCK, STACK, with_file, with_value

from ascendenv.cli.lock_text import print_check, print_explanation, print_lock
from ascendenv.language import say, use_language
from ascendenv.lock.changes import changes
from ascendenv.lock.check import Difference
from ascendenv.lock.explain import Explanation, Rejected
from ascendenv.lock.lock_text import lock_text
from ascendenv.lock.model import Lock
from ascendenv.lock.pip_files import pip_files
from ascendenv.matrix.level import Level
from ascendenv.matrix.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

BEFORE = Lock(
    stacks=(with_file(with_value(STACK, "hdk", "driver", "25.5.0"), "python", "numpy", version="1.26.3"),)
)


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    use_language(request.param)
    yield request.param
    use_language("en")


def test_the_lock() -> None:
    assert_golden("lock/ascendenv.lock", lock_text(LOCK))


def test_what_pip_reads() -> None:
    for name, text in pip_files(Lock(stacks=(STACK,))).items():
        assert_golden(f"lock/{name}", text)


def test_the_answer_of_lock(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_lock("ascendenv.lock", LOCK, changes(BEFORE, LOCK), ["ascendenv.lock"])

    assert_golden(f"lock/answer.{language}.txt", capsys.readouterr().out)


def test_the_answer_of_check(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_check(
        "ascendenv.lock",
        [
            Difference(
                "prod", say("the level was {before} and is {after}", before="a", after="b"), harmless=True
            ),
            Difference("prod", say("the pip set is asked for {requirement}", requirement="tqdm")),
        ],
    )

    assert_golden(f"lock/check.{language}.txt", capsys.readouterr().out)


def test_the_answer_of_explain(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    why = say("CANN {cann} is paired with HDK {hdk}", cann="8.5.0", hdk="25.5.1")
    relation = Relation(
        "cann-hdk", ("cann 8.5.0", "driver 25.5.1"), Level.RECOMMENDED, why, ("a note", "b", "c")
    )
    left_out = say("the wish {name} = {wish} leaves it out", name="driver", wish="'<26'")
    driver = Explanation(
        component="driver",
        version="25.5.1",
        wish="<26",
        relations=(relation,),
        rejected=(Rejected("26.1.1", left_out), Rejected("26.0.rc1", left_out)),
        more=2,
    )

    print_explanation({STACK: [driver]})

    assert_golden(f"lock/explain.{language}.txt", capsys.readouterr().out)
