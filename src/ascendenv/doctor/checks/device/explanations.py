"""The explanations that several texts about an unreachable or busy device share, with what would decide each.

Each function makes the hypothesis; the check that weighs it says whether its facts support or refute it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import reboot
from ascendenv.doctor.hypothesis import Hypothesis
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.language import Message

__all__ = [
    "MOUNT_FILES",
    "chip_unknown",
    "driver_not_loaded",
    "driver_stuck",
    "driver_too_old",
    "files_not_mounted",
    "held_by_container",
    "held_by_process",
    "memory_taken",
    "no_permission",
    "nodes_not_passed",
    "reboot_pending",
    "sandboxed",
    "virtual_device",
]

_WITH_NODES = "docker run --device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc ..."
MOUNT_FILES = (
    "docker run -v /usr/local/dcmi:/usr/local/dcmi -v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi"
    " -v /usr/local/Ascend/driver/lib64:/usr/local/Ascend/driver/lib64"
    " -v /usr/local/Ascend/driver/version.info:/usr/local/Ascend/driver/version.info"
    " -v /etc/ascend_install.info:/etc/ascend_install.info ..."
)


def chip_unknown(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """CANN has no entry for the chip that the driver names."""
    return Hypothesis(
        "chip-needs-newer-release",
        say("This CANN does not know the chip"),
        supported=supported,
        because=because,
        ask=say("does `npu-smi info` work where the job fails, and is its chip newer than this CANN?"),
        fix=(
            Fix(
                "ascendenv matrix check --chip NAME --cann VERSION", say("whether this CANN serves the chip")
            ),
            Fix(note=say("take a CANN, or an image, that lists this chip")),
        ),
    )


def driver_not_loaded(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """The modules of an installed driver are not in the kernel."""
    return Hypothesis(
        "driver-not-loaded",
        say("The driver is installed, but its kernel modules are not loaded"),
        supported=supported,
        because=because,
        ask=say("on the host as root: does `lsmod | grep drv_` show modules and `ls /dev/davinci*` nodes?"),
        fix=(
            Fix("dmesg | grep -iE 'ascend|davinci|drv_'", say("shows why a module was refused")),
            Fix("modprobe drv_pcie_host", say("loads the base module; the others follow"), needs_root=True),
            reboot(),
        ),
    )


def reboot_pending(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """Driver or firmware were changed after the last boot."""
    return Hypothesis(
        "reboot-needed-after-upgrade",
        say("The driver or firmware was changed and the machine was not rebooted since"),
        supported=supported,
        because=because,
        ask=say(
            "is /var/log/ascend_seclog/ascend_install.log newer than the last boot (`uptime -s`)?",
        ),
        fix=(reboot(),),
    )


def nodes_not_passed(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """The container has no davinci node, or no manager node."""
    return Hypothesis(
        "container-missing-devices",
        say("The container was not given all device nodes"),
        supported=supported,
        because=because,
        ask=say(
            "in the container: does `ls /dev/davinci* /dev/devmm_svm /dev/hisi_hdc` list a card and the managers?"
        ),
        fix=(
            Fix(_WITH_NODES, say("one --device for every card, and the three shared nodes")),
            Fix(
                "docker run --runtime=ascend -e ASCEND_VISIBLE_DEVICES=0 ...",
                say("or let the Ascend container runtime pass nodes and driver"),
            ),
        ),
    )


def files_not_mounted(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """Cards were passed, but not every host file that DCMI reads."""
    return Hypothesis(
        "container-mounts-incomplete",
        say("The container lacks files of the host that the driver's tools read"),
        supported=supported,
        because=because,
        ask=say(
            "in the container: does `ls /usr/local/dcmi /etc/ascend_install.info"
            " /usr/local/Ascend/driver/version.info` list all three?"
        ),
        fix=(
            Fix(
                MOUNT_FILES, say("the whole documented set; on 950 mount /usr/local/Ascend/driver as a whole")
            ),
        ),
    )


def no_permission(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """The nodes are there, this account may not open them."""
    return Hypothesis(
        "dev-node-permission",
        say("This user may not open the device nodes"),
        supported=supported,
        because=because,
        ask=say(
            "does `sudo npu-smi info` work where `npu-smi info` fails? compare `id` with `ls -l /dev/davinci0`"
        ),
        fix=(
            Fix("ls -l /dev/davinci0 /dev/davinci_manager", say("shows the group that may open them")),
            Fix(
                "usermod -aG HwHiAiUser $USER",
                say("then log in again; in a container use --group-add with the number of that group"),
                needs_root=True,
            ),
        ),
    )


def sandboxed(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """A sandbox around the process hides or blocks the nodes."""
    return Hypothesis(
        "sandbox-blocks-devices",
        say("A sandbox keeps the process away from the device nodes"),
        supported=supported,
        because=because,
        ask=say("does the same command work in a plain terminal, outside of the agent or build tool?"),
        fix=(Fix("npu-smi info", say("run this, and the job, outside of the sandbox")),),
    )


def virtual_device(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """A slice of a card was asked for and is not there."""
    return Hypothesis(
        "vnpu-misconfigured",
        say("The virtual NPU that was asked for is not set up here"),
        supported=supported,
        because=because,
        ask=say(
            "is this pod given a slice (a -memory resource or a virNN template)? is /dev/vdavinci* on the node?"
        ),
        fix=(
            Fix("npu-smi info -t template-info -i 0", say("lists the templates that this card has")),
            Fix(note=say("match the plugin's vNPU mode and template, or ask for a whole card")),
        ),
    )


def held_by_container(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """Without privileges a card belongs to one container at a time."""
    return Hypothesis(
        "container-device-busy",
        say("Another container holds the card"),
        supported=supported,
        because=because,
        ask=say("on the host: `dmesg | grep uda_occupy_dev_by_ns` and `cat /proc/uda/namespace_node`"),
        fix=(
            Fix(
                "cat /proc/uda/namespace_node",
                say("root_tgid is the process that owns the cards"),
                needs_root=True,
            ),
            Fix("docker ps -q | xargs docker inspect -f '{{.Name}} {{.HostConfig.Devices}}'"),
            Fix(
                "docker stop OWNER",
                say("stop the owner, even one that only runs a shell; or pass another davinciN"),
                needs_root=True,
                disruptive=True,
            ),
        ),
    )


def driver_stuck(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """Every card answers busy and no owner is to be found."""
    return Hypothesis(
        "driver-fault-state",
        say("The driver is stuck and answers busy for every card"),
        supported=supported,
        because=because,
        ask=say("with all containers stopped, do all cards still answer busy after ten minutes?"),
        fix=(
            Fix(note=say("rule out other containers first, then have the administrator reload the driver")),
            reboot(),
        ),
    )


def driver_too_old(
    *, supported: bool | None = None, because: Message | None = None, fix: tuple[Fix, ...] = ()
) -> Hypothesis:
    """The driver does not know a call of this CANN."""
    return Hypothesis(
        "driver-too-old-for-cann",
        say("The driver is too old for this CANN"),
        supported=supported,
        because=because,
        ask=say("which driver does `npu-smi info` name, and which CANN does the job use?"),
        fix=fix or (Fix("ascendenv matrix check --driver VERSION --cann VERSION"),),
    )


def held_by_process(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """A process of an earlier job still has the device open."""
    return Hypothesis(
        "device-not-released",
        say("An earlier job has not released the device yet"),
        supported=supported,
        because=because,
        ask=say(
            "does it work on the next try? does `npu-smi info` on the host still list a process on that card?"
        ),
        fix=(
            Fix(
                "npu-smi info",
                say("on the host: wait until no process and only idle HBM is left on the card"),
            ),
            Fix(
                "ps -eo pid,ppid,stat,cmd | grep -E 'EngineCore|raylet|python'",
                say("end the whole process group of your own job, the parent of a zombie too"),
            ),
        ),
    )


def memory_taken(*, supported: bool | None = None, because: Message | None = None) -> Hypothesis:
    """Another process fills the memory of the card."""
    return Hypothesis(
        "hbm-occupied",
        say("Another process holds the memory of the card"),
        supported=supported,
        because=because,
        ask=say("what do HBM-Usage and the process table of `npu-smi info` show for that card?"),
        fix=(
            Fix("npu-smi info", say("shows the process and its memory on each card")),
            Fix(
                "export ASCEND_RT_VISIBLE_DEVICES=1",
                say("take a free card, or end the other process if it is yours"),
            ),
        ),
    )
