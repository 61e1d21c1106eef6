"""The page: data, style and scripts put into one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ascendenv.resources import data_folder
from ascendenv.site.data import page_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.matrix.model import Matrix
    from ascendenv.site.data import PageData

__all__ = ["page"]

SCRIPTS = ("matrix.js", "state.js", "parts.js", "answer.js", "tables.js", "start.js")
"""In this order they make one script."""
STYLES = ("style.css",)
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What could end the element that the data stands in."""


def page(matrix: Matrix, folders: Sequence[str] = ()) -> bytes:
    """The page for that matrix, into which a site's `folders` were put; the same matrix always gives the same bytes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(data_folder("templates"), "explorer")
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    data = page_data(matrix, folders)
    style = _joined(folder, STYLES)
    script = _joined(folder, SCRIPTS)
    text = environment.get_template("page.html").render(
        data=data,
        word=data["words"]["en"].__getitem__,
        json=_json(data),
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return text.encode()


def _joined(folder: Path, names: tuple[str, ...]) -> str:
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _hash(text: str) -> str:
    """How a content security policy names a style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: PageData) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character, escaped in _UNSAFE.items():
        text = text.replace(character, escaped)
    return text
