"""Relations of what stands around the stack: ops package, Python of CANN, life-cycle, operating system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.level import Level
from ascendenv.matrix.operating_systems import is_same_system, system_of
from ascendenv.matrix.relation import Relation, between
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from ascendenv.language import Message
    from ascendenv.matrix.given import Looked
    from ascendenv.matrix.rows.base import Lifecycle
    from ascendenv.matrix.rows.surroundings import OsMinimum, OsSupport, OsSystem
    from ascendenv.versions import Version, VersionRange

__all__ = ["cann_python", "life_cycle", "operating_system", "toolkit_ops"]

Verdict = tuple[Level, "Message", tuple[str, ...]]


def toolkit_ops(looked: Looked) -> Relation | None:
    """Whether the ops (kernels) package is of the toolkit's release."""
    given = looked.given
    if given.cann is None or given.ops is None:
        return None
    row = looked.cann
    names = (given.cann, row.version, *row.aliases) if row is not None else (given.cann,)
    sources = row.sources if row is not None else ()
    if any(given.ops == name or given.ops.belongs_to(name) or name.belongs_to(given.ops) for name in names):
        level, why = Level.RECOMMENDED, say("toolkit and ops are of the same release")
    elif row is not None and any(given.ops.belongs_to(one) for one in row.ops):
        level, why = (
            Level.COMPATIBLE,
            say("toolkit {cann} with ops {ops} is a documented mix", cann=given.cann, ops=given.ops),
        )
    else:
        level, why = (
            Level.BROKEN,
            say(
                "toolkit is {cann} but ops is {ops}; they must be of one release",
                cann=given.cann,
                ops=given.ops,
            ),
        )
    return Relation("toolkit-ops", between(given, "cann", "ops"), level, why, sources)


def cann_python(looked: Looked) -> Relation | None:
    """Whether CANN's documents list this Python."""
    given, row = looked.given, looked.cann
    if given.python is None or row is None or row.python is None:
        return None
    what = {"cann": row.version, "range": row.python.text, "python": given.python}
    if row.python.contains(given.python):
        level, why = Level.RECOMMENDED, say("CANN {cann} lists Python {range}", **what)
    elif _same_minor(row.python, given.python):
        level, why = (
            Level.COMPATIBLE,
            say("CANN {cann} lists Python {range}; {python} is a later patch", **what),
        )
    else:
        level, why = Level.UNKNOWN, say("CANN {cann} lists Python {range}, not {python}", **what)
    return Relation("cann-python", between(given, "cann", "python"), level, why, row.sources)


def _same_minor(listed: VersionRange, python: Version) -> bool:
    """Whether an earlier patch of the same Python is listed."""
    major, minor, patch = (*python.release, 0, 0)[:3]
    return any(listed.contains(pep440(f"{major}.{minor}.{earlier}")) for earlier in range(patch))


def life_cycle(looked: Looked) -> Relation | None:
    """Where the torch line stands in its life: as published, or on the day that is asked for."""
    release = looked.torch_npu
    torch = release.torch if release is not None else looked.given.torch
    line = looked.matrix.find_torch(torch) if torch is not None else None
    if line is None or line.lifecycle is None:
        return None
    level, why = _stage(line.lifecycle, line.torch, looked.today)
    return Relation("life-cycle", (f"torch {line.torch}",), level, why, line.sources)


def _stage(life: Lifecycle, torch: Version, today: str | None) -> tuple[Level, Message]:
    stage = life.state(today)
    if stage == "eol":
        day = life.eol or life.next_from or life.as_of
        return Level.COMPATIBLE, say(
            "torch_npu for torch {torch} reached its end of life on {day}", torch=torch, day=day
        )
    if stage == "planned":
        why = say("torch_npu for torch {torch} was only planned on {day}", torch=torch, day=life.as_of)
        return Level.UNKNOWN, why
    if stage == "maintenance":
        return Level.RECOMMENDED, say("torch_npu for torch {torch} is in maintenance", torch=torch)
    return Level.RECOMMENDED, say("torch_npu for torch {torch} is under development", torch=torch)


def operating_system(looked: Looked) -> Relation | None:
    """Whether the operating system is listed for the chip, and the driver new enough for it."""
    given, family = looked.given, looked.family
    if given.os is None or family is None:
        return None
    listed = looked.matrix.os.get(family.name)
    level, why, sources = _os_verdict(looked, given.os, listed)
    return Relation("os", between(given, "os", "chip", "product", "driver"), level, why, sources)


def _os_verdict(looked: Looked, os: str, listed: OsSupport | None) -> Verdict:
    if listed is None:
        return Level.UNKNOWN, say("no source lists operating systems for this chip"), ()
    system = system_of(os)
    for minimum in listed.minimum:
        if is_same_system(system, minimum.id, minimum.release) and _too_old(looked, minimum):
            what = {"product": minimum.product, "os": os, "driver": minimum.driver}
            return (
                Level.BROKEN,
                say("{product} on {os} needs driver {driver} or newer", **what),
                minimum.sources,
            )
    for one in listed.systems:
        if is_same_system(system, one.id, one.release) and _fits(looked, one):
            why = say("{os} is listed for {family}", os=os, family=listed.family)
            return Level.RECOMMENDED, why, one.sources
    why = say("{os} is not in the lists for {family}, which are not complete", os=os, family=listed.family)
    return Level.UNKNOWN, why, ()


def _fits(looked: Looked, one: OsSystem) -> bool:
    arch = looked.given.arch
    right_arch = arch is None or not one.arch or arch in one.arch
    return right_arch and (not one.products or looked.product_name in (None, *one.products))


def _too_old(looked: Looked, minimum: OsMinimum) -> bool:
    given = looked.given
    right_arch = given.arch is None or given.arch in minimum.arch
    if looked.product_name != minimum.product or not right_arch or given.driver is None:
        return False
    return given.driver < minimum.driver and not given.driver.belongs_to(minimum.driver)
