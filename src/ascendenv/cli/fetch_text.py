"""What `fetch` answers, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.fetch.space import shown_size
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.cli.fetch_record import (
        AddedRecord,
        AdditionRecord,
        CheckRecord,
        FetchRecord,
        FileRecord,
        PlanRecord,
    )
    from ascendenv.language import Message

__all__ = ["print_addition", "print_check", "print_plan", "print_text"]


def print_text(record: FetchRecord) -> None:
    """The record of a fetch in words."""
    here, away = record["here"], [*record["failed"], *record["unobtainable"]]
    print(
        say(
            "{bundle}: {here} of {wanted} files, {size}",
            bundle=record["bundle"],
            here=len(here),
            wanted=len(here) + len(away),
            size=shown_size(sum(one["size"] or 0 for one in here)),
        )
    )
    if record["archive"] is not None:
        print(say("the same in one file: {archive}", archive=record["archive"]))
    if record["removed"]:
        print(say("removed {count} files that this lock does not need", count=record["removed"]))
    _print_files(say("These could not be fetched; run the same command again to go on:"), record["failed"])
    _print_unobtainable(record["unobtainable"])
    _print_files(
        say("Nobody published a hash of these; installing them needs your explicit word:"),
        [one for one in here if one["consent"]],
    )


def print_plan(record: PlanRecord) -> None:
    """The plan in words."""
    print(
        say(
            "{bundle}: {here} files are here, {away} would be fetched, {size}",
            bundle=record["bundle"],
            here=len(record["here"]),
            away=len(record["to_fetch"]),
            size=shown_size(record["size"]),
        )
    )
    for one in record["to_fetch"]:
        size = shown_size(one["size"]) if one["size"] is not None else "?"
        print(f"  {one['what']}  {size}")
    _print_unobtainable(record["unobtainable"])


def print_addition(record: AdditionRecord) -> None:
    """The record of adding in words."""
    words = {
        "vendor-hash": say("its hash is the published one"),
        "cms": say("signed by the vendor"),
        "site": say("nobody published its hash; the lock now holds that of your file"),
        "none": say("nobody published its hash"),
    }
    for one in record["added"]:
        print(f"{one['file']}: {one['what']}")
        print(f"  {words[one['verified']]}")
        if one["signed_by"] is not None:
            print(f"  {_signed(one)}")
    for left in record["skipped"]:
        print(say("left out {file}: {reason}", file=left["file"], reason=left["reason"]))
    print(say("{bundle}: {count} files added", bundle=record["bundle"], count=len(record["added"])))
    if record["digest"] != record["digest_before"]:
        print(
            say(
                "the lock names these bytes now; its digest is {digest} (was {before}), so approvals must be given again",
                digest=record["digest"],
                before=record["digest_before"],
            )
        )


def _signed(one: AddedRecord) -> Message:
    if one["revocation_checked"]:
        return say("by {signer}, who is on no list of revoked certificates", signer=one["signed_by"])
    return say("by {signer}; no list of revoked certificates lay beside it", signer=one["signed_by"])


def print_check(record: CheckRecord) -> None:
    """The record of a check in words."""
    for one in record["flaws"]:
        print(f"{one['path']}: {one['message']}")
    for path in record["unlisted"]:
        print(say("{path}: the manifest does not list it, and it was not checked", path=path))
    _print_files(say("The lock wants these, and they are not in the bundle:"), record["missing"])
    values = {"bundle": record["bundle"], "files": record["files"], "size": shown_size(record["size"])}
    if record["flaws"]:
        print(
            say(
                "{bundle}: {count} of {files} files are not what they were",
                count=len(record["flaws"]),
                **values,
            )
        )
        print(say("  get them again: `ascendenv fetch --repair -o {bundle}`", bundle=record["bundle"]))
    else:
        print(say("{bundle}: {files} files, {size}, every byte as the manifest says", **values))


def _print_unobtainable(files: Iterable[FileRecord]) -> None:
    head = say("Nobody published an address of these; get them and run `ascendenv fetch --add FILE`:")
    _print_files(head, files)


def _print_files(head: object, files: Iterable[FileRecord]) -> None:
    listed = list(files)
    if listed:
        print(head)
    for one in listed:
        print(f"  {one['what']}")
        if one["error"]:
            print("    " + one["error"].replace("\n", "\n    "))
