"""Runs a fetch again and again, and kills it without warning one step later each time: `killer.py LOCK FOLDER [FILE]`.

With FILE it is not fetched, but that file is added. A step is anything that changes the disk below FOLDER, or a block that arrived. After each kill a second run goes on. One
line of JSON for each round says what was wrong in between, and what the tree is in the end.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from ascendenv.fetch.adding import add
from ascendenv.fetch.fetching import Order, fetch
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.servers import Patience
from ascendenv.fetch.store import OBJECTS
from ascendenv.fetch.verify import check_bundle
from ascendenv.lock.lock_file import read_lock
from ascendenv.matrix.store import shipped_matrix

KILLED = 99
CHANGES = frozenset({"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"})


class Countdown(Silent):
    """Ends the process at a step."""

    def __init__(self, root: Path, steps: int) -> None:
        self.root = str(root)
        self.left = steps

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        below = any(isinstance(one, str | Path) and str(one).startswith(self.root) for one in arguments)
        writes = (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if event == "os.chmod" or (below and (event in CHANGES or writes)):
            self.step()

    def grew(self, name: str, length: int) -> None:
        self.step()

    def step(self) -> None:
        self.left -= 1
        if not self.left:
            os._exit(KILLED)


def work(lock: Path, root: Path, progress: Silent) -> None:
    """Fetch, or add the file that was named."""
    if len(sys.argv) > 3:
        add([Path(sys.argv[3])], root / "ascendenv.lock", root / "bundle", shipped_matrix(), [])
    else:
        patience = Patience(tries=2, first=0.01)
        fetch(Order(lock=read_lock(lock), root=root / "bundle", jobs=1, patience=patience), progress)


def in_child(lock: Path, root: Path, steps: int) -> int:
    """Run it in a child of its own; its exit code, KILLED where it was killed at that step."""
    child = os.fork()
    if not child:
        countdown = Countdown(root, steps)
        if steps:
            sys.addaudithook(countdown.hear)
        try:
            work(lock, root, countdown)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def wrong_in(root: Path) -> list[str]:
    """What has a final name and is not whole."""
    objects = (one for one in (root / OBJECTS).glob("??/*") if not one.name.startswith("."))
    found = [str(one) for one in objects if hashlib.sha256(one.read_bytes()).hexdigest() != one.name]
    if (root / "manifest.json").exists():
        found += [one.path for one in check_bundle(root).flaws if one.kind in ("size", "hash", "missing")]
    return found


def tree_of(root: Path) -> str:
    """The hash of all names and contents."""
    found = hashlib.sha256()
    for path in sorted(one for one in root.rglob("*") if one.is_file()):
        found.update(f"{path.relative_to(root)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def main() -> None:
    lock, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shipped_matrix()
    steps, code = 0, KILLED
    while code == KILLED:
        steps += 1
        root = folder / str(steps)
        root.mkdir(parents=True)
        shutil.copy(lock, root / "ascendenv.lock")
        code = in_child(lock, root, steps)
        wrong = wrong_in(root / "bundle")
        again = in_child(lock, root, 0)
        print(
            json.dumps({"steps": steps, "code": code, "wrong": wrong, "again": again, "tree": tree_of(root)})
        )


if __name__ == "__main__":
    main()
