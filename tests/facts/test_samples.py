"""Every recorded output in `samples/` is read exactly as the JSON beside it says.

To add one, put the text there and run `python -m tests.facts.test_samples`; then read what it wrote and correct it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

FOLDER = Path(__file__).parent / "samples"
SAMPLES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_recorded_output_is_read_as_expected(sample: Path) -> None:
    expected = json.loads(sample.with_suffix(".json").read_text())

    assert shown(facts_of(report=sample.read_bytes())) == expected


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_labels_fences_and_line_ends_around_an_output_change_nothing(sample: Path) -> None:
    lines = sample.read_text().splitlines()
    dressed = "\r\n".join(
        [
            "### Environment",
            "",
            "```text",
            *(f"\x1b[36m(EngineCore pid=1)\x1b[0m {line}" for line in lines),
            "```",
        ]
    )
    expected = json.loads(sample.with_suffix(".json").read_text())

    assert shown(facts_of(report=dressed)) == expected


def write_expectations() -> None:
    """Writes what is read now, for a person to check."""
    for sample in SAMPLES:
        read = json.dumps(shown(facts_of(report=sample.read_bytes())), indent=1, ensure_ascii=False)
        sample.with_suffix(".json").write_text(f"{read}\n")


if __name__ == "__main__":
    write_expectations()
