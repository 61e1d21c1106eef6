"""Relations of torch and torch_npu with CANN, Python, architecture and chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.fit import cann_level, oldest_cann
from ascendenv.matrix.level import Level
from ascendenv.matrix.model import python_tag
from ascendenv.matrix.relation import Relation, between
from ascendenv.versions import VersionRange, pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.language import Message
    from ascendenv.matrix.given import Looked
    from ascendenv.matrix.rows.releases import TorchNpuRelease
    from ascendenv.versions import Version

__all__ = ["cann_torch_npu", "torch_npu_chip", "torch_npu_torch", "torch_npu_wheel"]

Verdict = tuple[Level, "Message", tuple[str, ...]]


def cann_torch_npu(looked: Looked) -> Relation | None:
    """Whether torch_npu is made for this CANN, stated to work with it, or used with it by a project."""
    given = looked.given
    if given.cann is None or given.torch_npu is None:
        return None
    level, why, sources = _pair_verdict(looked, given.cann, given.torch_npu)
    return Relation("cann-torch_npu", between(given, "cann", "torch_npu"), level, why, sources)


def _pair_verdict(looked: Looked, cann: Version, torch_npu: Version) -> Verdict:
    release = looked.torch_npu
    level = Level.UNKNOWN if release is None else cann_level(release, cann, looked.cann)
    if level < Level.COMPATIBLE and (used := next(_used_together(looked), None)):
        who, sources = used
        why = say(
            "{who} uses torch_npu {torch_npu} with CANN {cann}", who=who, torch_npu=torch_npu, cann=cann
        )
        return Level.COMPATIBLE, why, sources
    if release is None:
        return _build_verdict(looked, cann, torch_npu)
    return level, _pair_words(looked, release, level, cann), release.sources


def _build_verdict(looked: Looked, cann: Version, torch_npu: Version) -> Verdict:
    """A development build: it counts as the release that it leads to, but says no only where a source does."""
    leads_to = torch_npu.public.partition(".dev")[0]
    release = looked.matrix.find_torch_npu(pep440(leads_to))
    if release is None or leads_to == torch_npu.public:
        return Level.UNKNOWN, say("the matrix does not know torch_npu {torch_npu}", torch_npu=torch_npu), ()
    what = {"torch_npu": torch_npu, "release": leads_to, "cann": cann}
    if cann_level(release, cann, looked.cann) >= Level.COMPATIBLE:
        why = say("torch_npu {torch_npu} leads to {release}, which works with CANN {cann}", **what)
        return Level.COMPATIBLE, why, release.sources
    return (
        Level.UNKNOWN,
        say("no source tells for which CANN torch_npu {torch_npu} is made", **what),
        release.sources,
    )


def _pair_words(looked: Looked, release: TorchNpuRelease, level: Level, cann: Version) -> Message:
    made_for, stated = _listed(release.cann), _listed(release.cann_compatible or release.cann)
    what = {"torch_npu": release.version, "cann": cann, "made_for": made_for, "stated": stated}
    if level == Level.RECOMMENDED:
        return say("torch_npu {torch_npu} is made for CANN {cann}", **what)
    if level == Level.COMPATIBLE and release.basis == "inferred" and not release.cann_compatible:
        return say("torch_npu {torch_npu} belongs to the line of CANN {made_for} (inferred)", **what)
    if level == Level.COMPATIBLE:
        return say("torch_npu {torch_npu} is stated to work with CANN {stated}", **what)
    if level == Level.BROKEN:
        oldest = _shown(oldest_cann(release))
        return say(
            "torch_npu {torch_npu} needs CANN {oldest} or newer, this is {cann}", **what, oldest=oldest
        )
    return _unstated(looked, what)


def _unstated(looked: Looked, what: dict[str, object]) -> Message:
    if count := _attested(looked):
        return say(
            "no source states this pair; {count} public machine(s) ran it, which proves little", count=count
        )
    if not what["stated"]:
        return say("no source tells for which CANN torch_npu {torch_npu} is made", **what)
    return say("torch_npu {torch_npu} is stated for CANN {stated}, not for {cann}", **what)


def _listed(spans: Iterable[object]) -> str:
    return ", ".join(str(one) for one in spans)


def _shown(oldest: Version | None) -> str:
    return str(oldest).removesuffix(".dev0")


def _used_together(looked: Looked) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Projects whose release asks for exactly this torch_npu and this CANN."""
    given = looked.given
    for project in looked.matrix.downstream.values():
        for used in project.releases:
            same_cann = used.cann is not None and given.cann is not None and given.cann.belongs_to(used.cann)
            if same_cann and used.torch_npu is not None and given.torch_npu == used.torch_npu:
                yield f"{project.project} {used.version}", used.sources


def _attested(looked: Looked) -> int:
    given = looked.given
    return sum(
        1
        for one in looked.matrix.attested
        if one.torch_npu == given.torch_npu
        and one.cann is not None
        and given.cann is not None
        and one.cann.contains(given.cann)
    )


def torch_npu_torch(looked: Looked) -> Relation | None:
    """Whether torch has the base version of torch_npu, and is the build that its wheel demands."""
    given = looked.given
    if given.torch is None or given.torch_npu is None:
        return None
    level, why, sources = _torch_verdict(looked, given.torch, given.torch_npu)
    return Relation("torch_npu-torch", between(given, "torch_npu", "torch"), level, why, sources)


