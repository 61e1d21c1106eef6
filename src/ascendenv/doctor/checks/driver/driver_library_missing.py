"""DRV001: a library of the driver cannot be found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import create_account
from ascendenv.doctor.checks.driver.traces import cards_answer, cards_on_bus, driver_is_loaded
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import upgrade_driver
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import Unknown, known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

LIBRARIES = ("libascend_hal", "libc_sec", "libdrvdsmi", "libdcmi", "libmmpa", "libascend_rdma", "libdrv")
"""How the names of the libraries begin that only the driver brings (driver/lib64 of the HDK packages)."""
DCMI = "libdcmi"
"""The library of /usr/local/dcmi, which is mounted beside the driver's."""
TOOLS = ("npu-smi", "hccn_tool", "upgrade-tool", "msnpureport")
"""Programs of the driver: where one of them starts and lacks a library, the driver is there."""
COMPILERS = ("atc", "fwk_atc.bin", "aoe", "msopgen", "bishengir-compile", "ccec", "cmake")
"""Programs of a development machine, which need no NPU and yet link the driver's libraries."""
CARD = re.compile(r"/dev/davinci[0-9]+")
TOLD = "driver-told-absent"
MOUNTED, INSTALLED = ("mount", "挂载", "映射", "container"), ("install", "安装", "装")
"""Words that tell which kind of absence a reporter means."""
LINKED = ("drv", "hal", "dsmi_", "dcmi_")
"""How the functions begin that only the driver's libraries define."""


