"""`ascendenv matrix site`: what it writes, and what it says where it cannot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ascendenv.cli.run import run
from ascendenv.language import use_language
from ascendenv.matrix import store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ascendenv.matrix.model import Matrix


@pytest.fixture(autouse=True)
def quick(small: Matrix, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(store, "shipped_matrix", lambda: small)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    yield
    use_language("en")


def test_one_file_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "new" / "folder"

    assert run(["matrix", "site", "-o", str(target)]) == 0

    assert [one.name for one in target.iterdir()] == ["index.html"]
    text = (target / "index.html").read_text()
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")
    assert capsys.readouterr().out == f"wrote {target / 'index.html'} ({len(text.encode()) / 1000:.0f} kB)\n"


def test_an_old_page_is_replaced_and_its_neighbours_stay(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("old")
    (tmp_path / "logo.svg").write_text("ours")

    assert run(["matrix", "site", "--output", str(tmp_path)]) == 0

    assert (tmp_path / "index.html").read_text() != "old"
    assert (tmp_path / "logo.svg").read_text() == "ours"


def test_a_write_that_fails_leaves_the_old_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    assert run(["matrix", "site", "-o", str(tmp_path)]) == 2
    assert [one.name for one in tmp_path.iterdir()] == ["index.html"]
    assert (tmp_path / "index.html").read_text() == "old"
    assert "No space left on device" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", "file"], "this is a file; name a folder"),
        (["-o", "file/below"], "this folder cannot be written"),
        (["-o", "out", "--matrix", "absent"], "there is no such folder"),
        (["-o", "file", "--lang", "zh"], "这是一个文件"),
        ([], "--output"),
    ],
)
def test_what_cannot_be_done_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")

    assert run(["matrix", "site", *arguments]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.out == ""


def test_a_sites_folder_is_part_of_the_page(tmp_path: Path, site_folder: Path) -> None:
    assert run(["matrix", "site", "-o", str(tmp_path), "--matrix", str(site_folder)]) == 0

    assert f"site: {site_folder}" in (tmp_path / "index.html").read_text()
