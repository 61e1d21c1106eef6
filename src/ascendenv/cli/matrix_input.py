"""Versions, ranges and names as the user types them; what cannot be read names the option and the nearest version."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.versions import InvalidRange, InvalidVersion, VersionRange, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.matrix.given import Given
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.wishes import Wishes
    from ascendenv.versions import Scheme

__all__ = ["day_of", "folder_of", "given_of", "wishes_of"]

_PYTHON_PARTS = ("torch", "torch_npu", "python")
_ARCHES = {"arm64": "aarch64", "amd64": "x86_64", "x86-64": "x86_64", "x64": "x86_64"}


def given_of(
    matrix: Matrix,
    texts: Mapping[str, str | None],
    *,
    chip: str | None,
    product: str | None,
    arch: str | None,
    os: str | None,
) -> Given:
    """What the options give; raises UnusableInput where a version cannot be read, or nothing is given."""
    from ascendenv.matrix.given import Given

    versions: dict[str, Any] = {}
    for part, text in texts.items():
        if text is not None:
            try:
                versions[part] = parse(text.strip(), _scheme(part))
            except InvalidVersion:
                raise _unreadable(matrix, part, text) from None
    given = Given(chip=chip, product=product, arch=_arch(arch), os=os, **versions)
    if not given.named():
        raise UnusableInput(
            say("nothing to check"),
            hint=say("give two or more parts, for example --cann 9.0.0 --driver 25.5.1"),
        )
    return given


def wishes_of(
    matrix: Matrix,
    texts: Mapping[str, str | None],
    *,
    chip: str | None,
    product: str | None,
    arch: str | None,
    os: str | None,
) -> Wishes:
    """What the options wish; raises UnusableInput where a version or range cannot be read."""
    from ascendenv.matrix.wishes import Wishes

    ranges: dict[str, Any] = {}
    for part, text in texts.items():
        if text is not None:
            try:
                ranges[part] = VersionRange(text.strip(), _scheme(part))
            except (InvalidRange, InvalidVersion):
                raise _unreadable(matrix, part, text) from None
    return Wishes(chip=chip, product=product, arch=_arch(arch), os=os, **ranges)


def folder_of(path: str) -> Path:
    """The folder of that name; raises UnusableInput where there is none."""
    folder = Path(path)
    if not folder.is_dir():
        raise UnusableInput(say("there is no such folder"), where=path)
    return folder


def day_of(text: str | None) -> str:
    """The day as `2026-11-29`; today where none is given."""
    from datetime import date, datetime, timezone

    if text is None:
        return datetime.now(tz=timezone.utc).date().isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise UnusableInput(
            say("--at {text}: this is no day", text=text), hint=say("write it as 2026-11-29")
        ) from None


def _scheme(part: str) -> Scheme:
    return "pep440" if part in _PYTHON_PARTS else "vendor"


def _arch(text: str | None) -> str | None:
    if text is None:
        return None
    name = _ARCHES.get(text.lower(), text.lower())
    if name not in ("aarch64", "x86_64"):
        raise UnusableInput(
            say("--arch {text}: there is no such architecture here", text=text),
            hint=say("use aarch64 or x86_64"),
        )
    return name


def _unreadable(matrix: Matrix, part: str, text: str) -> UnusableInput:
    option = f"--{part.replace('_', '-')}"
    nearest = get_close_matches(text.upper(), [one.upper() for one in _known(matrix, part)], n=1, cutoff=0)
    shown = next((one for one in _known(matrix, part) if nearest and one.upper() == nearest[0]), "")
    return UnusableInput(
        say("{option} {text}: this version cannot be read", option=option, text=repr(text)),
        hint=say("the nearest known version is {version}", version=shown) if shown else None,
    )


def _known(matrix: Matrix, part: str) -> list[str]:
    """The versions of that part which the matrix knows, as text."""
    if part in ("driver", "firmware"):
        found = [getattr(pair, part) for hdk in matrix.hdk.values() for pair in hdk.pairs]
        return [str(one) for one in found if one is not None]
    if part == "python":
        return [str(one) for line in matrix.torch.values() for one in line.pythons_documented]
    if part == "torch":
        return list(matrix.torch)
    return list(matrix.torch_npu if part == "torch_npu" else matrix.cann)
