"""A profile in one of the forms that shells and programs read, the same bytes each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.env.fish import fish_lines
from ascendenv.env.shell import shell_lines
from ascendenv.env.static import docker_lines, dotenv_lines, k8s_lines, readable, systemd_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.env.profile import Profile

__all__ = ["FORMS", "render"]

FORMS: dict[str, Callable[[Profile], Iterator[str]]] = {
    "sh": shell_lines,
    "bash": shell_lines,
    "fish": fish_lines,
    "dotenv": dotenv_lines,
    "systemd": systemd_lines,
    "docker": docker_lines,
    "k8s": k8s_lines,
}
"""The forms by name; `sh` is for dash, bash and zsh."""


def render(profile: Profile, form: str) -> str:
    """The profile in that form; raises UnusableInput with the name of a variable whose value the form cannot hold."""
    readable(profile.values)
    lines = list(FORMS[form](profile))
    header = [f"ascendenv profile {profile.title}", f"lock {profile.digest}", f"matrix {profile.matrix}"]
    header += [f"note: {one.text()}" for one in profile.notes]
    return "\n".join([*(f"# {one}".rstrip() for one in header), *lines, ""])
