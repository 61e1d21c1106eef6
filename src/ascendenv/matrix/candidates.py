"""The stacks that may fulfil wishes, newest first, each with the best level that it can have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascendenv.matrix.given import Given, Looked
from ascendenv.matrix.hardware_relations import driver_firmware
from ascendenv.matrix.level import Level
from ascendenv.matrix.search import Carrier, Pair, Place, carrier_of, carriers, pairs
from ascendenv.matrix.stack import Stack
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.releases import CannRelease
    from ascendenv.matrix.wishes import Wishes
    from ascendenv.versions import Version, VersionRange

__all__ = ["Candidate", "candidates", "place_of", "stack_of"]


@dataclass(frozen=True)
class Candidate:
    """A pair of torch_npu and CANN with the best driver for it, and the best level that the stack can have."""

    pair: Pair
    carrier: Carrier | None
    end_of_life: bool

    @property
    def level(self) -> Level:
        """The worse of what is known so far."""
        return self.pair.level if self.carrier is None else min(self.pair.level, self.carrier.level)


def candidates(matrix: Matrix, wishes: Wishes, *, today: str | None = None) -> Iterator[Candidate]:
    """Every pair of torch_npu and CANN that fulfils the wishes for them, for chip and for driver."""
    place = place_of(matrix, wishes)
    if place is None:
        return
    for cann in _canns(matrix, wishes, place):
        carrier = _carrier(matrix, cann, wishes, place)
        if carrier is None and (wishes.driver is not None or wishes.firmware is not None):
            continue
        for pair in pairs(matrix, cann):
            if _fits(pair, wishes):
                life = pair.torch_npu.lifecycle
                yield Candidate(pair, carrier, life is not None and life.state(today) == "eol")


def stack_of(candidate: Candidate, wishes: Wishes, place: Place) -> Stack | None:
    """The candidate as a stack, with the newest Python that fulfils the wishes; None where no Python does."""
    pair, carrier = candidate.pair, candidate.carrier
    found = _python(pair, wishes)
    if found is None:
        return None
    python, arch = found
    return Stack(
        chip=place.chip or place.family,
        product=place.product,
        hdk=carrier.hdk.name if carrier is not None and carrier.hdk is not None else None,
        driver=carrier.driver if carrier is not None else None,
        firmware=carrier.firmware if carrier is not None else None,
        cann=pair.cann.version,
        torch=pair.torch_npu.torch,
        torch_npu=pair.torch_npu.version,
        python=python,
        arch=arch,
        os=wishes.os,
        level=candidate.level,
        end_of_life=candidate.end_of_life,
    )


def place_of(matrix: Matrix, wishes: Wishes) -> Place | None:
    """Where it is to run; None where a name is not known or the names contradict each other."""
    chip = matrix.find_chip(wishes.chip) if wishes.chip is not None else None
    product = matrix.find_product(wishes.product) if wishes.product is not None else None
    if (wishes.chip is not None and chip is None) or (wishes.product is not None and product is None):
        return None
    if chip is not None and product is not None and chip.family != product.family:
        return None
    family = chip.family if chip is not None else product.family if product is not None else None
    return Place(
        chip.name if chip is not None else None, family, product.name if product is not None else None
    )


def _canns(matrix: Matrix, wishes: Wishes, place: Place) -> Iterator[CannRelease]:
    """The CANN releases that fulfil the wishes, newest first; alphas and betas must be asked for by name."""
    exact = wishes.cann.exact if wishes.cann is not None else None
    if exact is not None:
        named = matrix.find_cann(exact)
        found: Iterable[CannRelease] = () if named is None else (named,)
    else:
        released = (one for one in matrix.cann.values() if one.channel == "release")
        found = (one for one in released if wishes.cann is None or wishes.cann.contains(one.version))
    for one in found:
        if place.family is None or not one.chips or place.family in one.chips:
            yield one


def _fits(pair: Pair, wishes: Wishes) -> bool:
    torch_npu = pair.torch_npu
    return _is_wished(torch_npu.version, wishes.torch_npu) and _is_wished(torch_npu.torch, wishes.torch)


def _is_wished(version: Version, wish: VersionRange | None) -> bool:
    """Whether the version fulfils the wish; a wish for 2.9.0+cpu is fulfilled by 2.9.0, whose index decides the build."""
    if wish is None:
        return True
    exact = wish.exact
    return wish.contains(version) or (
        exact is not None and exact.local is not None and version == pep440(exact.public)
    )


def _python(pair: Pair, wishes: Wishes) -> tuple[Version, str | None] | None:
    """The newest Python that fulfils the wishes, and the architecture that has wheels for it; None for every one.

    Where no architecture is wished, a Python with wheels for all of them comes first.
    """
    wheels = {arch: set(tags) for arch, tags in pair.torch_npu.wheels.items() if wishes.arch in (None, arch)}
    if not wheels:
        return None
    common = _newest(set.intersection(*wheels.values()), pair, wishes)
    if common is not None:
        return common, wishes.arch
    single = ((_newest(tags, pair, wishes), arch) for arch, tags in sorted(wheels.items()))
    return next(((python, arch) for python, arch in single if python is not None), None)


def _newest(tags: set[str], pair: Pair, wishes: Wishes) -> Version | None:
    """The newest Python of these wheel tags that fulfils the wish, those that CANN lists first."""
    found = [_version(tag) for tag in tags]
    exact = wishes.python.exact if wishes.python is not None else None
    if exact is not None:
        return exact if any(one.release[:2] == exact.release[:2] for one in found) else None
    fitting = [one for one in found if wishes.python is None or wishes.python.contains(one)]
    listed = pair.cann.python
    return max(fitting, key=lambda one: (listed is None or listed.contains(one), one), default=None)


def _version(tag: str) -> Version:
    """The Python of a wheel tag: 3.11 of cp311."""
    return pep440(f"{tag[2]}.{tag[3:]}")


def _carrier(matrix: Matrix, cann: CannRelease, wishes: Wishes, place: Place) -> Carrier | None:
    exact = wishes.driver.exact if wishes.driver is not None else None
    options = (
        (carrier_of(matrix, cann, place, exact),) if exact is not None else carriers(matrix, cann, place)
    )
    fitting = (_with_firmware(matrix, one, wishes, place) for one in options if one is not None)
    return next((one for one in fitting if one is not None), None)


def _with_firmware(matrix: Matrix, carrier: Carrier, wishes: Wishes, place: Place) -> Carrier | None:
    """The carrier with the firmware that is wished; None where the wishes refuse driver or firmware."""
    wish = wishes.driver
    if wish is not None and wish.exact is None and not wish.contains(carrier.driver):
        return None
    if wishes.firmware is None:
        return carrier
    firmware = wishes.firmware.exact
    if firmware is None:
        wished = carrier.firmware is not None and wishes.firmware.contains(carrier.firmware)
        return carrier if wished else None
    given = Given(driver=carrier.driver, firmware=firmware, chip=place.family)
    relation = driver_firmware(Looked(matrix, given))
    works = relation is not None and relation.level >= Level.COMPATIBLE
    return replace(carrier, firmware=firmware) if works else None
