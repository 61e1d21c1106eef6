"""A profile as text that fish sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.env.profile import Profile

__all__ = ["fish_lines"]


def fish_lines(profile: Profile) -> Iterator[str]:
    """The lines after the header; `ascendenv_deactivate` brings the former environment back."""
    names = [*profile.lists, *profile.values]
    yield "functions -q ascendenv_deactivate; and ascendenv_deactivate"
    for name in names:
        yield f"set -q {name}; and set -g _ascendenv_had_{name} 1; or set -g _ascendenv_had_{name} 0"
        yield f"set -g _ascendenv_old_{name} ${name}"
    patterns = " ".join(_quoted(one) for one in ("", *profile.foreign, *profile.own_folders))
    for name, folders in profile.lists.items():
        yield "set -g _ascendenv_kept"
        yield f"for _ascendenv_entry in ${name}"
        yield f'    switch "$_ascendenv_entry"\n        case {patterns}'
        yield "        case '*'\n            set -a _ascendenv_kept $_ascendenv_entry\n    end\nend"
        yield f"set -gx {name} {' '.join(_quoted(one) for one in folders)} $_ascendenv_kept"
    yield "set -e _ascendenv_kept"
    for name, value in profile.values.items():
        yield f"set -gx {name} {_quoted(value)}"
    yield "function ascendenv_deactivate"
    for name in names:
        yield f"    test $_ascendenv_had_{name} = 1; and set -gx {name} $_ascendenv_old_{name}; or set -e {name}"
        yield f"    set -e _ascendenv_had_{name} _ascendenv_old_{name}"
    yield "    functions -e ascendenv_deactivate\nend"


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
