"""Programs that are asked: started early, waited for late, killed when they hang, and never read without end."""

import errno
import os
import selectors
import subprocess
import time
from typing import Any, Dict, List, Optional, Sequence

from .system import System, reason

OUTPUT_LIMIT = 512 * 1024
CHUNK = 64 * 1024
LAST_WORDS = 0.2
"""Seconds that a program whose time is over may still take to hand over what it has already printed."""


class Command:
    """A program that was started in the background; `answer` waits for it until its time is over."""

    def __init__(
        self, system: System, argv: Sequence[str], seconds: float, environ: Optional[Dict[str, str]] = None
    ) -> None:
        """Starts `argv`; that it cannot be started is part of the answer."""
        self.seconds = seconds
        self.started = time.time()
        self.record: Dict[str, Any] = {"argv": list(argv)}
        self.child: "Optional[subprocess.Popen[bytes]]" = None
        path = system.program(argv[0])
        if path is None:
            self.record["error"] = why_absent(system, argv[0])
            return
        variables = dict(system.environ if environ is None else environ, LC_ALL="C")
        try:
            self.child = subprocess.Popen(
                [system.at(path)] + list(argv[1:]),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=variables,
                start_new_session=True,
            )
        except OSError as error:
            self.record["error"] = "not found" if error.errno == errno.ENOENT else reason(error)

    def answer(self) -> Dict[str, Any]:
        """`{"argv", "rc", "stdout", "stderr", "seconds"}`, or `{"argv", "error": "not found" | "timeout" | ...}`."""
        if self.child is not None:
            child, self.child = self.child, None
            self._wait(child)
        return self.record

    def _wait(self, child: "subprocess.Popen[bytes]") -> None:
        until = max(self.started + self.seconds, time.time() + LAST_WORDS)
        output, errors = Kept(), Kept()
        finished = drain(child, output, errors, until)
        self.record["stdout"], self.record["stderr"] = output.text(), errors.text()
        self.record["seconds"] = round(time.time() - self.started, 3)
        if finished:
            self.record["rc"] = child.returncode
        else:
            kill_group(child)
            self.record["error"] = "timeout"


class Kept:
    """The beginning and the end of an output; what lies between is dropped as it comes."""

    def __init__(self) -> None:
        self.head = b""
        self.tail: List[bytes] = []
        self.tail_size = 0
        self.dropped = False

    def add(self, data: bytes) -> None:
        """Takes the next piece."""
        room = OUTPUT_LIMIT // 2 - len(self.head)
        self.head += data[:room]
        if data[room:]:
            self.tail.append(data[room:])
            self.tail_size += len(data[room:])
        while self.tail_size - len(self.tail[0] if self.tail else b"") > OUTPUT_LIMIT // 2:
            self.tail_size -= len(self.tail.pop(0))
            self.dropped = True

    def text(self) -> str:
        """What was kept."""
        middle = b"\n[...]\n" if self.dropped else b""
        return (self.head + middle + b"".join(self.tail)).decode("utf-8", "replace")


def drain(child: "subprocess.Popen[bytes]", output: Kept, errors: Kept, until: float) -> bool:
    """Reads both outputs until the program ends; False where it did not end in time."""
    with selectors.DefaultSelector() as selector:
        for pipe, kept in ((child.stdout, output), (child.stderr, errors)):
            if pipe is not None:
                selector.register(pipe, selectors.EVENT_READ, kept)
        while selector.get_map():
            left = until - time.time()
            ready = selector.select(min(max(left, 0), 0.05))
            for key, _ in ready:
                data = os.read(key.fd, CHUNK)
                if data:
                    key.data.add(data)
                else:
                    selector.unregister(key.fileobj)
            # A grandchild may hold the pipe open after the program itself has ended.
            if (not ready and child.poll() is not None) or left < 0:
                break
    return ended(child, until)


def ended(child: "subprocess.Popen[bytes]", until: float) -> bool:
    """Whether the program ends before `until`; its pipes are closed either way."""
    try:
        child.wait(max(until - time.time(), 0.01))
    except subprocess.TimeoutExpired:
        return False
    finally:
        for pipe in (child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()
    return True


def kill_group(child: "subprocess.Popen[bytes]") -> None:
    """Kill the program and all that it started; a process that is stuck in the kernel is left behind."""
    try:
        os.killpg(child.pid, 9)
    except OSError:
        child.kill()
    try:
        child.wait(0.5)
    except subprocess.TimeoutExpired:
        return


def why_absent(system: System, name: str) -> str:
    """`not found`, or what stands in the place of the program (a wrong `docker -v` leaves an empty folder there)."""
    folders = ("/usr/local/sbin", "/usr/local/bin")
    if any(system.is_folder(os.path.join(folder, name)) for folder in folders):  # a path stays itself
        return "is a directory"
    return "not found"


def run(
    system: System, argv: Sequence[str], seconds: float, environ: Optional[Dict[str, str]] = None
) -> Dict[str, Any]:
    """The answer of a program that is started and waited for at once."""
    return Command(system, argv, seconds, environ).answer()
