"""Relations of driver, firmware, CANN and chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.fit import covers, hdk_cell
from ascendenv.matrix.level import Level
from ascendenv.matrix.relation import Relation, between
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.language import Message
    from ascendenv.matrix.given import Looked
    from ascendenv.matrix.rows.hardware import Family
    from ascendenv.matrix.rows.releases import CannRelease, HdkCell, HdkPair, HdkRelease
    from ascendenv.versions import Version

__all__ = ["cann_chip", "cann_hdk", "driver_firmware", "hdk_chip", "pairs_of"]

Verdict = tuple[Level, "Message", tuple[str, ...]]


def driver_firmware(looked: Looked) -> Relation | None:
    """Whether the firmware is the driver's own, or lies in the range that one of them declares."""
    given = looked.given
    if given.driver is None or given.firmware is None:
        return None
    level, why, sources = _firmware(looked, given.driver, given.firmware)
    return Relation("driver-firmware", between(given, "driver", "firmware"), level, why, sources)


def _firmware(looked: Looked, driver: Version, firmware: Version) -> Verdict:
    hdk = looked.hdk
    if hdk is None:
        return Level.UNKNOWN, say("the matrix does not know driver {driver}", driver=driver), ()
    pairs = pairs_of(hdk, driver)
    own = [pair for pair in pairs if looked.family_name is None or looked.family_name in pair.families]
    if found := _with_firmware(own, firmware):
        why = say(
            "HDK {hdk} holds driver {driver} and firmware {firmware}",
            hdk=hdk.name,
            driver=driver,
            firmware=firmware,
        )
        return Level.RECOMMENDED, why, found.sources
    if found := _with_firmware(pairs, firmware):
        why = say(
            "HDK {hdk} holds this firmware on {families}; it was not seen on this chip",
            hdk=hdk.name,
            families=", ".join(found.families),
        )
        return Level.COMPATIBLE, why, found.sources
    return _declared(looked, own or pairs, hdk, driver, firmware)


def _declared(
    looked: Looked, pairs: list[HdkPair], hdk: HdkRelease, driver: Version, firmware: Version
) -> Verdict:
    spans = [(span, pair) for pair in pairs for span in pair.accepts_firmware]
    sources = tuple(dict.fromkeys(source for _, pair in spans for source in pair.sources))
    ranges = ", ".join(f"{span.low} - {span.high}" for span, _ in spans)
    if any(span.contains(firmware) for span, _ in spans):
        why = say("driver {driver} declares firmware {ranges} as compatible", driver=driver, ranges=ranges)
        return Level.COMPATIBLE, why, sources
    if accepting := _accepting(looked, driver, firmware):
        why = say(
            "firmware {firmware} declares driver {driver} as compatible", firmware=firmware, driver=driver
        )
        return Level.COMPATIBLE, why, accepting.sources
    if spans:
        why = say(
            "driver {driver} declares firmware {ranges} as compatible, {firmware} lies outside",
            driver=driver,
            ranges=ranges,
            firmware=firmware,
        )
        return Level.BROKEN, why, sources
    known = ", ".join(str(pair.firmware) for pair in pairs if pair.firmware is not None)
    if not known:
        return Level.UNKNOWN, say("no source tells the firmware of HDK {hdk}", hdk=hdk.name), hdk.sources
    why = say(
        "HDK {hdk} comes with firmware {known}; no source tells whether {firmware} works",
        hdk=hdk.name,
        known=known,
        firmware=firmware,
    )
    return Level.UNKNOWN, why, hdk.sources


def pairs_of(hdk: HdkRelease, driver: Version) -> list[HdkPair]:
    """The pairs that speak of that driver: of exactly this build where one does, else of the release."""
    exact = [pair for pair in hdk.pairs if driver in (pair.driver, *pair.builds)]
    return exact or [pair for pair in hdk.pairs if pair.driver is None or not pair.driver.is_prerelease]


def _with_firmware(pairs: Iterable[HdkPair], firmware: Version) -> HdkPair | None:
    return next(
        (pair for pair in pairs if pair.firmware is not None and firmware.belongs_to(pair.firmware)), None
    )


def _accepting(looked: Looked, driver: Version, firmware: Version) -> HdkPair | None:
    """The pair whose firmware is this one and declares the driver as compatible."""
    pairs = [pair for hdk in looked.matrix.hdk.values() for pair in hdk.pairs]
    named = [pair for pair in pairs if pair.firmware is not None and firmware.belongs_to(pair.firmware)]
    return next((pair for pair in named if any(covers(span, driver) for span in pair.accepts_driver)), None)


def cann_hdk(looked: Looked) -> Relation | None:
    """What CANN's table says about the HDK release that the driver belongs to."""
    given = looked.given
    if given.cann is None or given.driver is None:
        return None
    level, why, sources = _cell_verdict(looked, given.cann, given.driver)
    return Relation("cann-hdk", between(given, "cann", "driver"), level, why, sources)


def _cell_verdict(looked: Looked, cann: Version, driver: Version) -> Verdict:
    row = looked.cann
    if row is None:
        return Level.UNKNOWN, say("the matrix does not know CANN {cann}", cann=cann), ()
    cell, heir = _cell(looked, row, driver), row
    if cell is None and row.version.is_alpha:
        heir = looked.matrix.find_cann(vendor(row.version.base)) or row
        cell = _cell(looked, heir, driver)
    if cell is None:
        why = say("the table of CANN {cann} does not state driver {driver}", cann=row.version, driver=driver)
        return Level.UNKNOWN, why, row.sources
    level = Level.named(cell.level)
    return (level if heir is row else min(level, Level.COMPATIBLE)), _cell_words(heir, cell), cell.sources