class DriverLibraryMissing(Check):
    """A library of the driver, such as libascend_hal.so, is not found."""

    id = "DRV001"
    causes = (
        "driver-missing",
        "driver-not-mounted",
        "driver-libs-not-on-path",
        "driver-absent-at-build-time",
        "container-mounts-incomplete",
    )
    consequence_of = ("DEV009", "DRV021")
    rank = 5

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Which of the four ways to lack the library fits the box."""
        symptoms = _symptoms(signals)
        lacks = _lacks_driver(matrix, facts)
        if not symptoms and not lacks:
            return
        scene = _scene(signals, symptoms, facts, bare=lacks and not facts.in_container)
        yield from weigh(
            self,
            (_on_path(scene), *_absent(scene, matrix, facts), _at_build(scene))
            if scene.tool_starts
            else (_at_build(scene), *_absent(scene, matrix, facts), _on_path(scene))
            if scene.linking
            else (*_absent(scene, matrix, facts), _at_build(scene), _on_path(scene)),
            observed=say("{what} is not found", what=_named(symptoms))
            if symptoms
            else say("the box has NPUs, but no library of the driver"),
            evidence=(
                *(one.evidence for one in symptoms),
                *(facts.seen("driver_library", "driver_files", "pci") if lacks else ()),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/file_copy.sh",),
        )


@dataclass(frozen=True)
class Scene:
    """What decides between the causes; None where nothing tells."""

    in_container: bool | None
    driver_present: bool | None
    on_search_path: bool | None
    told: str
    tool_starts: bool
    linking: bool
    building: bool
    tool_at_its_place: bool
    bare: bool
    """The box was looked at, and has cards and no driver."""


def _symptoms(signals: Signals) -> list[Signal]:
    libraries = [
        one
        for one in signals.of("missing-library", "link-library-missing")
        if one.get("library").startswith(LIBRARIES)
    ]
    functions = [one for one in signals.of("undefined-reference") if one.get("symbol").startswith(LINKED)]
    others = signals.of(
        "driver-library-not-loaded",
        "driver-folder-missing",
        "npu-smi-not-found",
        "soc-not-detected",
        TOLD,
    )
    return [*libraries, *functions, *others]


def _scene(signals: Signals, symptoms: list[Signal], facts: HostFacts, *, bare: bool) -> Scene:
    kinds = {one.id for one in symptoms}
    absent = bool(kinds & {"driver-folder-missing", "npu-smi-not-found", TOLD})
    return Scene(
        in_container=known(facts.in_container),
        driver_present=_driver_present(facts, absent=absent),
        on_search_path=_on_search_path(facts),
        told=" ".join(one.get("text") for one in symptoms if one.id == TOLD),
        tool_starts=any(one.get("needed_by").endswith(TOOLS) for one in symptoms),
        bare=bare,
        linking=bool(kinds & {"link-library-missing", "undefined-reference"}),
        tool_at_its_place=any(one.id == "npu-smi-not-found" and one.get("path") for one in symptoms)
        or (bool(symptoms) and all(one.get("library").startswith(DCMI) for one in symptoms)),
        building=signals.first("build-step", "image-build", "soc-not-detected") is not None
        or any(one.get("needed_by").rpartition("/")[2] in COMPILERS for one in symptoms),
    )


def _lacks_driver(matrix: Matrix, facts: HostFacts) -> bool:
    """Whether the box itself shows cards and no driver; a container sees every card of its host on the bus."""
    if facts.driver_library is not False or cards_answer(facts):
        return False
    nodes = facts.device_nodes or ()
    if any(CARD.fullmatch(one.path) for one in nodes):
        return True
    return facts.in_container is False and cards_on_bus(matrix, facts) > 0


def _driver_present(facts: HostFacts, *, absent: bool) -> bool | None:
    """Whether driver files are at hand; a driver that lies elsewhere than usual shows by its answers."""
    if absent:
        return False
    if not isinstance(facts.driver_library, Unknown):
        return facts.driver_library or cards_answer(facts)
    return driver_is_loaded(facts) or None


def _on_search_path(facts: HostFacts) -> bool | None:
    environment = facts.environment
    if not environment or "LD_LIBRARY_PATH" not in environment:
        return None
    return "driver/lib64" in environment["LD_LIBRARY_PATH"]


def _named(symptoms: list[Signal]) -> str:
    names = dict.fromkeys(
        one.get("library") or one.get("symbol") or "libascend_hal.so"
        for one in symptoms
        if one.id not in ("npu-smi-not-found", "soc-not-detected", TOLD)
    )
    return ", ".join(list(names)[:3]) or ("npu-smi" if symptoms[0].id != TOLD else "driver/lib64")


def _means(told: str, words: tuple[str, ...]) -> bool:
    return any(word in told for word in words)


def _absent(scene: Scene, matrix: Matrix, facts: HostFacts) -> tuple[Hypothesis, ...]:
    missing, unmounted = _missing(scene, matrix, facts), _not_mounted(scene)
    if scene.tool_at_its_place:
        return (_tool_not_mounted(scene), unmounted, missing)
    return (unmounted, missing) if scene.in_container else (missing, unmounted)


def _tool_not_mounted(scene: Scene) -> Hypothesis:
    """A shell names the whole path of npu-smi where it was put there, or is looked for there, by a mount."""
    return Hypothesis(
        "container-mounts-incomplete",
        say("npu-smi or DCMI of the host is not mounted into the container"),
        False if scene.in_container is False else None,
        ask=say("does ls -l /usr/local/bin/npu-smi /usr/local/sbin/npu-smi on the host show where it lies?"),
        fix=(
            Fix(
                "docker run -v $(which npu-smi):/usr/local/bin/npu-smi -v /usr/local/dcmi:/usr/local/dcmi"
                " -v /usr/local/Ascend/driver/lib64/:/usr/local/Ascend/driver/lib64/ ...",
                say(
                    "some boards have it in /usr/local/sbin; a path that the host lacks is mounted as a folder"
                ),
            ),
        ),
    )


def _missing(scene: Scene, matrix: Matrix, facts: HostFacts) -> Hypothesis:
    supported: bool | None = None
    if scene.in_container or scene.driver_present or scene.tool_starts:
        supported = False
    elif _means(scene.told, INSTALLED) or (
        scene.in_container is False and not (scene.linking or scene.building)
    ):
        supported = True
    return Hypothesis(
        "driver-missing",
        say("The Ascend driver is not installed on this machine"),
        supported,
        say("libascend_hal.so comes with the driver, not with CANN or torch_npu"),
        ask=say("is there a /usr/local/Ascend/driver on the host, and does npu-smi info work there?"),
        fix=(
            *(create_account() if facts.driver_account is False else ()),
            *upgrade_driver(matrix, cann=known(facts.cann), chip=known(facts.chip), arch=known(facts.arch)),
            Fix(
                "export TORCH_DEVICE_BACKEND_AUTOLOAD=0",
                say("on a machine without NPU: import torch does not load torch_npu then"),
            ),
        ),
    )


def _not_mounted(scene: Scene) -> Hypothesis:
    supported: bool | None = None
    if scene.in_container is False:
        supported = False
    elif _means(scene.told, MOUNTED) or (
        scene.in_container and not (scene.linking or scene.building or scene.tool_starts)
    ):
        supported = True
    return Hypothesis(
        "driver-not-mounted",
        say("The driver of the host is not mounted into the container"),
        supported,
        say("an image holds no driver; its libraries come from the host by a mount"),
        ask=say("does ls /usr/local/Ascend/driver/lib64 list anything in this container?"),
        fix=(
            Fix(
                "docker run -v /usr/local/Ascend/driver/lib64/:/usr/local/Ascend/driver/lib64/"
                " -v /usr/local/Ascend/driver/version.info:/usr/local/Ascend/driver/version.info"
                " -v /usr/local/dcmi:/usr/local/dcmi -v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi"
                " -v /etc/ascend_install.info:/etc/ascend_install.info ...",
                say("or start it with the Ascend docker runtime, which mounts the same"),
            ),
        ),
    )


def _on_path(scene: Scene) -> Hypothesis:
    supported: bool | None = None
    if scene.driver_present is False or scene.on_search_path:
        supported = False
    elif scene.tool_starts or (scene.driver_present and not scene.in_container and not scene.linking):
        supported = True
    return Hypothesis(
        "driver-libs-not-on-path",
        say("The driver's libraries are there, but the loader does not search their folders"),
        supported,
        say("the driver is in place; only driver/lib64 and the folders below it are not searched"),
        ask=say("does find /usr/local/Ascend/driver/lib64 -name 'lib*.so' print the library?"),
        fix=(
            Fix(
                "export LD_LIBRARY_PATH=/usr/local/Ascend/driver/lib64:/usr/local/Ascend/driver/lib64/common:"
                "/usr/local/Ascend/driver/lib64/driver:/usr/local/Ascend/driver/lib64/inner:$LD_LIBRARY_PATH"
            ),
            Fix(
                "printf '%s\\n' /usr/local/Ascend/driver/lib64{,/common,/driver,/inner}"
                " > /etc/ld.so.conf.d/ascend_driver_so.conf && ldconfig",
                say("the same for every shell and service"),
                needs_root=True,
            ),
        ),
    )


def _at_build(scene: Scene) -> Hypothesis:
    supported = True if scene.linking or (scene.building and not scene.tool_starts) else None
    if (scene.driver_present or scene.bare) and not scene.linking and not scene.in_container:
        supported = False
    return Hypothesis(
        "driver-absent-at-build-time",
        say("The build runs where no driver is: an image build or a development machine"),
        supported,
        say("an image build sees no driver of the host; CANN has a stub of libascend_hal.so for linking"),
        ask=say("does this happen in docker build, cmake or pip install?"),
        fix=(
            Fix(
                "export LD_LIBRARY_PATH=${ASCEND_TOOLKIT_HOME}/$(uname -m)-linux/devlib:$LD_LIBRARY_PATH"
                " LIBRARY_PATH=${ASCEND_TOOLKIT_HOME}/$(uname -m)-linux/devlib:$LIBRARY_PATH",
                say("for the build only; at run time the real library of the driver must be found first"),
            ),
        ),
    )
