"""Fix steps that several checks share, with exact pins from the matrix for this box.

Every function takes what is known (None where it is not) and returns steps that can be typed as they stand; where a
pin cannot be known, the step says what to look up instead of guessing. Order and options of the installers follow the
vendor's documents (driver before firmware on a bare host, firmware first where a driver stands; toolkit, ops, NNAL).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Fix
from ascendenv.language import say
from ascendenv.matrix.fit import cann_level
from ascendenv.matrix.level import Level
from ascendenv.matrix.model import installable
from ascendenv.versions import VersionLine

if TYPE_CHECKING:
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.releases import TorchNpuRelease
    from ascendenv.versions import Version

__all__ = [
    "install_cann",
    "install_nnal",
    "install_torch_pair",
    "pip_install",
    "reboot",
    "source_cann",
    "upgrade_driver",
]

_TRY_IMPORT = Fix(
    'python3 -c "import torch, torch_npu; print(torch.npu.is_available())"',
    say("try it"),
)
_INSTALL = "bash {package} --install --quiet --install-for-all"
_NNAL_ENVIRONMENT = "source /usr/local/Ascend/nnal/atb/set_env.sh"


def install_torch_pair(
    matrix: Matrix,
    *,
    torch: Version | None = None,
    torch_npu: Version | None = None,
    cann: Version | None = None,
    arch: str | None = None,
    python: Version | None = None,
) -> tuple[Fix, ...]:
    """Steps that bring torch and torch_npu to a pair that fits this CANN, architecture and Python.

    The torch_npu that is there stays where it fits the rest; else the torch stays; else the newest pair is taken.
    """
    release = _release_that_fits(
        matrix, torch=torch, torch_npu=torch_npu, cann=cann, arch=arch, python=python
    )
    if release is None:
        return (
            Fix(
                _pick_command(cann=cann, torch=torch, python=python, arch=arch),
                say("no published pair fits all that is here; this lists the nearest ones"),
            ),
        )
    note = say("install the pair together, so that pip cannot change one of them alone")
    return (Fix(_pair_command(matrix, release, arch), note), _TRY_IMPORT)


def source_cann(cann: Version | None = None, root: str | None = None) -> Fix:
    """The step that puts this CANN into the environment of the shell, for the layout that this version has."""
    if root is not None:
        return Fix(f"source {root.rstrip('/')}/set_env.sh", _IN_EVERY_SHELL)
    if cann is None:
        return Fix("source /usr/local/Ascend/ascend-toolkit/set_env.sh", _OLD_OR_NEW)
    folder = "cann" if cann.release >= (8, 5) else "ascend-toolkit"
    return Fix(f"source /usr/local/Ascend/{folder}/set_env.sh", _IN_EVERY_SHELL)


def install_cann(
    matrix: Matrix,
    *,
    cann: Version | None = None,
    torch_npu: Version | None = None,
    chip: str | None = None,
    arch: str | None = None,
) -> tuple[Fix, ...]:
    """Steps that install toolkit and ops of `cann` (or of the release that `torch_npu` wants) for this chip."""
    wanted = cann or _cann_for(matrix, torch_npu)
    if wanted is None:
        return (
            Fix("ascendenv matrix list cann", say("choose the CANN release that your torch_npu is made for")),
        )
    note = say(
        "get the packages of CANN {cann} from the vendor's site and install them in this order", cann=wanted
    )
    packages = [_package(matrix, name, wanted, chip, arch) for name in ("toolkit", "ops")]
    steps = tuple(
        Fix(_INSTALL.format(package=package), note if place == 0 else None, needs_root=True)
        for place, package in enumerate(packages)
    )
    return (*steps, source_cann(wanted))


def install_nnal(matrix: Matrix, *, cann: Version | None = None, arch: str | None = None) -> tuple[Fix, ...]:
    """Steps that install NNAL of the same release as `cann` and source it."""
    source = Fix(_NNAL_ENVIRONMENT, say("after torch is installed, so that it takes torch's C++ ABI"))
    if cann is None:
        return (Fix(note=say("install the NNAL package of the same release as your CANN toolkit")), source)
    install = Fix(
        _INSTALL.format(package=_package(matrix, "nnal", cann, None, arch)),
        say("source the toolkit's set_env.sh first"),
        needs_root=True,
    )
    return (source_cann(cann), install, source)


def upgrade_driver(
    matrix: Matrix, *, cann: Version | None = None, chip: str | None = None, arch: str | None = None
) -> tuple[Fix, ...]:
    """Steps that bring firmware and driver to the HDK release that `cann` is paired with."""
    family = _family(matrix, chip)
    hdk = None if cann is None else matrix.recommended_hdk(cann, family)
    if hdk is None:
        return (
            Fix("ascendenv matrix list hdk", say("choose the HDK release that your CANN is paired with")),
        )
    pair = hdk.pair_for(family)
    driver = (pair.driver if pair else None) or hdk.hdk
    where = say(
        "HDK {hdk} is the pair of CANN {cann}; firmware first where a driver stands", hdk=hdk.name, cann=cann
    )
    return (
        _upgrade_firmware(matrix, hdk.name, pair.firmware if pair else None, chip=chip, note=where),
        Fix(
            f"bash {_package(matrix, 'driver', driver, chip, arch)} --upgrade --quiet",
            needs_root=True,
            disruptive=True,
        ),
        reboot(),
    )


def reboot() -> Fix:
    """The reboot that makes a new driver or firmware run."""
    return Fix(
        "reboot", say("a new driver or firmware runs only after this"), needs_root=True, disruptive=True
    )


def pip_install(*requirements: str, index: str | None = None) -> Fix:
    """A pip step for the interpreter in use."""
    words = " ".join(_quoted(one) for one in requirements)
    return Fix(f"python3 -m pip install {words}" + (f" --extra-index-url {index}" if index else ""))


_IN_EVERY_SHELL = say(
    "in every shell that starts a job, also in non-interactive ones, which do not read ~/.bashrc"
)
_OLD_OR_NEW = say("from CANN 8.5 on it is /usr/local/Ascend/cann/set_env.sh")


def _upgrade_firmware(
    matrix: Matrix, hdk: str, firmware: Version | None, *, chip: str | None, note: Message
) -> Fix:
    if firmware is None:
        run = ""
        note = say("{note}; take the firmware package of HDK {hdk} for this chip", note=note, hdk=hdk)
    else:
        run = f"bash {_package(matrix, 'firmware', firmware, chip, None)} --upgrade --quiet"
    return Fix(run, note, needs_root=True, disruptive=True)


def _release_that_fits(
    matrix: Matrix,
    *,
    torch: Version | None,
    torch_npu: Version | None,
    cann: Version | None,
    arch: str | None,
    python: Version | None,
) -> TorchNpuRelease | None:
    standing = None if torch_npu is None else matrix.find_torch_npu(torch_npu)
    if standing is not None and installable(standing, python, arch) and _goes_with(matrix, standing, cann):
        return standing
    return matrix.torch_npu_for(torch, cann, python, arch) or matrix.torch_npu_for(None, cann, python, arch)


def _goes_with(matrix: Matrix, release: TorchNpuRelease, cann: Version | None) -> bool:
    return cann is None or cann_level(release, cann, matrix.find_cann(cann)) >= Level.COMPATIBLE


def _pair_command(matrix: Matrix, release: TorchNpuRelease, arch: str | None) -> str:
    index = matrix.torch_index_for(release.torch, arch)
    torch = f"torch=={release.torch.base}" + (f"+{index.build}" if index else "")
    return pip_install(torch, f"torch-npu=={release.version}", index=index.url if index else None).run


def _pick_command(**wishes: object) -> str:
    given = [f"--{name.replace('_', '-')} {value}" for name, value in wishes.items() if value is not None]
    return " ".join(["ascendenv matrix pick", *given])


def _cann_for(matrix: Matrix, torch_npu: Version | None) -> Version | None:
    release = None if torch_npu is None else matrix.find_torch_npu(torch_npu)
    spans = () if release is None else release.cann
    return next((span for span in spans if not isinstance(span, VersionLine)), None)


def _package(matrix: Matrix, name: str, version: Version, chip: str | None, arch: str | None) -> str:
    family = _family(matrix, chip)
    return matrix.package_name(name, version, family=family, arch=arch) or f"<{name} {version}>.run"


def _family(matrix: Matrix, chip: str | None) -> str | None:
    row = None if chip is None else matrix.family(chip)
    return None if row is None else row.name


def _quoted(requirement: str) -> str:
    return f"'{requirement}'" if any(mark in requirement for mark in "<>=!~+*[ ;") else requirement
