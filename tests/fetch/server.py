"""A small HTTP(S) server on loopback that misbehaves on request, and notes what it was asked."""

from __future__ import annotations

import re
import ssl
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

BLOCK = 16 * 1024


@dataclass(frozen=True)
class Reply:
    """How one request is answered. `cut` bytes of the body are sent before the connection breaks."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    ranges: bool = True
    cut: int | None = None
    length: int | None = None
    chunked: bool = False
    pause: float = 0.0
    block: int = BLOCK
    shift: int = 0


@dataclass
class Request:
    """What was asked."""

    path: str
    headers: dict[str, str]


class Server:
    """Answers each path with its replies in turn; the last one stays."""

    def __init__(self, scheme: str, port: int) -> None:
        self.scheme = scheme
        self.port = port
        self.replies: dict[str, list[Reply]] = {}
        self.requests: list[Request] = []
        self.guard = threading.Lock()

    def url(self, path: str) -> str:
        return f"{self.scheme}://localhost:{self.port}{path}"

    def serve(self, path: str, *replies: Reply) -> str:
        self.replies[path] = list(replies)
        return self.url(path)

    def asked(self, path: str) -> list[Request]:
        return [one for one in self.requests if one.path == path]

    def next(self, path: str) -> Reply:
        with self.guard:
            replies = self.replies.get(path, [Reply(b"gone", status=404)])
            return replies.pop(0) if len(replies) > 1 else replies[0]


class Handler(BaseHTTPRequestHandler):
    """Answers one connection; `site` is the server whose replies it gives."""

    protocol_version = "HTTP/1.1"
    site: Server

    def do_GET(self) -> None:
        with self.site.guard:
            self.site.requests.append(Request(self.path, dict(self.headers)))
        reply = self.site.next(self.path)
        try:
            self.answer(reply)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def answer(self, reply: Reply) -> None:
        status, headers, body = self.part(reply)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if reply.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body) if reply.length is None else reply.length))
        self.end_headers()
        self.send(body if reply.cut is None else body[: reply.cut], reply)
        if reply.cut is not None or reply.length is not None:
            self.close_connection = True

    def part(self, reply: Reply) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body: the part that was asked for, where the server knows parts."""
        headers = dict(reply.headers)
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        valid = self.headers.get("If-Range") in (None, headers.get("ETag"), headers.get("Last-Modified"))
        if not (match and reply.ranges and valid and reply.status == 200):
            return reply.status, headers, reply.body
        size, start = len(reply.body), int(match.group(1))
        if start >= size:
            return 416, headers | {"Content-Range": f"bytes */{size}"}, b""
        at = start + reply.shift
        return 206, headers | {"Content-Range": f"bytes {at}-{size - 1}/{size}"}, reply.body[at:]

    def send(self, body: bytes, reply: Reply) -> None:
        for at in range(0, len(body), reply.block):
            piece = body[at : at + reply.block]
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if reply.chunked else piece)
            if reply.pause:
                self.wfile.flush()
                time.sleep(reply.pause)
        if reply.chunked and reply.cut is None:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: Any) -> None:
        pass


class Quiet(ThreadingHTTPServer):
    """Says nothing about connections that break."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextmanager
def running(certificate: Path | None = None) -> Iterator[Server]:
    """A server; with a file that holds key and certificate it speaks TLS."""
    httpd = Quiet(("localhost", 0), BaseHTTPRequestHandler)
    server = Server("https" if certificate else "http", httpd.server_address[1])
    httpd.RequestHandlerClass = type("Own", (Handler,), {"site": server})
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        httpd.socket = context.wrap_socket(httpd.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()
