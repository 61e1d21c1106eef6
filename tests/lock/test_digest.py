"""The digest of a lock covers what is installed and nothing else, in the form that docs/lock.md gives."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.lock.stacks import LOCK, STACK, with_file, with_value

from ascendenv.lock.digest import digest, part_digest, stack_digest
from ascendenv.lock.model import Lock

if TYPE_CHECKING:
    from ascendenv.lock.model import Stack

PARTS = ("hdk", "cann", "python", "profile", "image")


def parts(stack: Stack, arch: str | None = None) -> dict[str, str]:
    return {name: part_digest(stack.part(name), stack, arch) for name in PARTS}


def changed(other: Stack, arch: str | None = None) -> set[str]:
    before, after = parts(STACK, arch), parts(other, arch)
    return {name for name in PARTS if before[name] != after[name]}


def test_the_form_is_the_documented_one() -> None:
    """Written out by hand from docs/lock.md, so that another program can compute it."""

    def of(content: object) -> str:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return "sha256:" + sha256(text.encode()).hexdigest()

    one_arch = {
        "aarch64": of(
            {
                "form": 1,
                "part": "hdk",
                "values": [["driver", "25.5.1"], ["firmware", "7.8.0.6.201"]],
                "files": [["driver", "driver", "25.5.1", "unverified:driver_25.5.1.run"]],
            }
        ),
        "x86_64": of(
            {
                "form": 1,
                "part": "hdk",
                "values": [["driver", "25.5.1"], ["firmware", "7.8.0.6.201"]],
                "files": [],
            }
        ),
    }
    hdk = of({"form": 1, "part": "hdk", "arch": one_arch})

    assert part_digest(STACK.part("hdk"), STACK, "aarch64") == one_arch["aarch64"]
    assert part_digest(STACK.part("hdk"), STACK) == hdk
    assert stack_digest(STACK) == of({"form": 1, "parts": {**parts(STACK), "hdk": hdk}})
    assert digest(LOCK) == of(
        {"form": 1, "stacks": {"canary": stack_digest(LOCK.stacks[0]), "prod": stack_digest(STACK)}}
    )


def test_the_digest_never_changes_by_itself() -> None:
    """Approvals name it: a change here voids them all and needs a new form."""
    assert digest(LOCK) == "sha256:6261f62457dacfc890f7a3dff5a8f6c0cf330cf6569dd7dc800b56d5b5353696"


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (with_value(STACK, "hdk", "firmware", "7.8.0.7.220"), {"hdk"}),
        (with_value(STACK, "cann", "nnal", "8.5.1"), {"cann"}),
        (with_value(STACK, "python", "python", "3.12"), {"python"}),
        (with_value(STACK, "profile", "env.A", "1"), {"profile"}),
        (with_value(STACK, "image", "base", "ubuntu:24.04"), {"image"}),
        (with_file(STACK, "python", "numpy", version="1.26.3", sha256="e" * 64), {"python"}),
        (with_file(STACK, "python", "numpy", sha256="e" * 64), {"python"}),
        (with_file(STACK, "hdk", "driver", sha256="e" * 64, size=7), {"hdk"}),
    ],
)
def test_what_is_installed_counts_for_its_own_part_only(other: Stack, differs: set[str]) -> None:
    assert changed(other) == differs
    assert stack_digest(other) != stack_digest(STACK)


@pytest.mark.parametrize(
    "other",
    [
        replace(STACK, matrix="sha256:other", inputs="other", level="compatible", reasons=(), unknown=()),
        replace(STACK, requires=()),
        replace(STACK, chip="910B", release="25.5", os=None),
        with_file(STACK, "cann", "toolkit", urls=("https://mirror.example/x",), referer=None, size=12),
        with_file(STACK, "cann", "toolkit", file="renamed.zip", holds=(), verified="vendor signature"),
        with_file(STACK, "python", "numpy", urls=("file:///x",), verified="unverified"),
        replace(STACK, parts=tuple(replace(one, artefacts=one.artefacts[::-1]) for one in STACK.parts)),
    ],
)
def test_what_is_not_installed_does_not_count(other: Stack) -> None:
    assert changed(other) == set()
    assert digest(Lock(stacks=(LOCK.stacks[0], other))) == digest(LOCK)


def test_another_architecture_does_not_rebuild_this_one() -> None:
    wheels = STACK.part("python").artefacts
    other = with_file(STACK, "python", "torch", sha256="f" * 64)
    only_arm = tuple(
        new if new.arch == "aarch64" else old
        for old, new in zip(wheels, other.part("python").artefacts, strict=True)
    )
    moved = replace(
        STACK,
        parts=tuple(replace(one, artefacts=only_arm) if one.name == "python" else one for one in STACK.parts),
    )

    assert changed(moved, "aarch64") == {"python"}
    assert changed(moved, "x86_64") == set()
