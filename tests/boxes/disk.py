"""The files of a simulated machine: path to content, and path to link."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.boxes import tables
from tests.boxes.box import Answer

if TYPE_CHECKING:
    from tests.boxes.box import Box, Cann

__all__ = ["Disk", "disk_of"]

MODULE = b"\x7fELF" + b"\0" * 60 + b"license=GPL\0vermagic={vermagic} SMP mod_unload aarch64\0" + b"\0" * 32
SIGNATURE = b"~Module signature appended~\n"
SHELL = "#!/bin/sh\n"
BOOTED = 1_760_000_000


@dataclass
class Disk:
    """What lies where. Programs are files that are made executable."""

    files: dict[str, str | bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    programs: set[str] = field(default_factory=set)

    def program(self, path: str, answers: dict[str, Answer]) -> None:
        """A program that prints what `answers` has for its arguments; `*` for all others."""
        cases = []
        for words, answer in answers.items():
            hang = "exec sleep 60;" if answer.hangs else ""
            printed = f"printf '%s' {_quoted(answer.text)}; printf '%s' {_quoted(answer.errors)} >&2"
            label = "*" if words == "*" else _quoted(words)
            cases.append(f"{label}) {hang} {printed}; exit {answer.code};;")
        self.files[path] = f'{SHELL}case "$*" in\n' + "\n".join(cases) + "\nesac\nexit 1\n"
        self.programs.add(path)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def disk_of(box: Box) -> Disk:
    """All files of the box."""
    disk = Disk()
    _system(box, disk)
    _bus(box, disk)
    _kernel(box, disk)
    _driver(box, disk)
    _npu_smi(box, disk)
    for toolkit in box.cann:
        _toolkit(box, toolkit, disk)
    _python(box, disk)
    _process_table(box, disk)
    return disk


def _system(box: Box, disk: Disk) -> None:
    disk.files["/etc/os-release"] = "".join(f'{key}="{value}"\n' for key, value in box.os.items())
    account = "HwHiAiUser:x:1000:1000::/home/HwHiAiUser:/bin/bash\n" if box.driver else ""
    disk.files["/etc/passwd"] = (
        f"root:x:0:0:root:/root:/bin/bash\n{account}dev:x:1001:1001::/home/dev:/bin/bash\n"
    )
    disk.files["/etc/group"] = f"root:x:0:\n{'HwHiAiUser:x:1000:' if box.driver else ''}\n"
    disk.files["/sys/class/dmi/id/product_name"] = f"{box.virtual or 'Atlas 800 (Model 9000)'}\n"
    disk.files["/sys/class/dmi/id/sys_vendor"] = "Huawei\n"
    disk.files["/sys/devices/system/node/node0/cpulist"] = "0-95\n"
    disk.files["/sys/devices/system/node/node1/cpulist"] = "96-191\n"
    disk.folders += ["/tmp", "/usr/local", "/dev/shm", "/var/log", "/root"]  # noqa: S108
    disk.program("/usr/bin/dmesg", {"*": Answer("\n".join(box.kernel_log) + "\n")})
    if box.container is not None and box.container.kind == "docker":
        disk.files["/.dockerenv"] = ""


def _bus(box: Box, disk: Disk) -> None:
    disk.folders.append("/sys/bus/pci/devices")
    host_cards = box.cards if box.on_bus else 0
    functions = [
        ("0000:01:00.0", "0x8086", "0x1533", "0x020000"),
        ("0000:02:00.0", "0x19e5", "0x1822", "0x020000"),
    ]
    if box.family.pci:
        for npu in range(host_cards):
            functions += [
                (tables.bus(npu, chip).lower(), "0x19e5", box.family.pci, "0x120000")
                for chip in range(box.family.chips)
            ]
    elif host_cards:
        for npu in range(host_cards):
            disk.folders.append(f"/sys/bus/ub/devices/{npu:05d}")
    for address, vendor, device, kind in functions:
        folder = f"/sys/bus/pci/devices/{address}"
        disk.files[f"{folder}/vendor"] = f"{vendor}\n"
        disk.files[f"{folder}/device"] = f"{device}\n"
        disk.files[f"{folder}/class"] = f"{kind}\n"
        disk.files[f"{folder}/numa_node"] = "0\n"


def _kernel(box: Box, disk: Disk) -> None:
    disk.folders += ["/sys/module/ext4", f"/lib/modules/{box.kernel}"]
    if box.loaded:
        disk.folders += [f"/sys/module/{name}" for name in box.family.modules]
    disk.files["/sys/module/module/parameters/sig_enforce"] = "Y\n" if box.secure_boot else "N\n"
    disk.files["/sys/kernel/security/lockdown"] = (
        "none [integrity] confidentiality\n" if box.secure_boot else "[none] integrity confidentiality\n"
    )
    if box.container is None:
        flag = b"\x06\0\0\0" + (b"\x01" if box.secure_boot else b"\0")
        disk.files["/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"] = flag
    if box.headers:
        disk.folders.append(f"/lib/modules/{box.kernel}/build")
    for release in box.modules_for or ():
        content = MODULE.replace(b"{vermagic}", (box.vermagic or release).encode())
        path = f"/lib/modules/{release}/updates/{'dkms/' if box.dkms else ''}drv_pcie_host.ko"
        disk.files[path] = content + (SIGNATURE if box.modules_signed else b"")
        if box.dkms:
            disk.files[f"/var/lib/dkms/davinci_ascend/1.0/{release}/aarch64/log/make.log"] = "make: done\n"


def _driver(box: Box, disk: Disk) -> None:
    inside = box.container
    if box.driver is None:
        return
    base = "/usr/local/Ascend"
    if inside is None or inside.files:
        disk.files[f"{base}/driver/version.info"] = driver_record(box)
        disk.files["/etc/ascend_install.info"] = INSTALL_INFO
        disk.files["/usr/local/dcmi/libdcmi.so"] = ""
    if inside is None or inside.driver:
        disk.files[f"{base}/driver/lib64/driver/libascend_hal.so"] = ""
        disk.files[f"{base}/driver/lib64/common/libc_sec.so"] = ""
    if inside is None:
        disk.files["/etc/ld.so.conf.d/ascend_driver_so.conf"] = "".join(
            f"{base}/driver/lib64{part}\n" for part in ("/common", "/driver", "")
        )
        disk.files["/etc/hccn.conf"] = "".join(
            f"address_{npu}=192.0.2.{10 + npu}\n" for npu in range(box.cards)
        )
        if box.firmware:
            disk.files[f"{base}/firmware/version.info"] = (
                f"Version={box.firmware}\nfirmware_version=1.0\npackage_version={box.driver}\n"
                "compatible_version_drv=[24.1,24.1.],[25.0,25.0.],[25.2,25.2.]\n"
            )
        disk.files["/var/log/ascend_seclog/ascend_install.log"] = (
            "[Driver] [2026-01-01 10:00:00] [INFO]Start time: 2026-01-01 10:00:00\n"
            "[Driver] [2026-01-01 10:01:00] [INFO]Driver package installed successfully! The new version takes effect immediately.\n"
        )
    if box.nodes is not None:
        _nodes(box, disk)


def driver_record(box: Box) -> str:
    """`driver/version.info`."""
    return (
        f"Version={box.driver}\nascendhal_version=7.35.23\naicpu_version=1.0\ntdt_version=1.0\nlog_version=1.0\n"
        "prof_version=2.0\ndvppkernels_version=1.1\ntsfw_version=1.0\nInnerversion=V100R001C22SPC002B220\n"
        "compatible_version=[V100R001C19],[V100R001C20],[V100R001C21],[V100R001C22]\n"
        f"compatible_version_fw={box.accepts_firmware}\npackage_version={box.driver}\n"
    )


INSTALL_INFO = (
    "UserName=HwHiAiUser\nUserGroup=HwHiAiUser\nFirmware_Install_Type=full\n"
    "Firmware_Install_Path_Param=/usr/local/Ascend\nDriver_Install_Type=full\n"
    "Driver_Install_Path_Param=/usr/local/Ascend\nDriver_Install_For_All=no\nDriver_Install_Mode=normal\n"
    "Driver_Install_Status=complete\n"
)


def _nodes(box: Box, disk: Disk) -> None:
    inside = box.container
    cards = range(box.cards * box.family.chips) if inside is None else inside.cards
    for card in cards:
        disk.files[f"/dev/davinci{card}"] = ""
    if inside is None or inside.managers:
        for name in box.family.nodes:
            disk.files[f"/dev/{name}"] = ""


def _npu_smi(box: Box, disk: Disk) -> None:
    inside = box.container
    if box.driver is None or (inside is not None and not inside.files):
        return
    answers = {"info": box.npu_smi or Answer(tables.table(box))}
    if box.npu_smi is None:
        answers["info -m"] = Answer(tables.map_page(box))
        for npu in tables.numbers(box):
            answers[f"info -t board -i {npu}"] = Answer(tables.board_page(box, npu))
            answers[f"info -t health -i {npu}"] = Answer(tables.health_page(box, npu))
    disk.program("/usr/local/sbin/npu-smi", answers)
    disk.links["/usr/local/bin/npu-smi"] = "/usr/local/sbin/npu-smi"


def _toolkit(box: Box, cann: Cann, disk: Disk) -> None:
    arch = f"{cann.home}/{box.arch}-linux"
    path = cann.home if cann.version.startswith("9") else arch
    disk.files[f"{arch}/ascend_toolkit_install.info"] = (
        f"package_name=Ascend-cann-toolkit\nversion={cann.version}\ninnerversion=V100R001C22SPC001B231\n"
        f"arch={box.arch}\nos=linux\npath={path}\n"
    )
    disk.files[f"{arch}/include/acl/error_codes/rt_error_codes.h"] = ERROR_CODES
    for name in ("runtime", "compiler", "hccl", "opp", "toolkit"):
        disk.files[_record(cann, name)] = component_record(cann, name)
    ops = cann.version if cann.ops == "same" else cann.ops
    if ops is not None:
        disk.files[_record(cann, "ops" if cann.is_new else "opp_kernel")] = (
            f"Version={cann.ops_component}\nversion_dir={ops}\ntimestamp=20250718_000000000\nops_version={cann.ops_component}\n"
            f'required_package_runtime_version="{cann.requires}"\nrequired_package_compiler_version="{cann.requires}"\n'
        )
        for soc in cann.kernels:
            disk.folders.append(f"{cann.home}/opp/built-in/op_impl/ai_core/tbe/kernel/{soc}")
    for name in cann.platforms or PLATFORMS:
        disk.files[f"{arch}/data/platform_config/{name}"] = ""
    _libraries(box, cann, disk)
    if cann.is_new:
        if cann.current:
            disk.links[f"{cann.base}/cann"] = f"cann-{cann.version}"
            disk.links[f"{cann.base}/ascend-toolkit/latest"] = "../cann"
    else:
        disk.files[f"{cann.home}/version.cfg"] = _version_cfg(cann)
        if cann.current:
            for name in ("runtime", "compiler", "opp"):
                disk.links[f"{cann.base}/ascend-toolkit/latest/{name}"] = f"../{cann.version}/{name}"
    if cann.nnal is not None:
        nnal = cann.version if cann.nnal == "same" else cann.nnal
        _nnal(box, cann, nnal, disk)


def _record(cann: Cann, name: str) -> str:
    return (
        f"{cann.home}/share/info/{name}/version.info" if cann.is_new else f"{cann.home}/{name}/version.info"
    )


def component_record(cann: Cann, name: str) -> str:
    """`version.info` of a component."""
    others = [one for one in ("runtime", "compiler", "hccl", "opp", "toolkit", "opp_kernel") if one != name]
    required = "".join(f'required_package_{one}_version="{cann.requires}"\n' for one in others)
    return (
        f"Version={cann.component}\nversion_dir={cann.version}\ntimestamp=20250718_000000000\nruntime_acl_version=1.0\n"
        f"required_driver_ascendhal_version=4.0.0\n{required}"
    )


def _version_cfg(cann: Cann) -> str:
    names = ("runtime", "compiler", "hccl", "opp", "toolkit") + (("opp_kernel",) if cann.ops else ())
    return "# version: 1.0\n" + "".join(
        f"{name}_{state}_version=[{cann.component}:{cann.version}]\n"
        for state in ("running", "installed")
        for name in names
    )


def _libraries(box: Box, cann: Cann, disk: Disk) -> None:
    folder = f"{cann.home}/{box.arch}-linux/lib64"
    for name in ("libascendcl.so", "libhccl.so", "libge_runner.so", "libgraph.so", "libacl_op_compiler.so"):
        disk.files[f"{folder}/{name}"] = ""
    disk.files[f"{cann.home}/set_env.sh"] = "export ASCEND_HOME_PATH=...\n"


def _nnal(box: Box, cann: Cann, version: str, disk: Disk) -> None:
    folder = f"{cann.base}/nnal/atb/{version}"
    disk.files[f"{folder}/version.info"] = (
        f"    Ascend-cann-atb : {version}\n    Ascend-cann-atb Version : {version}.B150\n    Platform : {box.arch}\n"
    )
    for abi in (0, 1):
        disk.files[f"{folder}/atb/cxx_abi_{abi}/lib/libatb.so"] = ""
    disk.links[f"{cann.base}/nnal/atb/latest"] = version


PLATFORMS = ("Ascend910B3.ini", "Ascend910_9391.ini", "Ascend950PR_9579.ini", "Ascend950DT_9582.ini")
ERROR_CODES = "#define ACL_ERROR_RT_PARAM_INVALID 107000 // param invalid\n"


def _python(box: Box, disk: Disk) -> None:
    site = f"/usr/local/python{box.python.version}/lib/python3/site-packages"
    answer = Answer(json.dumps(interpreter_record(box, site)))
    if box.python.failed is not None:
        answer = Answer("", 1, f"Traceback (most recent call last):\n{box.python.failed}\n")
    disk.program("/usr/local/bin/python3", {"*": answer})


def interpreter_record(box: Box, site: str) -> dict[str, object]:
    """What the interpreter says of itself."""
    return {
        "executable": "/usr/local/bin/python3",
        "version": box.python.version,
        "prefix": f"/usr/local/python{box.python.version}",
        "path": [site],
        "distributions": [[name, version, site] for name, version in box.python.packages.items()],
        "leftovers": [f"{site}/{name}" for name in box.python.leftovers],
        "metadata_requires": {},
        "shadows": list(box.python.shadows),
        "autoload": list(box.python.backends),
        "version_files": {
            f"{name}/version.py": f"__version__ = '{version}'\n"
            for name, version in box.python.built_as.items()
        },
    }


def _process_table(box: Box, disk: Disk) -> None:
    if not box.with_proc:
        return
    disk.files["/proc/version"] = f"Linux version {box.kernel} (builder@host) #1 SMP\n"
    disk.files["/proc/cmdline"] = "root=/dev/sda1\n"
    disk.files["/proc/meminfo"] = "MemTotal: 1583000000 kB\nHugePages_Total: 0\n"
    confined = {"Seccomp": "0", "NoNewPrivs": "0", "CapEff": "000001ffffffffff", **box.confined}
    if box.container is not None:
        confined = {**confined, "Seccomp": "2", "CapEff": "00000000a80425fb", **box.confined}
        if box.container.privileged:
            confined["CapEff"] = "000001ffffffffff"
    status = "".join(f"{key}:\t{value}\n" for key, value in confined.items() if key != "uid_map")
    disk.files["/proc/self/status"] = f"Name:\tpython3\nPPid:\t9001\n{status}"
    for place, name in enumerate(box.above):
        parent = 9002 + place if place + 1 < len(box.above) else 0
        disk.files[f"/proc/{9001 + place}/status"] = f"Name:\t{name}\nPPid:\t{parent}\n"
    disk.files["/proc/self/uid_map"] = box.confined.get("uid_map", "         0          0 4294967295\n")
    group = "0::/\n" if box.container is None else "12:devices:/docker/" + "a1" * 32 + "\n"
    disk.files["/proc/1/cgroup"] = disk.files["/proc/self/cgroup"] = group
    disk.files["/proc/1/comm"] = "systemd\n" if box.container is None else "bash\n"
    disk.files["/proc/self/mountinfo"] = _mounts(box)
    if box.owner is not None:
        disk.files["/proc/uda/namespace_node"] = _namespaces(box)
    for pid, name, container in box.holders:
        _holder(pid, name, container, disk)
    if box.mapped is not None:
        disk.files["/proc/4711/maps"] = "".join(
            f"7f00-7f01 r-xp 00000000 08:01 1 {path}\n" for path in box.mapped
        )


def _mounts(box: Box) -> str:
    if box.container is None:
        return "25 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n26 25 0:22 / /dev/shm rw - tmpfs tmpfs rw\n"
    lines = [
        "600 500 0:77 / / rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A,upperdir=/var/lib/docker/overlay2/b/diff"
    ]
    mounted = ["/usr/local/Ascend/driver/lib64"] if box.container.driver else []
    if box.container.files:
        mounted += [
            "/usr/local/dcmi",
            "/usr/local/bin/npu-smi",
            "/usr/local/Ascend/driver/version.info",
            "/etc/ascend_install.info",
        ]
    lines += [
        f"6{place:02d} 600 8:1 {path} {path} ro - ext4 /dev/sda1 rw" for place, path in enumerate(mounted)
    ]
    return "\n".join(lines) + "\n"


def _namespaces(box: Box) -> str:
    rows = "".join(f"{card:8d} {card:8d}\n" for card in range(box.cards))
    return (
        "ns_id 64 identify 0 root_tgid 1 dev_num 8 namespace 00000000f1(#), udev list:\nlogic_devid udevid\n\n\n"
        f"ns_id 0 identify 4026532841 root_tgid {box.owner} dev_num {box.cards} namespace 00000000b5, udev list:\n"
        f"logic_devid udevid\n{rows}\n\n"
    )


def _holder(pid: int, name: str, container: str | None, disk: Disk) -> None:
    disk.files[f"/proc/{pid}/comm"] = f"{name}\n"
    disk.files[f"/proc/{pid}/cgroup"] = (
        f"0::/system.slice/docker-{container}.scope\n" if container else "0::/user.slice\n"
    )
    disk.links[f"/proc/{pid}/fd/5"] = "/dev/davinci0"
    disk.links[f"/proc/{pid}/fd/6"] = "/dev/davinci_manager"
