"""Makes one binary catalogue of the PO files of a language: `locale/zh/*.po`, one file for each area."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compile_catalogue"]


def compile_catalogue(folder: Path) -> bytes:
    """The binary form of all PO files in `folder` together; raises ValueError where two of them disagree."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    whole = Catalog(locale="zh_CN", charset="utf-8", domain="ascendenv")
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as stream:
            part = read_po(stream, locale="zh_CN", charset="utf-8", abort_invalid=True)
        for message in part:
            if not message.id:
                continue
            before = whole.get(str(message.id))
            if before is not None and before.string != message.string:
                raise ValueError(f"{path}: {message.id!r} is translated differently in another file")
            whole[str(message.id)] = message
    buffer = BytesIO()
    write_mo(buffer, whole)
    return buffer.getvalue()
