"""The pip set is resolved by the real uv for another platform and Python, from an index on loopback."""

from __future__ import annotations

import sys
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.lock.index import Wheel, index_in, source_in, wheel_in

from ascendenv.errors import HostFailed
from ascendenv.lock import uv
from ascendenv.lock.pip_set import PipQuestion, resolve_pip_set
from ascendenv.lock.spec import Sources
from ascendenv.lock.uv import PipSetClash

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lock.index import Index

    from ascendenv.lock.model import Artefact
    from ascendenv.matrix.rows.base import Arch

Machine = dict[str, str]


def question(
    index: Index, *requirements: str, arch: Arch = "x86_64", cpu: bool = True, **more: Any
) -> PipQuestion:
    return PipQuestion(
        stack="prod",
        arch=arch,
        python="3.11",
        requirements=requirements,
        platform="manylinux_2_28",
        torch_index=index.cpu if cpu else None,
        **{"sources": Sources(index=index.simple), **more},
    )


def by_name(found: tuple[Artefact, ...]) -> dict[str, str]:
    return {one.name: one.version for one in found}


@pytest.mark.parametrize(("arch", "wheel"), [("x86_64", "x86_64"), ("aarch64", "aarch64")])
def test_torch_is_the_cpu_build_of_the_target(arch: Arch, wheel: str, index: Index, machine: Machine) -> None:
    found = resolve_pip_set(question(index, "torch==2.9.0+cpu", arch=arch), machine)

    torch = next(one for one in found if one.name == "torch")
    assert by_name(found) == {"torch": "2.9.0+cpu", "sympy": "1.1"}
    assert torch.file == f"torch-2.9.0+cpu-cp311-cp311-manylinux_2_28_{wheel}.whl"
    assert torch.arch == arch
    assert torch.urls == (f"{index.cpu}/torch/torch-2.9.0%2Bcpu-cp311-cp311-manylinux_2_28_{wheel}.whl",)


def test_hash_and_size_are_those_of_the_file(index: Index, machine: Machine, tmp_path: Path) -> None:
    (numpy,) = resolve_pip_set(question(index, "numpy<2"), machine)

    data = wheel_in(tmp_path, Wheel("numpy", "1.26.4")).read_bytes()
    assert (numpy.version, numpy.sha256, numpy.size) == ("1.26.4", sha256(data).hexdigest(), len(data))
    assert numpy.arch is None
    assert numpy.verified == "package index"


def test_markers_are_judged_for_the_target(index: Index, machine: Machine) -> None:
    ask = question(index, "torch==2.9.0+cpu", "accelerate")

    assert "tqdm" in by_name(resolve_pip_set(ask, machine))
    assert "tqdm" not in by_name(resolve_pip_set(replace(ask, arch="aarch64"), machine))


def test_a_set_with_cuda_is_refused_by_name(index: Index, machine: Machine) -> None:
    with pytest.raises(PipSetClash, match=r"stack prod on x86_64 would bring CUDA: nvidia-cublas-cu12 12\.8"):
        resolve_pip_set(question(index, "torch==2.9.0", cpu=False), machine)


def test_a_wish_that_needs_cuda_is_refused_by_name(index: Index, machine: Machine) -> None:
    with pytest.raises(PipSetClash, match=r"cuda-toolkit 13\.0") as caught:
        resolve_pip_set(question(index, "greedy"), machine)

    assert "without CUDA" in str(caught.value.hint)


def test_the_default_build_is_taken_where_it_has_no_cuda(index: Index, machine: Machine) -> None:
    found = resolve_pip_set(question(index, "torch==2.9.0", arch="aarch64", cpu=False), machine)

    assert by_name(found) == {"torch": "2.9.0", "sympy": "1.1"}


def test_what_depends_on_torchvision_gets_its_cpu_build(index: Index, machine: Machine) -> None:
    found = resolve_pip_set(question(index, "torch==2.9.0+cpu", "timm"), machine)

    assert by_name(found)["torchvision"] == "0.24.0+cpu"


def test_versions_stay_where_nothing_speaks_against_them(index: Index, machine: Machine) -> None:
    kept = {"numpy": "1.26.3", "scipy": "1.0", "sympy": "0.9"}

    found = resolve_pip_set(question(index, "numpy<2", "scipy>1.0", "sympy", kept=kept), machine)

    assert by_name(found) == {"numpy": "1.26.3", "scipy": "1.1", "sympy": "1.1"}


def test_requirements_that_clash_are_told_in_words(index: Index, machine: Machine) -> None:
    with pytest.raises(PipSetClash) as caught:
        resolve_pip_set(question(index, "numpy<2", "numpy>=2"), machine)

    told = str(caught.value.message)
    assert told.startswith("the pip set of stack prod on x86_64 cannot be resolved:\nBecause")
    assert "numpy<2" in told.replace(" ", "")


def test_a_package_that_is_not_there_is_named(index: Index, machine: Machine) -> None:
    with pytest.raises(PipSetClash, match="nosuch"):
        resolve_pip_set(question(index, "nosuch"), machine)


def test_a_wheel_for_a_newer_glibc_hints_at_the_key(index: Index, machine: Machine, tmp_path: Path) -> None:
    wheel_in(tmp_path, Wheel("modern", "1.0", "cp311-cp311-manylinux_2_39_x86_64"))
    ask = question(index, "modern", sources=Sources(index=index.simple, find_links=(str(tmp_path),)))

    with pytest.raises(PipSetClash) as caught:
        resolve_pip_set(ask, machine)

    assert "glibc" in str(caught.value.hint)
    assert by_name(resolve_pip_set(replace(ask, platform="manylinux_2_39"), machine)) == {"modern": "1.0"}


