"""Puts a stack of the lock together from the versions that were chosen, the files they come in, and the pip set."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from ascendenv.language import say
from ascendenv.lock.known_wheels import doubts, with_known_addresses
from ascendenv.lock.model import UNVERIFIED, Artefact, Part, Reason, Stack
from ascendenv.lock.vendor_files import VendorFiles, merged
from ascendenv.matrix.relations import judge
from ascendenv.versions import InvalidVersion, Version, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascendenv.lock.model import Component
    from ascendenv.lock.pip_set import PipQuestion
    from ascendenv.lock.spec import StackWishes
    from ascendenv.matrix.artefacts import Artefacts
    from ascendenv.matrix.level import Level
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.relations import Judgement
    from ascendenv.matrix.rows.base import Arch, LevelName
    from ascendenv.matrix.stack import Stack as Versions

__all__ = ["Known", "composed", "inputs_digest", "level_name", "reasons_of", "versions_of"]

_SCHEMES = {
    "driver": "vendor",
    "firmware": "vendor",
    "toolkit": "vendor",
    "torch": "pep440",
    "torch_npu": "pep440",
    "python": "pep440",
}


@dataclass(frozen=True)
class Known:
    """What is known of the world: the matrix, its files, and the digest of both."""

    matrix: Matrix
    artefacts: Artefacts
    digest: str


def composed(
    name: str,
    wishes: StackWishes,
    versions: Versions,
    *,
    known: Known,
    pip: Mapping[Arch, Iterable[Artefact]],
    before: Stack | None = None,
) -> Stack:
    """The stack without what its pip set came from; hashes and addresses that `before` knew of the same file stay."""
    family = _family(known.matrix, versions)
    torch_npu = str(versions.torch_npu)
    wheels = {arch: with_known_addresses(some, known.artefacts, torch_npu) for arch, some in pip.items()}
    vendor = VendorFiles(known.matrix, known.artefacts, family)
    judgements = [judge(known.matrix, replace(versions, arch=arch).given()) for arch in wishes.arch]
    stack = Stack(
        name=name,
        arch=tuple(sorted(wishes.arch)),
        parts=tuple(one for one in _parts(wishes, versions, vendor, wheels) if one.values or one.artefacts),
        chip=versions.chip,
        family=family,
        product=versions.product,
        os=wishes.os,
        release=versions.hdk,
        level=level_name(min(one.verdict for one in judgements)),
        matrix=known.digest,
        reasons=tuple(reasons_of(judgements)),
        unknown=(
            *_unknown(versions, judgements),
            *(one.text() for some in wheels.values() for one in doubts(some, known.artefacts, torch_npu)),
        ),
    )
    return _with_memory(stack, before) if before is not None else stack


def versions_of(stack: Stack) -> dict[str, Version]:
    """The versions of a locked stack by the names that the matrix has for them; what cannot be read is left out."""
    found = {}
    for name, scheme in _SCHEMES.items():
        text = stack.value(name)
        try:
            if text is not None:
                found["cann" if name == "toolkit" else name] = parse(text, scheme)
        except InvalidVersion:
            continue
    return found


def inputs_digest(questions: Iterable[PipQuestion]) -> str:
    """The digest of everything that the pip set depends on, but what an index holds and what is kept."""
    asked = [
        [
            *(one.arch, one.python, one.requirements, one.platform, one.torch_index, one.from_source),
            asdict(one.sources),
        ]
        for one in questions
    ]
    return f"sha256:{sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()}"


def _parts(
    wishes: StackWishes, versions: Versions, vendor: VendorFiles, pip: Mapping[Arch, Iterable[Artefact]]
) -> Iterator[Part]:
    hdk = (("driver", versions.driver), ("firmware", versions.firmware))
    yield Part(
        name="hdk",
        values=_values(*hdk),
        artefacts=merged(
            {arch: vendor.hdk(versions.driver, versions.firmware, versions.hdk, arch) for arch in wishes.arch}
        ),
    )
    cann: dict[Component, Version] = {"toolkit": versions.cann, "ops": versions.cann}
    if vendor.has_nnal(versions.cann, wishes.arch[0]):
        cann["nnal"] = versions.cann
    yield Part(
        name="cann",
        values=_values(*cann.items()),
        artefacts=merged({arch: vendor.cann(cann, arch) for arch in wishes.arch}),
    )
    python = (
        ("python", _python(wishes, versions)),
        ("torch", versions.torch),
        ("torch_npu", versions.torch_npu),
    )
    yield Part(
        name="python",
        values=_values(*python),
        artefacts=merged({arch: [*_interpreter(wishes, arch), *pip[arch]] for arch in wishes.arch}),
    )
    env = tuple((f"env.{name}", text) for name, text in sorted(wishes.env.items()))
    yield Part(name="profile", values=(*_values(("purpose", wishes.profile)), *env))
    yield Part(name="image", values=_values(("base", wishes.image)))


def _values(*pairs: tuple[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in pairs if value is not None)


def _python(wishes: StackWishes, versions: Versions) -> Version:
    """The version of the site's own interpreter where it names one."""
    own = (
        one.version for one in wishes.interpreter if one.version.release[:2] == versions.python.release[:2]
    )
    return next(own, versions.python)


