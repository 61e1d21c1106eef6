"""What is wrong in an environment: missing, stale, wrong-typed, unknown, deprecated, contradictory, costly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.env.explanation import nearest, worded
from ascendenv.env.problem import Problem
from ascendenv.env.values import fault_of
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.env.profile import Profile
    from ascendenv.matrix.rows.variables import Quarrel, Variable
    from ascendenv.matrix.variables import Catalogue
    from ascendenv.versions import Version

__all__ = ["check"]

_OURS = (
    "ASCEND_",
    "HCCL_",
    "HCOMM_",
    "ATB_",
    "ASDOPS_",
    "LCCL_",
    "TORCH_NPU_",
    "TORCH_HCCL_",
    "PYTORCH_NPU_",
)
_ROOT = re.compile(r".*?/(?:ascend-toolkit/[^/:]+|Ascend/cann(?:-[^/:]+)?)(?=/|$)")
_LISTS = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH")
_PLACES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "ASCEND_AICPU_PATH")
_ORDER = ("error", "warning", "info")


def check(
    environment: Mapping[str, str],
    catalogue: Catalogue,
    *,
    cann: Version | None = None,
    profile: Profile | None = None,
) -> tuple[Problem, ...]:
    """The problems of `environment`, the worst first, then by name; `profile` is what it should be, where known."""
    present = {name: value for name, value in environment.items() if value}
    found = [
        *_of_values(present, catalogue, cann),
        *_unknown(present, catalogue.variables),
        *_quarrels(present, catalogue.variables),
        *_of_places(present),
    ]
    if profile is not None:
        found.extend(_against(profile, environment))
    return tuple(sorted(found, key=lambda one: (_ORDER.index(one.severity), one.name, one.kind)))


def _of_values(present: Mapping[str, str], catalogue: Catalogue, cann: Version | None) -> Iterator[Problem]:
    for name, value in present.items():
        row = catalogue.variables.get(name)
        if row is None:
            continue
        if (fault := fault_of(row, value)) is not None:
            yield Problem("wrong-typed", name, "error", fault)
        if row.replaced_by and (row.replaced_from is None or (cann and row.replaced_from.contains(cann))):
            yield Problem("deprecated", name, "warning", say("use {new} instead", new=row.replaced_by))
        if row.cann is not None and cann is not None and not row.cann.contains(cann):
            yield Problem("stale", name, "warning", say("CANN {version} does not know it", version=cann))
        if value in catalogue.costly.get(name, ()):
            words = say("{value} is for finding faults: it makes programs slower", value=value)
            yield Problem("costly", name, "warning", words)


def _unknown(present: Mapping[str, str], known: Mapping[str, Variable]) -> Iterator[Problem]:
    for name in present:
        if name in known or not name.startswith(_OURS):
            continue
        near = nearest(name, known)
        if near:
            words = say("no component is known to read it; the nearest name is {near}", near=near[0])
            yield Problem("unknown", name, "warning", words)
        else:
            yield Problem("unknown", name, "info", say("no component is known to read it"))


def _quarrels(present: Mapping[str, str], known: Mapping[str, Variable]) -> Iterator[Problem]:
    for name, row in known.items():
        for one in row.conflicts if name in present else ():
            if _clash(one, present, name):
                words = say("not with {other}: {why}", other=one.other, why=worded(one.why))
                yield Problem("contradictory", name, "warning", words)
        numbers = [present.get(each, "") for each in (name, row.above or "")]
        if row.above and all(each.isdecimal() for each in numbers) and int(numbers[0]) <= int(numbers[1]):
            yield Problem(
                "contradictory", name, "warning", say("must be larger than {other}", other=row.above)
            )
    if "ASCEND_VISIBLE_DEVICES" in present and "ASCEND_RT_VISIBLE_DEVICES" not in present:
        words = say("only the container runtime reads it; a process reads ASCEND_RT_VISIBLE_DEVICES")
        yield Problem("contradictory", "ASCEND_VISIBLE_DEVICES", "info", words)


def _clash(quarrel: Quarrel, present: Mapping[str, str], name: str) -> bool:
    own = quarrel.own is None or present[name] == quarrel.own
    return own and quarrel.other in present and quarrel.theirs in (None, present[quarrel.other])


def _of_places(present: Mapping[str, str]) -> Iterator[Problem]:
    """Places of another CANN than the one in use, and places that are not told."""
    home = present.get("ASCEND_HOME_PATH") or present.get("ASCEND_TOOLKIT_HOME")
    if home is None:
        words = say("no CANN is in use: source its set_env.sh, or run `ascendenv env activate`")
        yield Problem("missing", "ASCEND_HOME_PATH", "error", words)
        return
    if "ASCEND_OPP_PATH" not in present:
        words = say("without it operators are not found")
        yield Problem("missing", "ASCEND_OPP_PATH", "error", words)
    for name in (*_PLACES, *_LISTS):
        others = sorted(_roots(present.get(name, "")) - _roots(home))
        if others and _roots(home):
            words = say("holds {other}, but the CANN in use is {home}", other=", ".join(others), home=home)
            yield Problem("stale", name, "warning", words)


def _roots(text: str) -> set[str]:
    return {found.group() for one in text.split(":") if (found := _ROOT.match(one))}


def _against(profile: Profile, environment: Mapping[str, str]) -> Iterator[Problem]:
    for name, value in profile.values.items():
        seen = environment.get(name)
        if seen is None:
            yield Problem("missing", name, "error", say("the profile sets it to {value}", value=repr(value)))
        elif seen != value:
            words = say("is {seen}; the profile sets it to {value}", seen=repr(seen), value=repr(value))
            yield Problem("stale", name, "error", words)
    for name, own in profile.lists.items():
        lacking = [one for one in own if one not in environment.get(name, "").split(":")]
        if lacking:
            words = say("lacks {folders}", folders=", ".join(lacking))
            yield Problem("missing", name, "error", words)
