"""A small whole matrix, a way to import into it, and the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.cli.run import run
from ascendenv.matrix.lint import lint
from ascendenv.matrix.load import load_raw
from ascendenv.matrix.model import Matrix
from ascendenv.sources.comparison import Comparison, compare
from ascendenv.sources.kinds import Asked, source_kind
from ascendenv.sources.material import Document, Material
from ascendenv.sources.origin import Origin
from ascendenv.sources.standing import Standing
from ascendenv.sources.writing import write

if TYPE_CHECKING:
    from ascendenv.sources.statement import Reading

SAMPLES = Path(__file__).parent / "samples"
DAY = "2026-11-29"

FILES = {
    "cann/9.0.0.yaml": """
# The release of spring.
version: "9.0.0"
channel: release
layout: cann
chips: ["910B"]   # and no other
hdk_cells:
  # seen by us
  - hdk: "25.5.X"
    level: compatible
    source: [release note of 9.0.0]
notes:
  - a note for editors
source:
  - release note of 9.0.0
""",
    "cann/8.5.0.yaml": """
version: "8.5.0"
channel: release
layout: cann
source: [release note of 8.5.0]
""",
    "hdk/25.5.1.yaml": """
hdk: "25.5.1"
pairs:
  - families: ["910B"]
    driver: "25.5.1"
    firmware: "7.8.0.6.201"
    source: [a box]
source: [a box]
""",
    "torch_npu/2.9.0.yaml": """
version: "2.9.0"
torch: "2.9.0"
basis: official
cann: ["8.5.0"]
on_index: true
notes:
  - "pairing: official"
source:
  - "Ascend/pytorch:COMPATIBILITY.en.md@9e73e70"
  - release note
""",
    "torch_npu/2.9.0.post2.yaml": """
version: "2.9.0.post2"
torch: "2.9.0"
basis: inferred
cann: ["9.0.X"]   # by its date
source:
  - tags
""",
    "torch.yaml": """
# Newest first.
- torch: "2.9.0"
  # told by SUPPORT
  lifecycle:
    status: development
    first_release: "2026-01-15"
    as_of: "2026-08-21"
  pythons_documented: ["3.10", "3.11"]
  source:
    - "Ascend/pytorch:SUPPORT.en.md@9e73e70"
""",
    "chips/910B.yaml": """
name: "910B"
package_suffix: "910b"
source: [a]
""",
    "contradictions.yaml": """
# Both sides are kept.
- id: firmware-of-something
  subject: firmware of something
  says:
    - {who: one, what: this}
    - {who: another, what: that}
  advice: {en: this, zh: "此"}
  source: [a]
""",
    "images/cann.yaml": """
- repository: quay.io/ascend/cann
  cann: "9.0.0"
  tags:
    - "9.0.0-910b-openeuler24.03-py3.11"   # the usual one
    - "9.0.0-910b-ubuntu22.04-py3.11"
  source: [image tag list]
""",
    "downstream/vllm-ascend.yaml": """
project: vllm-ascend
releases:
  - version: "v0.23.0"
    kind: release
    cann: "9.0.0"
    source:
      - "vllm-project/vllm-ascend:docs/source/community/versioning_policy.md@182b75e"
  - version: "v0.20.0rc1"
    kind: release
    cann: "8.5.0"
    source:
      - "vllm-project/vllm-ascend:docs/source/community/versioning_policy.md@182b75e"
""",
    "artefacts/cann/9.0.0.yaml": """
component: cann
release: "9.0.0"
files:
  - package: toolkit
    version: "9.0.0"
    filename: Ascend-cann-toolkit_9.0.0_linux-aarch64.zip
    format: zip
    arch: aarch64
    sha256: "d7b1fd32d60f46735b8bebed8c6238071493f8f62c385e6d7946d23a65c9780e"
    verified_by: deployer
    source:
      - "package-index: ascend-deployer 25.0.0 ascend_deployer/downloader/software/CANN_9.0.0.json"
""",
}


def written(folder: Path, files: dict[str, str] | None = None) -> Path:
    """The small matrix in that folder."""
    for name, text in (FILES if files is None else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = written(tmp_path / "matrix")
    assert not lint(found).mistakes
    return found


def document(text: str | bytes, name: str = "upstream.md") -> Material:
    data = text.encode() if isinstance(text, str) else text
    return Material(name, (Document(name, data),))


def reading(
    kind: str, material: Material, *, matrix: Matrix, source: str | None = None, repository: str | None = None
) -> Reading:
    return source_kind(kind).read(material, Asked(Origin(DAY, source), matrix, repository))


def compared(kind: str, text: str | bytes, folder: Path, *, source: str | None = None) -> Comparison:
    matrix = Matrix(load_raw(folder))
    asked = Asked(Origin(DAY, source), matrix)
    return compare(source_kind(kind).read(document(text), asked), Standing(folder), asked)


def imported(kind: str, text: str | bytes, folder: Path, *, source: str | None = None) -> tuple[str, ...]:
    """Import a text into the folder; the files that changed. The folder must pass lint afterwards."""
    changed = write(compared(kind, text, folder, source=source), Standing(folder))
    assert not lint(folder).mistakes
    return changed


@dataclass
class Outcome:
    """What a command line did."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def ascendenv(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*arguments: str) -> Outcome:
        code = run(["matrix", *arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
