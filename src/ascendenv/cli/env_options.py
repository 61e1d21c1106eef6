"""The options that the commands of `ascendenv env` share."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from ascendenv.language import say

__all__ = ["PREFIX", "ArchName", "Form", "Lock", "Prefix", "Purposes", "Settings", "ShellForm", "StackName"]


class Form(str, Enum):
    """The forms in which a profile is written."""

    SH = "sh"
    BASH = "bash"
    FISH = "fish"
    DOTENV = "dotenv"
    SYSTEMD = "systemd"
    DOCKER = "docker"
    K8S = "k8s"


class ShellForm(str, Enum):
    """The forms that a running shell can take."""

    SH = "sh"
    BASH = "bash"
    FISH = "fish"


Lock = Annotated[str, typer.Option("--lock", metavar="FILE", help=str(say("The lock to read.")))]

StackName = Annotated[
    str | None,
    typer.Option("--stack", metavar="NAME", help=str(say("The stack of the lock, where it has several."))),
]

ArchName = Annotated[
    str | None,
    typer.Option("--arch", metavar="ARCH", help=str(say("aarch64 or x86_64, where the stack has both."))),
]

Purposes = Annotated[
    list[str] | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help=str(
            say("A purpose, such as training or debug; may be given several times, the last one counts.")
        ),
    ),
]

Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help=str(say("A value of your own, on top of all others."))),
]

Prefix = Annotated[
    str, typer.Option("--prefix", metavar="DIR", help=str(say("Where the Ascend software lies.")))
]

PREFIX = "/usr/local/Ascend"
