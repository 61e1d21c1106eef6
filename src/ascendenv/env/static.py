"""A profile as a file that no shell reads: dotenv, systemd's EnvironmentFile, docker's --env-file, a Kubernetes env list.

Such a file cannot look at what is there, so the lists are whole.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.env.profile import Profile

__all__ = ["docker_lines", "dotenv_lines", "k8s_lines", "mapping", "readable", "systemd_lines"]

_SYSTEM_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
_PLAIN = re.compile(r"[A-Za-z0-9_./:,=@%+-]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def mapping(profile: Profile) -> dict[str, str]:
    """All variables with whole lists; PATH ends in the folders of the system."""
    lists = {name: (*own, *(_SYSTEM_PATH if name == "PATH" else ())) for name, own in profile.lists.items()}
    return {**{name: ":".join(own) for name, own in lists.items()}, **profile.values}


def dotenv_lines(profile: Profile) -> Iterator[str]:
    """`NAME=value`, in quotes where needed; readers differ in escapes, so what needs one is refused."""
    for name, value in mapping(profile).items():
        if "\n" in value or _CONTROL.search(value) or "\\" in value:
            raise _cannot_hold(name, "dotenv")
        if _PLAIN.fullmatch(value):
            yield f"{name}={value}"
        elif "'" not in value:
            yield f"{name}='{value}'"
        elif not any(one in value for one in '"$`'):
            yield f'{name}="{value}"'
        else:
            raise _cannot_hold(name, "dotenv")


def systemd_lines(profile: Profile) -> Iterator[str]:
    """Lines of an EnvironmentFile: in double quotes, in which systemd expands nothing."""
    for name, value in mapping(profile).items():
        if _CONTROL.search(value):
            raise _cannot_hold(name, "systemd")
        escaped = re.sub(r'([\\"$`])', r"\\\1", value)
        yield f'{name}="{escaped}"'


def docker_lines(profile: Profile) -> Iterator[str]:
    """Lines of an env file: all after the first `=` is the value, quotes too, so that no line can break."""
    for name, value in mapping(profile).items():
        if "\n" in value or _CONTROL.search(value):
            raise _cannot_hold(name, "docker")
        yield f"{name}={value}"


def k8s_lines(profile: Profile) -> Iterator[str]:
    """The `env:` list of a container; a dollar is doubled, because Kubernetes expands `$(NAME)`."""
    yield "env:"
    for name, value in mapping(profile).items():
        if "\x00" in value:
            raise _cannot_hold(name, "k8s")
        yield f"  - name: {name}"
        yield f"    value: {_yaml_text(value.replace('$', '$$'))}"


def _yaml_text(value: str) -> str:
    """The value in double quotes; YAML takes no character as it is that does not print."""
    shown = (
        one if one.isprintable() else f"\\U{ord(one):08x}" for one in json.dumps(value, ensure_ascii=False)
    )
    return "".join(shown)


def readable(values: Mapping[str, str]) -> None:
    """Refuse what no environment can hold: a NUL, or a name that is none; raises UnusableInput."""
    for name, value in values.items():
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is None:
            raise UnusableInput(say("{name} is no name of a variable", name=repr(name)))
        if "\x00" in value:
            raise _cannot_hold(name, "env")


def _cannot_hold(name: str, form: str) -> UnusableInput:
    return UnusableInput(
        say("the value of {name} cannot be written in the form {form}", name=name, form=form)
    )
