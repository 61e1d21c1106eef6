"""The package index that this machine is told to use, so that a lock can be made behind a mirror that it does not name."""

from __future__ import annotations

import sys
from configparser import ConfigParser, Error
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["machine_index"]


def machine_index(environment: Mapping[str, str]) -> str | None:
    """The address that uv's or pip's settings name, uv's first; None where both leave it at their default."""
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if environment.get(name):
            return environment[name]
    found = next(_of_uv(environment), None) or environment.get("PIP_INDEX_URL")
    return found or next(_of_pip(environment), None)


def _of_uv(environment: Mapping[str, str]) -> Iterator[str]:
    from ascendenv.lock.toml_file import read_toml

    for folder in _config_folders(environment):
        path = folder / "uv" / "uv.toml"
        content = read_toml(path, str(path)).data if path.is_file() else None
        if not isinstance(content, dict):
            continue
        listed = content.get("index")
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and one.get("default") is True:
                yield str(one.get("url", ""))
        if isinstance(content.get("index-url"), str):
            yield content["index-url"]


def _of_pip(environment: Mapping[str, str]) -> Iterator[str]:
    home = Path(environment.get("HOME", "/nonexistent"))
    files = [home / ".config" / "pip" / "pip.conf", home / ".pip" / "pip.conf", Path("/etc/pip.conf")]
    files += [folder / "pip" / "pip.conf" for folder in _config_folders(environment)]
    files = [Path(sys.prefix) / "pip.conf", *files]
    if named := environment.get("PIP_CONFIG_FILE"):
        files = [Path(named), *files]
    for path in files:
        parser = ConfigParser(interpolation=None, strict=False)
        try:
            parser.read(path, encoding="utf-8")
        except (Error, UnicodeDecodeError, OSError):
            continue
        for section in ("install", "global"):
            if parser.has_option(section, "index-url"):
                yield parser.get(section, "index-url")


def _config_folders(environment: Mapping[str, str]) -> list[Path]:
    home = environment.get("HOME", "/nonexistent")
    own = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    shared = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [Path(own), *(Path(one) for one in shared.split(":") if one), Path("/etc")]
