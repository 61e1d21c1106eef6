"""A profile as text that a POSIX shell sources: dash, bash, zsh."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.env.profile import Profile

__all__ = ["shell_lines"]

_KEPT = """\
_ascendenv_keep() {
  _ascendenv_rest="$1:" _ascendenv_kept=""
  while [ -n "$_ascendenv_rest" ]; do
    _ascendenv_entry="${_ascendenv_rest%%:*}"
    _ascendenv_rest="${_ascendenv_rest#*:}"
    case "$_ascendenv_entry" in
      PATTERNS) ;;
      *) _ascendenv_kept="$_ascendenv_kept:$_ascendenv_entry" ;;
    esac
  done
}"""


def shell_lines(profile: Profile) -> Iterator[str]:
    """The lines after the header. They can be sourced under `set -eu`, and again; `ascendenv_deactivate` takes all back.

    What was there before is kept in shell variables that are not exported, so that a child can be activated anew.
    """
    names = [*profile.lists, *profile.values]
    # Values are literal: quotes, backslashes and dollars in them are wanted.
    yield "# shellcheck shell=sh disable=SC2016,SC2089,SC2090"
    yield "if command -v ascendenv_deactivate >/dev/null 2>&1; then ascendenv_deactivate; fi"
    yield from _KEPT.replace("PATTERNS", _patterns(profile)).splitlines()
    for name in names:
        yield f'_ascendenv_had_{name}="${{{name}+1}}" _ascendenv_old_{name}="${{{name}-}}"'
    for name, own in profile.lists.items():
        yield f'_ascendenv_keep "${{{name}-}}"'
        yield f'export {name}={_quoted(":".join(own))}"$_ascendenv_kept"'
    for name, value in profile.values.items():
        yield f"export {name}={_quoted(value)}"
    yield "unset -f _ascendenv_keep"
    yield "unset _ascendenv_rest _ascendenv_kept _ascendenv_entry"
    yield from _deactivate(names)


def _deactivate(names: Sequence[str]) -> Iterator[str]:
    yield "ascendenv_deactivate() {"
    for name in names:
        yield f'  if [ -n "$_ascendenv_had_{name}" ]; then export {name}="$_ascendenv_old_{name}"; else unset {name}; fi'
        yield f"  unset _ascendenv_had_{name} _ascendenv_old_{name}"
    yield "  unset -f ascendenv_deactivate"
    yield "}"


def _patterns(profile: Profile) -> str:
    return " | ".join(('""', *profile.foreign, *(_quoted(one) for one in profile.own_folders)))


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"
