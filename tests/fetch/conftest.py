"""Servers and files that many tests of fetching share."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.fetch.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.fetch.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as found:
        yield found


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and self-signed certificate of localhost in one file, made by openssl."""
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
            ),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(path), "-out", f"{path}.crt"),
        ],
        check=True,
        capture_output=True,
    )
    path.write_bytes(path.read_bytes() + path.with_name(path.name + ".crt").read_bytes())
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[Server]:
    with running(certificate) as found:
        yield found
