"""Profiles by version, chip and purpose, and the forms that no shell reads."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.env.samples import HARD, stack

from ascendenv.env.profile import profile_of
from ascendenv.env.render import FORMS, render
from ascendenv.env.static import mapping
from ascendenv.errors import UnusableInput
from ascendenv.matrix.store import shipped_variables
from ascendenv.versions import vendor

KNOWN = shipped_variables()


@pytest.mark.parametrize(
    ("cann", "torch", "name", "value"),
    [
        ("8.1.RC1", "2.5.1", "ASCEND_HOME_PATH", "/usr/local/Ascend/ascend-toolkit/latest"),
        ("8.5.0", "2.9.0", "ASCEND_HOME_PATH", "/usr/local/Ascend/cann-8.5.0"),
        ("8.1.RC1", "2.5.1", "ATB_HOME_PATH", "/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_0"),
        ("9.0.0", "2.9.0", "ATB_HOME_PATH", "/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1"),
        ("8.1.RC1", "2.5.1", "ATB_RUNNER_POOL_SIZE", "64"),
        ("9.0.0", "2.9.0", "ATB_RUNNER_POOL_SIZE", None),
        ("9.0.0", "2.9.0", "LCCL_DETERMINISTIC", "1"),
        ("9.0.0", "2.9.0", "ASCEND_SLOG_PRINT_TO_STDOUT", "1"),
        ("9.2.0", "2.9.0", "ASCEND_SLOG_PRINT_TO_STDOUT", None),
        ("9.2.0", "2.9.0", "ASCEND_LOG_PRINT_TO_STDOUT", "1"),
    ],
)
def test_the_version_decides(cann: str, torch: str, name: str, value: str | None) -> None:
    found = profile_of(stack(cann, torch), KNOWN, arch="x86_64", purposes=["debug", "deterministic"])

    assert found.values.get(name) == value


def test_a_renamed_variable_is_told() -> None:
    notes = profile_of(stack("9.2.0"), KNOWN, arch="x86_64", purposes=["debug"]).notes

    assert "ASCEND_LOG_PRINT_TO_STDOUT" in str(notes[0])


def test_later_layers_count() -> None:
    locked = stack(env={"TASK_QUEUE_ENABLE": "2", "LD_LIBRARY_PATH": "/site/lib"})

    found = profile_of(locked, KNOWN, arch="x86_64", purposes=["debug", "training"])
    assert found.values["TASK_QUEUE_ENABLE"] == "2"
    assert found.lists["LD_LIBRARY_PATH"][:2] == (
        "/site/lib",
        "/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1/lib",
    )
    top = profile_of(locked, KNOWN, arch="x86_64", overrides={"TASK_QUEUE_ENABLE": "0"})
    assert top.values["TASK_QUEUE_ENABLE"] == "0"


@pytest.mark.parametrize("purpose", KNOWN.purposes)
def test_purposes_set_what_the_catalogue_knows(purpose: str) -> None:
    assert set(KNOWN.purposes[purpose].settings) <= set(KNOWN.variables)


@pytest.mark.parametrize("cann", ["8.0.0", "8.3.RC1", "8.5.0", "9.1.0"])
def test_the_base_sets_what_the_catalogue_knows(cann: str) -> None:
    names = {export.name for layer in KNOWN.layers(vendor(cann)) for export in layer.exports}

    assert names <= set(KNOWN.variables)


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(UnusableInput, match="trainning"):
        profile_of(stack(), KNOWN, arch="x86_64", purposes=["trainning"])


@pytest.mark.parametrize("form", FORMS)
def test_the_bytes_are_stable_and_name_the_lock(form: str) -> None:
    found = [render(profile_of(stack(), KNOWN, arch="x86_64"), form) for _ in range(2)]

    assert found[0] == found[1]
    assert "# lock sha256:" in found[0]


@pytest.mark.parametrize(
    ("form", "name", "value"),
    [
        ("docker", "SITE", "a\nb"),
        ("dotenv", "SITE", "a\nb"),
        ("dotenv", "SITE", "'$x"),
        ("systemd", "SITE", "a\x07"),
        ("sh", "SITE", "a\x00"),
        ("k8s", "1SITE", "a"),
    ],
)
def test_what_a_form_cannot_hold_is_refused_by_name(form: str, name: str, value: str) -> None:
    with pytest.raises(UnusableInput, match=name):
        render(profile_of(stack(), KNOWN, arch="x86_64", overrides={name: value}), form)


TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=30)


@given(TEXT)
def test_kubernetes_reads_what_was_written(value: str) -> None:
    found = profile_of(stack(), KNOWN, arch="x86_64", overrides={**HARD, "SITE": value})

    read = {one["name"]: one["value"] for one in yaml.safe_load(render(found, "k8s"))["env"]}
    assert {name: text.replace("$$", "$") for name, text in read.items()} == mapping(found)


@given(st.text("ab '\"$`\\#=昇", max_size=30))
def test_docker_reads_what_was_written(value: str) -> None:
    found = profile_of(stack(), KNOWN, arch="x86_64", overrides={"SITE": value})

    lines = [one for one in render(found, "docker").split("\n") if one and not one.startswith("#")]
    assert dict(one.split("=", 1) for one in lines) == mapping(found)
