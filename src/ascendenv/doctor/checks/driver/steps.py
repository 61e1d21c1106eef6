"""Fix steps that only the checks of this family share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import OsRelease
    from ascendenv.matrix.model import Matrix

__all__ = [
    "DEFAULT_USER",
    "create_account",
    "install_build_tools",
    "install_system_packages",
    "list_cards",
    "rebuild_modules",
    "retry_installer",
]

DEFAULT_USER = "HwHiAiUser"
APT_SYSTEMS = ("ubuntu", "debian", "uos", "deepin", "linuxmint")
"""Values of ID in os-release whose packages apt installs."""


def install_system_packages(os: OsRelease | None, *, apt: str, dnf: str) -> tuple[Fix, ...]:
    """The step that installs system packages; both spellings where the system is not known."""
    by_apt = Fix(f"apt-get install -y {apt}", say("on Ubuntu and Debian"), needs_root=True)
    by_dnf = Fix(f"dnf install -y {dnf}", say("on openEuler, Kylin, CentOS and their kin"), needs_root=True)
    if os is None:
        return (by_apt, by_dnf)
    return (by_apt,) if os.id in APT_SYSTEMS else (by_dnf,)


def install_build_tools(os: OsRelease | None) -> tuple[Fix, ...]:
    """The steps that bring all that a build of the kernel modules needs, for exactly the running kernel."""
    return install_system_packages(
        os,
        apt="dkms gcc make linux-headers-$(uname -r)",
        dnf="dkms gcc make kernel-devel-$(uname -r) kernel-headers-$(uname -r)",
    )


def rebuild_modules() -> Fix:
    """The step that makes the installer build and load the modules again."""
    return Fix(
        "bash Ascend-hdk-*-npu-driver_*.run --upgrade",
        say("builds the modules for the running kernel; stop all NPU jobs first"),
        needs_root=True,
        disruptive=True,
    )


def retry_installer() -> Fix:
    """The installer's own command again, once its complaint is dealt with."""
    return Fix(
        "bash Ascend-hdk-*-npu-driver_*.run --full --install-for-all",
        say("the same installer again"),
        needs_root=True,
        disruptive=True,
    )


def create_account(user: str = DEFAULT_USER) -> tuple[Fix, ...]:
    """The steps that create the account the driver runs under; the installer does not."""
    return (
        Fix(f"groupadd -f {user}", needs_root=True),
        Fix(f"id -u {user} || useradd -g {user} -d /home/{user} -m -s /bin/bash {user}", needs_root=True),
    )


def list_cards(matrix: Matrix) -> Fix:
    """The step that shows the cards on the bus, and which number means which chip."""
    numbers = (
        f"{number.rpartition(':')[2]} {name}"
        for name, family in sorted(matrix.families.items())
        for number in family.pci
    )
    return Fix("lspci -nn -d 19e5:", say("device numbers: {numbers}", numbers=", ".join(numbers)))