def test_a_folder_of_the_site_serves_torch_without_an_index(
    index: Index, machine: Machine, tmp_path: Path
) -> None:
    wheel_in(
        tmp_path / "wheels", Wheel("torch", "2.9.0+cpu", "cp311-cp311-manylinux_2_28_x86_64", ("sympy",))
    )
    sources = Sources(index=index.simple, find_links=("wheels",))
    ask = question(index, "torch==2.9.0+cpu", sources=sources, folder=tmp_path)

    found = resolve_pip_set(replace(ask, torch_index="http://127.0.0.1:9/none"), machine)

    torch = next(one for one in found if one.name == "torch")
    assert torch.urls == ()  # a path of this machine is of no use to another one
    assert torch.sha256 is not None
    assert torch.size is not None
    assert torch.verified == "spec"


def test_a_package_without_a_wheel_is_taken_as_source_where_the_wishes_say_so(
    index: Index, machine: Machine, tmp_path: Path
) -> None:
    source_in(tmp_path, "bare", "1.0")
    ask = question(index, "bare", sources=Sources(index=index.simple, find_links=(str(tmp_path),)))

    with pytest.raises(PipSetClash) as caught:
        resolve_pip_set(ask, machine)
    assert "from_source" in str(caught.value.hint)

    (bare,) = resolve_pip_set(replace(ask, from_source=("Bare",)), machine)
    assert (bare.file, bare.arch) == ("bare-1.0.tar.gz", None)


@pytest.mark.parametrize("setting", ["UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"])
def test_the_machines_mirror_is_asked_and_not_written_down(
    setting: str, index: Index, machine: Machine, tmp_path: Path
) -> None:
    ask = question(index, "torch==2.9.0+cpu", sources=Sources())
    index.asked.clear()

    found = resolve_pip_set(ask, {**machine, setting: index.simple, "UV_CACHE_DIR": str(tmp_path)})

    assert {one.name: bool(one.urls) for one in found} == {"torch": True, "sympy": False}
    assert any(path.startswith("/simple/sympy") for path in index.asked)


def test_a_mirror_in_a_folder_of_the_machine_is_not_written_down(machine: Machine, tmp_path: Path) -> None:
    index_in(tmp_path, [Wheel("numpy", "1.26.4")])
    ask = PipQuestion(stack="prod", arch="x86_64", python="3.11", requirements=("numpy",))

    (numpy,) = resolve_pip_set(ask, {**machine, "UV_DEFAULT_INDEX": f"file://{tmp_path}/simple"})

    assert (numpy.urls, numpy.verified) == ((), "package index")


def test_the_same_set_comes_from_a_mirror_and_from_the_spec(index: Index, machine: Machine) -> None:
    named = resolve_pip_set(question(index, "scipy", "numpy<2"), machine)
    mirror = resolve_pip_set(
        question(index, "scipy", "numpy<2", sources=Sources()), {**machine, "PIP_INDEX_URL": index.simple}
    )

    assert [replace(one, urls=()) for one in named] == list(mirror)


@pytest.mark.parametrize(
    "settings",
    [
        {"UV_INDEX_URL": "http://127.0.0.1:9/simple", "UV_EXTRA_INDEX_URL": "http://127.0.0.1:9/x"},
        {"UV_CONSTRAINT": "/nonexistent", "UV_PRERELEASE": "allow", "UV_RESOLUTION": "lowest"},
        {"UV_EXCLUDE_NEWER": "1999-01-01", "UV_FIND_LINKS": "/nonexistent", "PIP_CONSTRAINT": "/nonexistent"},
        {"UV_CONFIG_FILE": "/nonexistent", "UV_PYTHON": "2.7", "VIRTUAL_ENV": "/nonexistent"},
    ],
)
def test_no_other_setting_of_the_machine_has_a_say(settings: Machine, index: Index, machine: Machine) -> None:
    found = resolve_pip_set(question(index, "numpy<2"), {**machine, **settings})

    assert by_name(found) == {"numpy": "1.26.4"}


def test_a_password_in_an_index_is_neither_written_nor_shown(index: Index, machine: Machine) -> None:
    secret = index.simple.replace("http://", "http://user:hunter2@")
    found = resolve_pip_set(question(index, "numpy<2", sources=Sources(index=secret)), machine)

    assert "hunter2" not in repr(found)

    broken = Sources(index="http://user:hunter2@127.0.0.1:9/simple")
    with pytest.raises(HostFailed) as caught:
        resolve_pip_set(question(index, "numpy<2", sources=broken), {**machine, "UV_HTTP_RETRIES": "0"})
    assert "hunter2" not in str(caught.value)
    assert "[sources]" in str(caught.value.hint)


def test_a_missing_uv_is_told_with_the_command_that_brings_it(
    index: Index, machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "uv", None)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HostFailed, match="uv is missing") as caught:
        resolve_pip_set(question(index, "numpy<2"), machine)

    assert str(caught.value.hint) == f"{sys.executable} -m pip install 'ascendenv[provision]'"


def test_a_uv_that_cannot_run_is_told(
    index: Index, machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(uv, "find_uv", lambda: str(tmp_path / "uv"))

    with pytest.raises(HostFailed, match="uv cannot be run: No such file"):
        resolve_pip_set(question(index, "numpy<2"), machine)
