"""How fast files arrive with their hash checked, beside curl on the same loopback server in the same run.

    python -m tests.bench.bench_fetch [MEGABYTES]

"curl, then sha256sum" is what a script has to do for the same: fetch hashes while the bytes come and flushes the file to
disk before it gets its name. Measured on 2 shared cores: 512 MB cost curl 0.53 s of processor time and fetch 0.80 s, of
which 0.29 s are the hash.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ascendenv.fetch.goal import Places, goals_of
from ascendenv.fetch.parallel import bring_all
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.store import Store
from ascendenv.lock.model import Artefact

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 2.0
"""A fetch may take so many times as long as curl and sha256sum one after the other."""
ROUNDS = 3


def serve(listener: socket.socket, folder: str) -> None:
    """Answer every request with the file it names, by sendfile; one process for each connection."""
    while True:
        connection, _ = listener.accept()
        if os.fork():
            connection.close()
            continue
        while request := connection.recv(65536):
            path = Path(folder, request.split(b" ", 2)[1].decode().strip("/"))
            with path.open("rb") as stream:
                size, at = path.stat().st_size, 0
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
                while at < size:
                    at += os.sendfile(connection.fileno(), stream.fileno(), at, size - at)
        os._exit(0)


def timed(work: Callable[[Path], object], folder: Path) -> float:
    """The best time of some rounds, each in an empty folder."""
    times = []
    for _ in range(ROUNDS):
        target = folder / "out"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        began = time.perf_counter()
        work(target)
        times.append(time.perf_counter() - began)
    shutil.rmtree(target)
    return min(times)


def curl(urls: list[str], target: Path, *, hashed: bool) -> None:
    """All files by one curl, as many at once as fetch takes."""
    words = [word for number, url in enumerate(urls) for word in ("-o", f"{target}/{number}", url)]
    subprocess.run(
        [
            "curl",
            "--silent",
            "--show-error",
            "--no-progress-meter",
            "--parallel",
            "--parallel-max",
            "4",
            *words,
        ],
        check=True,
    )
    if hashed:
        subprocess.run(
            ["sha256sum", *(f"{target}/{number}" for number in range(len(urls)))],
            check=True,
            stdout=subprocess.DEVNULL,
        )


def fetch(urls: list[str], digests: list[str], size: int, target: Path) -> None:
    """The same files by us."""
    rows = [
        Artefact(
            component="toolkit",
            name="x",
            version="1",
            verified="deployer",
            file=str(number),
            urls=(url,),
            size=size,
            sha256=digest,
        )
        for number, (url, digest) in enumerate(zip(urls, digests, strict=True))
    ]
    found = bring_all(goals_of(rows, Places()), Store(target), Silent())
    assert all(one.sha256 for one in found), found


def compare(folder: Path, port: int, count: int, size: int) -> float:
    """Print one row of the table; how many times as long as curl and sha256sum it took."""
    block = os.urandom(1 << 20)
    digests = []
    for number in range(count):
        (folder / str(number)).write_bytes(bytes([number]) + (block * (size >> 20))[1:])
        digests.append(sha256((folder / str(number)).read_bytes()).hexdigest())
    urls = [f"http://127.0.0.1:{port}/{number}" for number in range(count)]
    alone = timed(lambda target: curl(urls, target, hashed=False), folder)
    hashed = timed(lambda target: curl(urls, target, hashed=True), folder)
    ours = timed(lambda target: fetch(urls, digests, size, target), folder)
    total = count * size / 1e6
    print(
        f"{count:4} x {size >> 20:4} MiB   curl {total / alone:6.0f} MB/s   curl, then sha256sum {total / hashed:6.0f} MB/s   "
        f"fetch {total / ours:6.0f} MB/s   {ours / alone:.2f} x curl, {ours / hashed:.2f} x curl and sha256sum"
    )
    return ours / hashed


def main() -> None:
    """Print the table; exit 1 where the limit is passed."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108, PTH112  (no disk in the measure)
    with tempfile.TemporaryDirectory(dir=memory) as name, socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        server = multiprocessing.get_context("fork").Process(target=serve, args=(listener, name), daemon=True)
        server.start()
        port = listener.getsockname()[1]
        ratios = [compare(Path(name), port, count, (megabytes // count) << 20) for count in (1, 4, 64)]
        server.kill()
    sys.exit(max(ratios) > LIMIT)


if __name__ == "__main__":
    main()