def _cell(looked: Looked, row: CannRelease, driver: Version) -> HdkCell | None:
    family, product = looked.family_name, looked.product_name
    cell = hdk_cell(row, driver, family=family, product=product)
    if cell is None and looked.hdk is not None:
        cell = hdk_cell(row, looked.hdk.hdk, family=family, product=product)
    return cell


def _cell_words(row: CannRelease, cell: HdkCell) -> Message:
    what = {"cann": row.version, "hdk": cell.hdk}
    if cell.level == "recommended":
        return say("CANN {cann} is paired with HDK {hdk}", **what)
    if cell.level == "compatible":
        return say("the table of CANN {cann} says yes to HDK {hdk}", **what)
    if cell.level == "broken":
        return say("the table of CANN {cann} says no to HDK {hdk}", **what)
    return say("sources disagree about HDK {hdk} with CANN {cann}", **what)


def hdk_chip(looked: Looked) -> Relation | None:
    """Whether the HDK release is made for the chip or product."""
    given = looked.given
    if given.driver is None or (given.chip is None and given.product is None):
        return None
    level, why, sources = _chip_verdict(looked, given.driver)
    return Relation("hdk-chip", between(given, "driver", "chip", "product"), level, why, sources)


def _chip_verdict(looked: Looked, driver: Version) -> Verdict:
    hdk, family = looked.hdk, looked.family
    if family is None:
        return Level.UNKNOWN, say("the matrix does not know this chip"), ()
    if family.hdk_lines:
        return _own_lines(looked, family, driver)
    if hdk is None:
        return Level.UNKNOWN, say("the matrix does not know driver {driver}", driver=driver), ()
    return _serves(looked, hdk, family)


def _serves(looked: Looked, hdk: HdkRelease, family: Family) -> Verdict:
    """Whether a common HDK release serves the family: seen there, or named for it by a CANN release."""
    what = {"hdk": hdk.name, "family": family.name}
    owner = next((one for one in looked.matrix.families.values() if hdk.hdk in one.hdk_lines), None)
    if owner is not None:
        return (
            Level.BROKEN,
            say("HDK {hdk} is made for {owner} only", hdk=hdk.name, owner=owner.name),
            owner.sources,
        )
    if family.name in hdk.families:
        return Level.RECOMMENDED, say("HDK {hdk} serves {family}", **what), hdk.sources
    if naming := next(_naming(looked, hdk, family), None):
        why = say("the table of CANN {cann} names HDK {hdk} for {family}", **what, cann=naming.version)
        return Level.COMPATIBLE, why, naming.sources
    return Level.UNKNOWN, say("no source tells whether HDK {hdk} serves {family}", **what), hdk.sources


def _naming(looked: Looked, hdk: HdkRelease, family: Family) -> Iterator[CannRelease]:
    """CANN releases that serve the family and whose table says yes to the HDK release by its name."""
    for row in looked.matrix.cann.values():
        if family.name in row.chips:
            cells = (
                cell
                for cell in row.hdk_cells
                if cell.hdk == hdk.hdk and cell.level in ("recommended", "compatible")
            )
            if any(not cell.families or family.name in cell.families for cell in cells):
                yield row


def _own_lines(looked: Looked, family: Family, driver: Version) -> Verdict:
    """A family with its own HDK releases, of which a product may take only one."""
    product = looked.product
    lines = product.hdk_lines if product is not None and product.hdk_lines else family.hdk_lines
    sources = product.sources if product is not None else family.sources
    name = product.name if product is not None else family.name
    if any(driver.belongs_to(line) for line in lines):
        return (
            Level.RECOMMENDED,
            say("driver {driver} is of the HDK line of {name}", driver=driver, name=name),
            sources,
        )
    if family.common_hdk is not None and (
        driver >= family.common_hdk or driver.belongs_to(family.common_hdk)
    ):
        why = say("from HDK {hdk} on one line serves all chips", hdk=family.common_hdk)
        return Level.RECOMMENDED, why, family.sources
    shown = ", ".join(str(line) for line in lines)
    why = say(
        "{name} has its own HDK releases until {hdk}: {lines}",
        name=name,
        hdk=family.common_hdk or "",
        lines=shown,
    )
    return Level.BROKEN, why, sources


def cann_chip(looked: Looked) -> Relation | None:
    """Whether CANN has ops packages for the chip."""
    given = looked.given
    if given.cann is None or (given.chip is None and given.product is None):
        return None
    level, why, sources = _ops_verdict(looked, given.cann)
    return Relation("cann-chip", between(given, "cann", "chip", "product"), level, why, sources)


def _ops_verdict(looked: Looked, cann: Version) -> Verdict:
    row, chip = looked.cann, looked.chip
    if chip is None:
        return Level.UNKNOWN, say("the matrix does not know this chip"), ()
    first = (looked.product.first_cann if looked.product is not None else None) or chip.first_cann
    if first is not None and cann < first and not cann.belongs_to(first):
        sources = looked.family.sources if looked.family is not None else ()
        name = looked.product_name or chip.name
        return Level.BROKEN, say("{name} is served from CANN {first} on", name=name, first=first), sources
    if row is None:
        return Level.UNKNOWN, say("the matrix does not know CANN {cann}", cann=cann), ()
    if chip.family in row.chips:
        why = say("CANN {cann} has ops packages for {family}", cann=row.version, family=chip.family)
        return Level.RECOMMENDED, why, row.sources
    why = say("no source tells whether CANN {cann} serves {family}", cann=row.version, family=chip.family)
    return Level.UNKNOWN, why, row.sources
