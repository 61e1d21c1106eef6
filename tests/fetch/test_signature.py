"""Signatures and lists of revoked certificates, judged by the real openssl with an authority of our own."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import pytest
from tests.fetch.authority import Authority

from ascendenv.errors import HostFailed
from ascendenv.fetch.signature import BadSignature, check_signature, vendor_roots
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from pathlib import Path

BYTES = b"#!/bin/sh\n" + bytes(range(256)) * 500


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("stranger"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "a.run"
    path.write_bytes(BYTES)
    return path


def test_a_good_signature_names_the_signer(authority: Authority, package: Path) -> None:
    signature = authority.sign(package).read_bytes()
    lists = [authority.revoked(package.with_suffix(".crl")).read_bytes()]
    roots = [authority.root.read_text()]

    alone = check_signature([BYTES], signature, [], roots, "a.run")
    listed = check_signature([BYTES[:70_000], BYTES[70_000:]], signature, lists, roots, "a.run")

    assert (alone.by, alone.lists_asked) == ("CN=signer", False)
    assert (listed.by, listed.lists_asked) == ("CN=signer", True)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(BYTES[:-1], id="one byte less"),
        pytest.param(BYTES + b"\0", id="one byte more"),
        pytest.param(BYTES[:1000] + b"\xff" + BYTES[1001:], id="one byte other"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_changed_bytes_are_refused(authority: Authority, package: Path, changed: bytes) -> None:
    signature = authority.sign(package).read_bytes()

    with pytest.raises(BadSignature, match=r"a\.run: the signature is not of this file"):
        check_signature([changed], signature, [], [authority.root.read_text()], "a.run")


def test_a_strangers_signature_is_refused(authority: Authority, stranger: Authority, package: Path) -> None:
    signature = stranger.sign(package).read_bytes()

    with pytest.raises(BadSignature, match="does not come from the vendor"):
        check_signature([BYTES], signature, [], [authority.root.read_text()], "a.run")


def test_the_machines_own_roots_do_not_count(
    authority: Authority, stranger: Authority, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = stranger.sign(package).read_bytes()
    monkeypatch.setenv("SSL_CERT_FILE", str(stranger.root))

    with pytest.raises(BadSignature, match="does not come from the vendor"):
        check_signature([BYTES], signature, [], [authority.root.read_text()], "a.run")


@pytest.mark.parametrize(
    "signature", [b"", b"0", b"0\x84\xff\xff\xff\xff", b"-----BEGIN CMS-----\nx", bytes(200)]
)
def test_what_is_no_signature_is_refused(authority: Authority, signature: bytes) -> None:
    with pytest.raises(BadSignature, match="the signature cannot be read"):
        check_signature([BYTES], signature, [], [authority.root.read_text()], "a.run")


@pytest.mark.parametrize(("revoked", "issuer"), [("middle", "root"), ("signer", "middle")])
def test_a_revoked_certificate_is_refused(tmp_path: Path, package: Path, revoked: str, issuer: str) -> None:
    own = Authority(tmp_path / "own")
    signature = own.sign(package).read_bytes()
    before = own.revoked(tmp_path / "before.crl", issuer).read_bytes()
    own.revoke(revoked, issuer)
    after = own.revoked(tmp_path / "after.crl", issuer).read_bytes()
    roots = [own.root.read_text()]

    check_signature([BYTES], signature, [before], roots, "a.run")
    with pytest.raises(BadSignature, match="was revoked"):
        check_signature([BYTES], signature, [after], roots, "a.run")


def test_lists_one_behind_the_other_and_in_text_are_read(tmp_path: Path, package: Path) -> None:
    own = Authority(tmp_path / "own")
    signature = own.sign(package).read_bytes()
    root = own.revoked(tmp_path / "root.crl").read_bytes()
    own.revoke("signer", "middle")
    middle = own.revoked(tmp_path / "middle.crl", "middle").read_bytes()
    text = (own.folder / "list.pem").read_bytes()

    for lists in ([root + middle], [root, middle], [text]):
        with pytest.raises(BadSignature, match="was revoked"):
            check_signature([BYTES], signature, lists, [own.root.read_text()], "a.run")


def test_a_list_of_somebody_else_is_refused(
    authority: Authority, stranger: Authority, package: Path, tmp_path: Path
) -> None:
    signature = authority.sign(package).read_bytes()
    other = stranger.revoked(tmp_path / "other.crl").read_bytes()
    forged = bytearray(authority.revoked(tmp_path / "own.crl").read_bytes())
    forged[-1] ^= 1

    for lists in ([other], [bytes(forged)], [b"rubbish"], [b"0\x80"], [b"0\x84"]):
        with pytest.raises(BadSignature, match="the list of revoked certificates"):
            check_signature([BYTES], signature, lists, [authority.root.read_text()], "a.run")


def test_without_openssl_nothing_is_taken_for_good(
    authority: Authority, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = authority.sign(package).read_bytes()
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HostFailed, match="openssl is missing"):
        check_signature([BYTES], signature, [], [authority.root.read_text()], "a.run")


def test_the_shipped_roots_are_certificates_of_the_noted_hash() -> None:
    for one in shipped_matrix().trust:
        assert hashlib.sha256(base64.b64decode(one.certificate)).hexdigest() == one.sha256
    assert len(vendor_roots(shipped_matrix())) == 2