def _interpreter(wishes: StackWishes, arch: Arch) -> Iterator[Artefact]:
    for one in wishes.interpreter:
        if one.arch == arch:
            yield Artefact(
                component="interpreter",
                name="python",
                version=str(one.version),
                verified="spec",
                file=one.file,
                arch=arch,
                size=one.size,
                sha256=one.sha256,
                urls=one.urls,
            )


def _family(matrix: Matrix, versions: Versions) -> str | None:
    if versions.chip is not None and (chip := matrix.find_chip(versions.chip)) is not None:
        return chip.family
    product = matrix.find_product(versions.product) if versions.product is not None else None
    return product.family if product is not None else None


def level_name(level: Level) -> LevelName:
    """The level as a lock writes it."""
    return cast("LevelName", str(level))


def reasons_of(judgements: Iterable[Judgement]) -> Iterator[Reason]:
    """The relations of all judgements, each once, as they stand in a lock."""
    found = {
        Reason(kind=one.kind, between=one.between, level=level_name(one.level), source=one.sources)
        for judgement in judgements
        for one in judgement.relations
    }
    yield from sorted(found, key=lambda one: (one.kind, one.between))


def _unknown(versions: Versions, judgements: Iterable[Judgement]) -> Iterator[str]:
    """What the matrix does not tell, in English, because a file has one language."""
    if versions.driver is None:
        yield say("no driver is known that carries CANN {cann} on this chip", cann=versions.cann).text()
    elif versions.firmware is None:
        yield say(
            "the firmware that belongs to driver {driver} is not published", driver=versions.driver
        ).text()
    yield from dict.fromkeys(one.text() for judgement in judgements for one in judgement.unknown)


def _with_memory(stack: Stack, before: Stack) -> Stack:
    remembered = {(one.component, one.name, one.version, one.file): one for one in before.artefacts()}
    parts = []
    for part in stack.parts:
        files = tuple(
            _remembering(one, remembered.get((one.component, one.name, one.version, one.file)))
            for one in part.artefacts
        )
        parts.append(replace(part, artefacts=files))
    return replace(stack, parts=tuple(parts))


def _remembering(artefact: Artefact, old: Artefact | None) -> Artefact:
    """The file with what was found out about it before: a hash that a site filled in, a size, an address."""
    if old is None or (artefact.sha256 is not None and artefact.sha256 != old.sha256):
        return artefact
    return replace(
        artefact,
        sha256=artefact.sha256 or old.sha256,
        size=artefact.size or old.size,
        urls=artefact.urls or old.urls,
        verified=old.verified if artefact.verified == UNVERIFIED else artefact.verified,
    )