def _torch_verdict(looked: Looked, torch: Version, torch_npu: Version) -> Verdict:
    release = looked.torch_npu
    wanted = release.torch.base if release is not None else torch_npu.base
    sources = release.sources if release is not None else ()
    if torch.base != wanted:
        why = say(
            "torch_npu {torch_npu} is built for torch {wanted}, this is {torch}",
            torch_npu=torch_npu,
            wanted=wanted,
            torch=torch,
        )
        return Level.BROKEN, why, sources
    if torch.is_prerelease:
        why = say("torch {torch} is a development build; torch_npu is built against the release", torch=torch)
        return Level.UNKNOWN, why, sources
    pin = release.torch_pin.get(looked.given.arch or "") if release is not None else None
    if release is None:
        return (
            Level.COMPATIBLE,
            say("torch and torch_npu have the same base version {wanted}", wanted=wanted),
            sources,
        )
    if torch.local not in (None, "cpu") or not _satisfies(torch, pin):
        why = say(
            "the versions fit; the wheel asks for {pin}, this is torch {torch}",
            pin=pin or f"torch=={wanted}+cpu",
            torch=torch,
        )
        return Level.COMPATIBLE, why, sources
    why = say("torch_npu {torch_npu} is built for torch {wanted}", torch_npu=torch_npu, wanted=wanted)
    return Level.RECOMMENDED, why, sources


def _satisfies(torch: Version, pin: str | None) -> bool:
    """Whether torch is what the wheel's requirement text asks for; without a known local part it is believed."""
    if pin is None or torch.local is None:
        return True
    return VersionRange(pin.removeprefix("torch"), "pep440").contains(torch)


def torch_npu_wheel(looked: Looked) -> Relation | None:
    """Whether a wheel of torch_npu exists for this Python and architecture."""
    given = looked.given
    if given.torch_npu is None or (given.python is None and given.arch is None):
        return None
    level, why, sources = _wheel_verdict(looked, looked.torch_npu)
    return Relation(
        "torch_npu-python-arch", between(given, "torch_npu", "python", "arch"), level, why, sources
    )


def _wheel_verdict(looked: Looked, release: TorchNpuRelease | None) -> Verdict:
    python, arch = looked.given.python, looked.given.arch
    if release is None:
        return (
            Level.UNKNOWN,
            say("the matrix does not know torch_npu {torch_npu}", torch_npu=looked.given.torch_npu),
            (),
        )
    if not release.wheels:
        return _documented_verdict(release, python)
    tag = python_tag(python) if python is not None else None
    fits = {name: tag is None or tag in tags for name, tags in release.wheels.items() if arch in (None, name)}
    shown = "; ".join(f"{name}: {' '.join(tags)}" for name, tags in release.wheels.items())
    what = {"torch_npu": release.version, "shown": shown}
    if fits and all(fits.values()):
        return Level.RECOMMENDED, say("torch_npu {torch_npu} has wheels for {shown}", **what), release.sources
    if any(fits.values()):
        why = say("it depends on the architecture: torch_npu {torch_npu} has wheels for {shown}", **what)
        return Level.UNKNOWN, why, release.sources
    return Level.BROKEN, say("torch_npu {torch_npu} has wheels only for {shown}", **what), release.sources


def _documented_verdict(release: TorchNpuRelease, python: Version | None) -> Verdict:
    listed = ", ".join(str(one) for one in release.pythons_documented)
    what = {"torch_npu": release.version, "listed": listed}
    if python is None or not listed:
        return (
            Level.UNKNOWN,
            say("no wheel of torch_npu {torch_npu} is on the package index", **what),
            release.sources,
        )
    if any(one.release[:2] == python.release[:2] for one in release.pythons_documented):
        why = say(
            "not on the package index; the documents list Python {listed} for torch_npu {torch_npu}", **what
        )
        return Level.COMPATIBLE, why, release.sources
    why = say(
        "not on the package index; the documents list only Python {listed} for torch_npu {torch_npu}", **what
    )
    return Level.UNKNOWN, why, release.sources


def torch_npu_chip(looked: Looked) -> Relation | None:
    """Whether torch_npu knows the chip, for families that old releases refuse."""
    given, family = looked.given, looked.family
    if given.torch_npu is None or family is None or family.first_torch_npu_product is None:
        return None
    first = family.first_torch_npu_product
    product = looked.torch_npu.product if looked.torch_npu is not None else None
    if product is None:
        level, why = (
            Level.UNKNOWN,
            say("no source tells whether this torch_npu knows {family}", family=family.name),
        )
    elif product < first:
        level = Level.BROKEN
        why = say(
            "torch_npu knows {family} from product {first} on, this is {product}",
            family=family.name,
            first=first,
            product=product,
        )
    else:
        level, why = (
            Level.RECOMMENDED,
            say("torch_npu knows {family} from product {first} on", family=family.name, first=first),
        )
    return Relation(
        "torch_npu-chip", between(given, "torch_npu", "chip", "product"), level, why, family.sources
    )
