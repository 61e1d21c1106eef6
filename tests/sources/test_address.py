"""Documents over https, from a server on loopback that misbehaves on request."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.fetch.server import Reply, Server, running
from tests.sources.conftest import SAMPLES

from ascendenv.errors import HostFailed, UnusableInput
from ascendenv.sources.address import read_address
from ascendenv.sources.origin import Origin, short_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BODY = (SAMPLES / "SUPPORT.md").read_bytes()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and self-signed certificate of localhost in one file."""
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(path), "-out", f"{path}.crt"]
    subprocess.run(["openssl", "req", "-x509", *curve, *name, *files], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + path.with_name(f"{path.name}.crt").read_bytes())
    return path


@pytest.fixture
def server(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    monkeypatch.setenv("NO_PROXY", "localhost")
    with running(certificate) as found:
        yield found


def test_a_document(server: Server, ascendenv: Any) -> None:
    url = server.serve("/Ascend/pytorch/SUPPORT.md", Reply(BODY))
    found = ascendenv("import", "support", url, "--format", "json")
    assert (found.code, found.data["read"], found.data["agreed"]) == (0, 18, 18)
    (asked,) = server.requests
    assert asked.headers["User-Agent"].startswith("ascendenv/")
    assert "application/vnd.pypi.simple.v1+json" in asked.headers["Accept"]


def test_a_redirect_to_another_https_address(server: Server) -> None:
    end = server.serve("/end", Reply(BODY))
    server.serve("/middle", Reply(status=301, headers={"Location": end}))
    start = server.serve("/start", Reply(status=302, headers={"Location": "/middle"}))
    assert read_address(start) == BODY


@pytest.mark.parametrize(
    ("replies", "kind", "words"),
    [
        ([Reply(b"", status=404)], UnusableInput, "the server answered 404"),
        ([Reply(b"", status=403)], UnusableInput, "the server answered 403"),
        ([Reply(b"", status=503)], HostFailed, "the server answered 503"),
        ([Reply(BODY, cut=100)], HostFailed, "the connection broke"),
        ([Reply(BODY, chunked=True, cut=100)], HostFailed, "the connection broke"),
        (
            [Reply(status=302, headers={"Location": "http://localhost/x"})],
            UnusableInput,
            "only https addresses are read",
        ),
        (
            [Reply(status=302, headers={"Location": "file:///etc/passwd"})],
            UnusableInput,
            "only https addresses are read",
        ),
        ([Reply(status=302, headers={"Location": "/doc"})], HostFailed, "leads from one address to the next"),
        ([Reply(b"x" * 5000)], UnusableInput, "longer than"),
        ([Reply(b"x" * 900, block=10, pause=0.02)], HostFailed, "did not answer in time"),
    ],
)
def test_what_goes_wrong(server: Server, replies: list[Reply], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        read_address(server.serve("/doc", *replies), largest=4096, whole=1.0)


def test_a_certificate_that_nobody_trusts(
    server: Server, monkeypatch: pytest.MonkeyPatch, ascendenv: Any
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    found = ascendenv("import", "support", server.serve("/SUPPORT.md", Reply(BODY)))
    assert (found.code, "certificate is not trusted" in found.err) == (5, True)
    assert "REQUESTS_CA_BUNDLE=" in found.err


def test_no_server(server: Server, ascendenv: Any) -> None:
    found = ascendenv("import", "support", "https://localhost:1/SUPPORT.md")
    assert (found.code, "the connection broke" in found.err) == (5, True)
    assert "give the file instead" in found.err


def test_secrets_of_an_address_are_not_shown(server: Server, ascendenv: Any) -> None:
    url = server.serve("/x", Reply(status=404)).replace("https://", "https://user:word@") + "?token=abc"
    server.serve("/x?token=abc", Reply(b"", status=404))
    found = ascendenv("import", "support", url)
    assert found.code == 2
    assert "word" not in found.err
    assert "abc" not in found.err


@pytest.mark.parametrize(
    ("document", "name"),
    [
        (
            "https://raw.githubusercontent.com/Ascend/pytorch/master/COMPATIBILITY.md",
            "Ascend/pytorch:COMPATIBILITY.md@master",
        ),
        (
            "https://raw.githubusercontent.com/Ascend/pytorch/refs/heads/master/docs/zh/a%20b.md?token=1",
            "Ascend/pytorch:docs/zh/a b.md@master",
        ),
        ("https://github.com/o/r/raw/9e73e70/x.md", "o/r:x.md@9e73e70"),
        (
            "https://gitcode.com/Ascend/pytorch/raw/master/SUPPORT.md",
            "gitcode.com/Ascend/pytorch:SUPPORT.md@master",
        ),
        ("https://user:word@host.example/simple/torch-npu/?x=1#y", "https://host.example/simple/torch-npu/"),
        ("/home/me/COMPATIBILITY.md", "file COMPATIBILITY.md"),
        ("COMPATIBILITY.md", "file COMPATIBILITY.md"),
    ],
)
def test_how_sources_name_a_document(document: str, name: str) -> None:
    assert short_name(document) == name
    assert Origin("2026-11-29").of(document) == f"{name}, read 2026-11-29"
    assert Origin("2026-11-29", "mine").of(document, usual="x") == "mine, read 2026-11-29"
    assert Origin("2026-11-29", "mine").of("a.json", several=True) == "mine a.json, read 2026-11-29"
