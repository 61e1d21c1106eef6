"""DRV004: the driver's kernel modules cannot be built for, or loaded into, the running kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import install_build_tools, rebuild_modules
from ascendenv.doctor.checks.driver.traces import cards_answer, device_symptoms, has_driver_modules
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.model import KernelState
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, OsRelease
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

UNFIT = (
    "driver-compile-error",
    "driver-vermagic-differs",
    "driver-module-symbol",
    "driver-module-not-inserted",
    "driver-module-not-found",
)
UPGRADED = "kernel-was-upgraded"
UNSIGNED = "driver-module-unsigned"
SYMPTOMS = (*UNFIT, UNSIGNED, "driver-build-failed", "kernel-headers-absent")
REFUSED = ("Key was rejected", "Required key", "not permitted", "Permission denied", "rejected by service")
"""Reasons of modprobe that mean an unsigned module on a kernel that wants signatures."""


class KernelModulesUnfit(Check):
    """The driver's kernel modules do not build for, or load into, the running kernel."""

    id = "DRV004"
    causes = (
        "driver-kernel-incompatible",
        "kernel-headers-missing",
        "driver-install-tools-missing",
        "driver-module-unsigned",
    )
    consequence_of = ("DRV021",)
    rank = 10

    def check(
        self, signals: Signals, facts: HostFacts, os: OsRelease | None = None, kernel: str | None = None
    ) -> Iterator[Finding]:
        """Absent headers, absent tools, a refused signature, or a kernel that the sources do not know."""
        if cards_answer(facts):
            return
        symptoms, foreign = _symptoms(signals), _foreign(facts, kernel)
        state = known(facts.kernel_state) or KernelState()
        refused = _refused(facts, state)
        if not symptoms and foreign is None and not refused:
            return
        unsigned = [one for one in symptoms if one.id == UNSIGNED or one.get("reason").startswith(REFUSED)]
        unfit = [one for one in symptoms if one.id in (*UNFIT, UPGRADED) and one not in unsigned]
        yield from weigh(
            self,
            (
                _unsigned(told=bool(unsigned) or refused),
                _no_headers(signals, os, unfit, state.headers),
                _unfit(unfit, signals, kernel, None if _rebuilds(state) else foreign),
                _no_tools(signals, os),
            ),
            observed=say(
                "the kernel loads signed modules only, and {module} is not signed", module=state.module
            )
            if refused
            else _observed(symptoms)
            if symptoms
            else _differ(foreign, kernel),
            evidence=(
                *(one.evidence for one in symptoms),
                *(facts.seen("kernel", "kernel_state") if foreign or refused else ()),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/run_driver_install.sh",),
            sure=Confidence.CERTAIN
            if foreign or refused or signals.of(*UNFIT, UNSIGNED, "kernel-headers-absent")
            else Confidence.LIKELY,
        )


def _refused(facts: HostFacts, state: KernelState) -> bool:
    """Whether the box itself shows that the kernel refuses the module on disk for its missing signature."""
    modules = known(facts.kernel_modules)
    return bool(state.signatures and state.signed is False and modules and not has_driver_modules(modules))


def _rebuilds(state: KernelState) -> bool:
    """Whether dkms would build the modules for this kernel, if only the headers were there."""
    return state.headers is False and bool(state.dkms)


def _symptoms(signals: Signals) -> tuple[Signal, ...]:
    """What the build or the loading says; an upgraded kernel counts where the cards are silent since."""
    upgraded = signals.of(UPGRADED)
    return (*signals.of(*SYMPTOMS), *(upgraded if upgraded and device_symptoms(signals) else ()))


def _foreign(facts: HostFacts, kernel: str | None) -> str | None:
    """The kernel that the modules on disk are for, where that is another one and none of them is loaded."""
    state, modules = known(facts.kernel_state), known(facts.kernel_modules)
    if state is None or state.vermagic is None or modules is None or has_driver_modules(modules):
        return None
    return state.vermagic if kernel is not None and state.vermagic != kernel else None


def _differ(built: str | None, running: str | None) -> Message:
    return say(
        "the modules were built for kernel {built}, {running} is running",
        built=built or say("unknown"),
        running=running or say("unknown"),
    )


def _observed(symptoms: tuple[Signal, ...]) -> Message:
    for one in symptoms:
        if one.get("running") and one.get("built"):
            return _differ(one.get("built"), one.get("running"))
        if one.get("message"):
            return say("{file} does not compile: {message}", file=one.get("file"), message=one.get("message"))
    if all(one.id == UPGRADED for one in symptoms):
        return say("the kernel was changed, and the devices do not answer since")
    return say("the driver's kernel modules could not be built or loaded")


def _compiles(unfit: list[Signal]) -> bool:
    """Whether the compiler got as far as the driver's sources, so that the headers are there."""
    return any(one.id == "driver-compile-error" and one.get("message") for one in unfit)


def _no_headers(
    signals: Signals, os: OsRelease | None, unfit: list[Signal], headers: bool | None
) -> Hypothesis:
    absent = bool(signals.of("kernel-headers-absent")) or headers is False
    return Hypothesis(
        "kernel-headers-missing",
        say("The development files of the running kernel are not installed"),
        False if headers or _compiles(unfit) else absent or None,
        say("the installer builds its modules against /lib/modules/$(uname -r)/build, which is not there"),
        ask=say("does ls /lib/modules/$(uname -r)/build/Makefile find the file?"),
        fix=(*install_build_tools(os), rebuild_modules()),
    )


def _unfit(unfit: list[Signal], signals: Signals, kernel: str | None, foreign: str | None) -> Hypothesis:
    running = kernel or next((one.get("running") for one in unfit if one.get("running")), "")
    return Hypothesis(
        "driver-kernel-incompatible",
        say("This driver does not fit the running kernel"),
        True if foreign or _compiles(unfit) or (unfit and not signals.of("kernel-headers-absent")) else None,
        say("kernel {kernel} differs from those that this driver release was made for", kernel=running)
        if running
        else say("the kernel differs from those that this driver release was made for"),
        ask=say("is this kernel on the list of the HDK release, and was it upgraded after the driver?"),
        fix=(
            Fix("uname -r; dkms status; modinfo -F vermagic drv_pcie_host", say("compare the two kernels")),
            Fix(note=say("take a newer HDK that lists this OS and kernel, or boot the kernel it lists")),
            rebuild_modules(),
        ),
    )


def _no_tools(signals: Signals, os: OsRelease | None) -> Hypothesis:
    tools = signals.of("build-tool-missing")
    return Hypothesis(
        "driver-install-tools-missing",
        say("The tools that build kernel modules are not installed"),
        True if tools and not signals.of(*UNFIT, "kernel-headers-absent") else None,
        say("without dkms, gcc and make only the prebuilt modules can be used"),
        ask=say("do dkms --version, gcc --version and make --version answer?"),
        fix=(*install_build_tools(os), rebuild_modules()),
        evidence=tuple(one.evidence for one in tools),
    )


def _unsigned(*, told: bool) -> Hypothesis:
    return Hypothesis(
        "driver-module-unsigned",
        say("The kernel refuses the driver's modules because they are not signed"),
        told,
        say("with Secure Boot or module.sig_enforce the kernel loads signed modules only"),
        ask=say("what does mokutil --sb-state say?"),
        fix=(
            Fix("mokutil --sb-state; cat /sys/module/module/parameters/sig_enforce"),
            Fix(
                note=say(
                    "switch Secure Boot off in the firmware setup, or sign the modules with an enrolled key"
                )
            ),
        ),
    )
