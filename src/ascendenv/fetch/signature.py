"""The vendor's signature of a file, and whether a certificate behind it was revoked. openssl judges; we ask.

The signature is a detached CMS (`.cms`) over the bytes of the file. Only the given roots count, never the machine's own.
Times do not: a package is good for longer than the certificate that signed it.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import HostFailed, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix

__all__ = ["BadSignature", "Signed", "check_signature", "vendor_roots"]

_ERROR = re.compile(r"error (\d+) at \d+ depth lookup")
_REVOKED, _NO_LIST = 23, 3
_NOT_IN_CHAIN = frozenset({2, 18, 19, 20, 21})
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)


class BadSignature(UnusableInput):
    """The signature is not one of the vendor over this file."""

    code: ClassVar[str] = "bad-signature"


@dataclass(frozen=True)
class Signed:
    """Who signed, and whether lists of revoked certificates were asked."""

    by: str
    lists_asked: bool


def vendor_roots(matrix: Matrix) -> tuple[str, ...]:
    """The vendor's roots as PEM."""
    return tuple(_pem("CERTIFICATE", base64.b64decode(one.certificate)) for one in matrix.trust)


def check_signature(
    content: Iterable[bytes], signature: bytes, lists: Sequence[bytes], roots: Sequence[str], where: str
) -> Signed:
    """Who signed `content`; raises BadSignature, or HostFailed where openssl is missing.

    `lists` are lists of revoked certificates as they lie beside the file. One that has nothing to do with the signer is
    refused, because it may have been put there to hide the right one.
    """
    with tempfile.TemporaryDirectory(prefix="ascendenv-cms-") as name:
        work = _Work(Path(name), where)
        work.trust(roots)
        signer = work.verify(content, signature)
        if lists:
            work.ask_lists([one for data in lists for one in _lists_in(data)])
        return Signed(signer, bool(lists))


@dataclass(frozen=True)
class _Work:
    """A folder for one check."""

    folder: Path
    where: str

    def trust(self, roots: Sequence[str]) -> None:
        (self.folder / "roots.pem").write_text("\n".join(roots))
        (self.folder / "none").mkdir()

    def verify(self, content: Iterable[bytes], signature: bytes) -> str:
        form = "PEM" if signature.lstrip().startswith(b"-----BEGIN") else "DER"
        (self.folder / "signature").write_bytes(signature)
        code, told = self._openssl(
            *("cms", "-verify", "-binary", "-inform", form, "-in", "signature", "-content", "/dev/stdin"),
            *("-CAfile", "roots.pem", "-no-CApath", "-purpose", "any", "-no_check_time"),
            *("-signer", "signer.pem", "-certsout", "chain.pem", "-out", os.devnull),
            content=content,
        )
        if code:
            raise BadSignature(
                _why(told), where=self.where, hint=say("do not install it; get it from the vendor")
            )
        _, subject = self._openssl("x509", "-in", "signer.pem", "-noout", "-subject", "-nameopt", "RFC2253")
        return subject.strip().removeprefix("subject=").strip()

    def ask_lists(self, lists: Sequence[bytes]) -> None:
        (self.folder / "lists.pem").write_text("".join(_pem("X509 CRL", one) for one in lists))
        answered = False
        for certificate in _CERTIFICATE.findall((self.folder / "chain.pem").read_text()):
            (self.folder / "one.pem").write_text(certificate)
            code, told = self._openssl(
                *("verify", "-no_check_time", "-purpose", "any", "-crl_check", "-CRLfile", "lists.pem"),
                *("-CAfile", "roots.pem", "-no-CApath", "-untrusted", "chain.pem", "one.pem"),
            )
            match = _ERROR.search(told)
            error = int(match.group(1)) if match is not None else 0
            if error == _REVOKED:
                raise self._refused(say("a certificate behind the signature was revoked"))
            if code and error != _NO_LIST and error not in _NOT_IN_CHAIN:
                raise self._refused(
                    say("the list of revoked certificates cannot be used: {told}", told=_last(told))
                )
            answered = answered or not code
        if not answered:
            raise self._refused(say("the list of revoked certificates is not from the one who signed"))

    def _refused(self, message: Message) -> BadSignature:
        return BadSignature(message, where=self.where, hint=say("do not install it; get it from the vendor"))

    def _openssl(self, *arguments: str, content: Iterable[bytes] = ()) -> tuple[int, str]:
        """The exit code, and all that openssl says."""
        program = shutil.which("openssl")
        if program is None:
            raise HostFailed(
                say("openssl is missing: it checks the vendor's signatures"),
                hint=say("install it: `apt-get install openssl` or `yum install openssl`"),
            )
        nowhere = str(self.folder / "none")
        environment = {**os.environ, "LC_ALL": "C", "SSL_CERT_DIR": nowhere, "SSL_CERT_FILE": nowhere}
        with (self.folder / "told").open("w+b") as told:
            process = subprocess.Popen(
                [program, *arguments],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=told,
                stderr=told,
                bufsize=0,
            )
            _feed(process, content)
            code = process.wait()
            told.seek(0)
            return code, told.read().decode("utf-8", "replace")


def _feed(process: subprocess.Popen[bytes], content: Iterable[bytes]) -> None:
    if process.stdin is None:
        return
    try:
        for block in content:
            rest = memoryview(block)
            while rest:
                rest = rest[process.stdin.write(rest) :]
    except BrokenPipeError:
        pass  # it has seen enough to say no
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        process.stdin.close()


def _why(told: str) -> Message:
    if "verification failure" in told or "content verify error" in told:
        return say("the signature is not of this file: its bytes were changed, or it belongs to another one")
    if "certificate verify error" in told:
        return say(
            "the signature does not come from the vendor: its certificate leads to no root that is trusted"
        )
    return say("the signature cannot be read: {told}", told=_last(told))


def _last(told: str) -> str:
    """What openssl says, in the last words of its last line."""
    lines = [one for one in told.splitlines() if one.strip()]
    return lines[-1].rpartition(":")[2].strip()[:200] if lines else ""


def _lists_in(data: bytes) -> Iterator[bytes]:
    """The lists in a file: one or several, in DER one behind the other, or as PEM."""
    if data.lstrip().startswith(b"-----BEGIN"):
        for body in re.findall(rb"-----BEGIN X509 CRL-----(.+?)-----END X509 CRL-----", data, re.DOTALL):
            yield base64.b64decode(b"".join(body.split()))
        return
    at = 0
    while data[at : at + 1] == b"\x30":
        end = _end(data, at)
        yield data[at:end]
        at = end


def _end(data: bytes, at: int) -> int:
    """Where the DER element that begins at `at` ends."""
    first = data[at + 1] if at + 1 < len(data) else 0
    if first < 0x80:  # noqa: PLR2004  (the short form of a length)
        return at + 2 + first
    count = first & 0x7F
    return at + 2 + count + int.from_bytes(data[at + 2 : at + 2 + count], "big")


def _pem(kind: str, data: bytes) -> str:
    body = base64.encodebytes(data).decode("ascii")
    return f"-----BEGIN {kind}-----\n{body}-----END {kind}-----\n"
