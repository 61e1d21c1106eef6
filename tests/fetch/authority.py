"""A certificate authority for tests, made by the real openssl: root, one below it, signers, lists of revoked ones."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = """
[ca]
default_ca = own
[own]
dir = .
database = index.txt
new_certs_dir = .
serial = serial
crlnumber = crlnumber
default_md = sha256
default_days = 30
default_crl_days = 30
unique_subject = no
policy = any
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
commonName = x
[authority]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
[signer]
keyUsage = critical,digitalSignature
"""


class Authority:
    """Everything lies in `folder`; `root` is the certificate to trust."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ca.cnf").write_text(CONFIG)
        (folder / "index.txt").write_text("")
        (folder / "serial").write_text("01\n")
        (folder / "crlnumber").write_text("01\n")
        self.openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", "root.key", "-out", "root.pem", "-subj", "/CN=root", "-days", "30"),
            *("-config", "ca.cnf", "-extensions", "authority"),
        )
        self.issue("middle", "root", "authority")
        self.issue("signer", "middle", "signer")

    @property
    def root(self) -> Path:
        return self.folder / "root.pem"

    def issue(self, name: str, issuer: str, kind: str) -> None:
        self.openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}", "-config", "ca.cnf"),
        )
        self.openssl(
            *("ca", "-batch", "-notext", "-config", "ca.cnf", "-extensions", kind, *self._by(issuer)),
            *("-in", f"{name}.csr", "-out", f"{name}.pem"),
        )

    def sign(self, path: Path, signer: str = "signer") -> Path:
        """The detached signature beside `path`."""
        target = path.with_name(f"{path.name}.cms")
        self.openssl(
            *("cms", "-sign", "-binary", "-md", "sha256", "-in", str(path), "-signer", f"{signer}.pem"),
            *("-inkey", f"{signer}.key", "-certfile", "middle.pem", "-outform", "DER", "-out", str(target)),
        )
        return target

    def revoke(self, name: str, issuer: str) -> None:
        self.openssl("ca", "-config", "ca.cnf", *self._by(issuer), "-revoke", f"{name}.pem")

    def revoked(self, path: Path, issuer: str = "root") -> Path:
        """The list of what `issuer` revoked, written to `path`."""
        self.openssl("ca", "-config", "ca.cnf", *self._by(issuer), "-gencrl", "-out", "list.pem")
        self.openssl("crl", "-in", "list.pem", "-outform", "DER", "-out", str(path))
        return path

    def openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def _by(self, issuer: str) -> tuple[str, ...]:
        return ("-cert", f"{issuer}.pem", "-keyfile", f"{issuer}.key")
