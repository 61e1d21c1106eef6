"""The kinds of documents that can be imported."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ascendenv.matrix.model import Matrix
    from ascendenv.sources.material import Material
    from ascendenv.sources.origin import Origin
    from ascendenv.sources.statement import Reading

__all__ = ["KINDS", "Asked", "SourceKind", "source_kind"]


@dataclass(frozen=True)
class Asked:
    """What an import is asked besides the document: its origin, the names that stand, the repository of image tags."""

    origin: Origin
    matrix: Matrix
    repository: str | None = None

    def cann_name(self, version: str) -> str:
        """How the matrix writes that CANN version: by its row's name where it has one."""
        wanted = vendor(version)
        known = next(
            (one for one in self.matrix.cann.values() if wanted in (one.version, *one.aliases)), None
        )
        return str(known.version) if known is not None else _release_words(version)

    def hdk_name(self, driver: str) -> str:
        """The HDK release that a driver version or release name belongs to."""
        known = self.matrix.find_hdk(vendor(driver))
        return known.name if known is not None else _release_words(vendor(driver).base)

    def layout(self, cann: str) -> str:
        """Where a CANN of that version lies."""
        known = self.matrix.layout_of(vendor(cann))
        return known.name if known is not None else "cann"

    def channel(self, cann: str) -> str:
        """Whether a version is a release, a beta or an alpha."""
        if not vendor(cann).is_alpha:
            return "release"
        return "alpha" if "alpha" in cann.casefold() else "beta"


def _release_words(version: str) -> str:
    """The version with RC in the capitals that release names have."""
    import re

    return re.sub(r"\.rc(?=\d)", ".RC", version, flags=re.IGNORECASE)


@dataclass(frozen=True)
class SourceKind:
    """One kind of document: its names, the module that reads it, and whether a folder or a wheel can be given."""

    name: str
    module: str
    others: tuple[str, ...] = ()
    takes_trees: bool = False

    def read(self, material: Material, asked: Asked) -> Reading:
        """All that the document says; raises UnreadableSource."""
        read: Callable[[Material, Asked], Reading] = self._reader.read
        return read(material, asked)

    @property
    def wanted(self) -> Callable[[str], bool] | None:
        """Which files of a folder or wheel are read; None where neither can be given."""
        if not self.takes_trees:
            return None
        wanted: Callable[[str], bool] = self._reader.is_wanted
        return wanted

    @property
    def _reader(self) -> ModuleType:
        return import_module(f"ascendenv.sources.{self.module}")


KINDS = (
    SourceKind("compatibility", "compatibility", ("torch-npu", "torch-npu-compatibility")),
    SourceKind("support", "support", ("torch-npu-support", "lifecycle")),
    SourceKind("deployer", "deployer", ("ascend-deployer", "version-match"), takes_trees=True),
    SourceKind("images", "image_tags", ("image", "tags", "image-tags")),
    SourceKind("vllm-ascend", "vllm_ascend", ("vllm",)),
    SourceKind("version-info", "installed_cann", ("version.info", "cann", "installed"), takes_trees=True),
    SourceKind("index", "package_index", ("package-index", "simple")),
)

_SHORTEST = 3
"""Letters of a name that are enough where no other one begins so."""


def source_kind(text: str) -> SourceKind:
    """The kind of that name in any usual spelling; raises UnusableInput with the nearest one."""
    wanted = text.strip().casefold().replace("_", "-")
    for one in KINDS:
        if wanted in (one.name, *one.others):
            return one
    begun = [one for one in KINDS if len(wanted) >= _SHORTEST and one.name.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    near = get_close_matches(wanted, [one.name for one in KINDS], n=1)
    names = ", ".join(one.name for one in KINDS)
    raise UnusableInput(
        say("there is no kind of source called {name}", name=repr(text)),
        hint=say("the nearest one is {name}", name=near[0])
        if near
        else say("the kinds are: {names}", names=names),
    )
