"""Hand-made diagnoses that show every part of a report."""

from __future__ import annotations

from datetime import date

from ascendenv.doctor.engine import Diagnosis
from ascendenv.doctor.finding import Confidence, Finding, Fix, Severity, Skip
from ascendenv.doctor.waivers import Review, Waiver, review
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import HostFacts, OsRelease
from ascendenv.language import say
from ascendenv.versions import pep440, vendor

__all__ = ["BROKEN", "CASES", "HEALTHY", "HOSTILE", "NOTHING", "REVIEWED", "UNDECIDED"]

FACTS = HostFacts(
    chip="Ascend910B3",
    driver=vendor("25.2.0"),
    cann=vendor("8.2.RC1"),
    torch=pep440("2.9.0+cpu"),
    torch_npu=pep440("2.7.1"),
    arch="aarch64",
    os=OsRelease("openeuler", "24.03", "openEuler 24.03 (LTS-SP2)"),
    in_container=True,
)
ROOT = Finding(
    id="TOR001",
    cause="torch-npu-torch-mismatch",
    severity=Severity.ERROR,
    confidence=Confidence.CERTAIN,
    title=say("certain"),
    observed=say(
        "{note}; take the firmware package of HDK {hdk} for this chip", note=say("seen"), hdk="25.2.0"
    ),
    expected=say("expected"),
    why=say("a new driver or firmware runs only after this"),
    evidence=(
        Evidence(
            "log:8",
            "ImportError: /usr/local/lib/python3.11/site-packages/torch_npu/lib/libtorch_npu.so: undefined",
        ),
        Evidence("report:3", "[pip3] torch==2.9.0"),
    ),
    fix=(
        Fix(
            "python3 -m pip install 'torch==2.7.1' 'torch-npu==2.7.1' --extra-index-url https://example.org/a/very/long",
            say("try it"),
        ),
        Fix("reboot", say("a new driver or firmware runs only after this"), needs_root=True, disruptive=True),
    ),
    sources=("somewhere",),
)
CONSEQUENCE = Finding(
    id="TOR019",
    cause="backend-autoload-conflict",
    severity=Severity.ERROR,
    confidence=Confidence.LIKELY,
    title=say("likely"),
    observed=say("seen"),
    because_of=("TOR001",),
)
GUESS = Finding(
    id="DEV001",
    cause="driver-not-loaded",
    severity=Severity.WARNING,
    confidence=Confidence.POSSIBLE,
    title=say("possible"),
    observed=say("seen"),
    fix=(Fix("dmesg | tail"),),
)
SKIPS = (Skip("HCC001", say("the input does not tell")),)

BROKEN = Diagnosis(FACTS, (ROOT, GUESS, CONSEQUENCE), SKIPS, 133)
UNDECIDED = Diagnosis(HostFacts(), (GUESS,), SKIPS, 133)
HEALTHY = Diagnosis(FACTS, (), SKIPS, 133)
NOTHING = Diagnosis(HostFacts(), (), SKIPS, 1)

ACCEPTED = Waiver(
    cause="driver-not-loaded",
    reason="the module is loaded by hand on this host",
    by="ops@example.org",
    until=date(2026, 12, 31),
    where="waivers.yaml:1",
)
ENDED = Waiver(
    id="TOR001",
    reason="the image is rebuilt next quarter",
    by="ml-platform@example.org",
    until=date(2026, 6, 30),
    where="waivers.yaml:6",
)
UNUSED = Waiver(id="SYS009", reason="x", by="y", until=date(2027, 1, 1), where="waivers.yaml:11")
REVIEWED = review(BROKEN, (ACCEPTED, ENDED, UNUSED), date(2026, 11, 29))

EVIL = "<script>alert(1)</script> \"]]>&amp;' {{ 7*7 }} \x1b[31m\x00\u202eexe\u2028\ud800 `rm -rf /` %s {0}"
HOSTILE = Diagnosis(
    HostFacts(chip=EVIL, driver=vendor("25.2.0"), os=OsRelease("x", None, EVIL)),
    (
        Finding(
            id="TOR001",
            cause="torch-npu-torch-mismatch",
            severity=Severity.ERROR,
            confidence=Confidence.CERTAIN,
            title=say("{note}; take the firmware package of HDK {hdk} for this chip", note=EVIL, hdk=EVIL),
            observed=say("{note}; take the firmware package of HDK {hdk} for this chip", note=EVIL, hdk="\n"),
            evidence=(
                Evidence(f"{EVIL}:3", EVIL),
                Evidence("javascript:alert(1)", EVIL),
                Evidence("log:8", EVIL),
            ),
            fix=(Fix(f"echo {EVIL}\nsecond line", say("likely")),),
            sources=("javascript:alert(1)", 'https://example.org/"onmouseover="alert(1)', EVIL),
        ),
    ),
    (Skip("HCC001", say("the input names several: {values}", values=EVIL)),),
    133,
)
"""What a log can hold that was written to harm its reader."""

CASES = {
    "broken": Review(BROKEN),
    "undecided": Review(UNDECIDED),
    "healthy": Review(HEALTHY),
    "nothing": Review(NOTHING),
    "reviewed": REVIEWED,
    "hostile": Review(HOSTILE),
}
