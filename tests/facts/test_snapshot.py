"""Facts of a snapshot: records become typed values with proof, and a damaged or hostile one costs only itself."""

from __future__ import annotations

import copy
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.boxes.box import Python
from tests.boxes.named import BROKEN, HEALTHY, HEALTHY_910B
from tests.boxes.pretended import snapshot_of

from ascendenv.collect import snapshot as module
from ascendenv.collect.snapshot import Snapshot, read_snapshot
from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.engine import diagnose
from ascendenv.errors import UnusableInput
from ascendenv.facts.model import DeviceOwner, PciFunction, Unseen
from ascendenv.facts.snapshot import facts_of_snapshot
from ascendenv.facts.unknown import Unknown, known
from ascendenv.matrix.store import shipped_matrix
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.facts.model import HostFacts

NAMESPACES = """ns_id 64 identify 0 root_tgid 1 dev_num 8 namespace 00000000f1(#), udev list:
logic_devid udevid
       0        0

ns_id 0 identify 4026532841 root_tgid 2679173 dev_num 2 namespace 00000000b5, udev list:
logic_devid udevid
       0        4
       1        5

"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    box = BROKEN["held by another container, seen from the host"].box
    return dict(snapshot_of(box, tmp_path_factory.mktemp("box")).data)


def facts_of(**sections: Any) -> HostFacts:
    return facts_of_snapshot(Snapshot({"schema_version": 1, "machine": {}, **sections}))


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("arch", "aarch64"),
        ("kernel", "5.15.0-119-generic"),
        ("in_container", False),
        ("driver", vendor("25.2.0")),
        ("driver_on_disk", vendor("25.2.0")),
        ("firmware", vendor("7.7.0.6.236")),
        ("cann", vendor("8.2.RC1")),
        ("npu_smi_answer", "ok"),
        ("driver_files", True),
        ("driver_library", True),
        ("chip", "Ascend910B3"),
        ("nnal_cxx_abi", 0),
    ],
)
def test_a_healthy_machine_is_known(fact: str, value: object, tmp_path: Path) -> None:
    facts = facts_of_snapshot(snapshot_of(HEALTHY["910B"], tmp_path))

    assert getattr(facts, fact) == value
    assert facts.seen(fact)


def test_the_driver_s_table_of_owners() -> None:
    facts = facts_of(devices={"files": {"/proc/uda/namespace_node": {"text": NAMESPACES}}})

    assert facts.device_owners == (
        DeviceOwner(4, 2679173, here=False),
        DeviceOwner(5, 2679173, here=False),
    )


@pytest.mark.parametrize(
    ("section", "fact", "value"),
    [
        ({"devices": {"pci": {}}}, "pci", ()),
        ({"devices": {"pci": {"error": "x"}}}, "pci", None),
        ({"devices": {"nodes": {}}}, "device_nodes", ()),
        ({"devices": {}}, "device_nodes", None),
        ({"devices": {"pci": {"0000:c1:00.0": {"device": "0xd802", "virtual": False, "class": "0x120000"}}}}, "pci",
         (PciFunction("0000:c1:00.0", "0xd802", virtual=False),)),
        ({"devices": {"ub": {"names": ["00000"]}}}, "ub_devices", ("00000",)),
        ({"kernel": {"modules": {"names": []}}}, "kernel_modules", frozenset()),
        ({"kernel": {"modules": {"error": "x"}}}, "kernel_modules", None),
        ({"storage": {"mounts": []}}, "mounts", ()),
        ({"storage": {"mounts": None}}, "mounts", None),
        ({"process": {"environ": {}}}, "environment", {}),
        ({"process": {"mapped": ["/x/libascendcl.so"]}}, "mapped_libraries", ("/x/libascendcl.so",)),
    ],
)  # fmt: skip
def test_nothing_seen_is_not_the_same_as_not_looked(
    section: dict[str, Any], fact: str, value: object
) -> None:
    assert known(getattr(facts_of(**section), fact)) == value


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"rc": 0, "stdout": ""}, "ok"),
        ({"rc": 187, "stdout": "ret is -8005"}, "failed"),
        ({"error": "timeout", "seconds": 8}, "timeout"),
        ({"error": "not found"}, "not found"),
        ({"error": "is a directory"}, "is a directory"),
    ],
)
def test_how_npu_smi_answered(answer: dict[str, Any], told: str) -> None:
    assert facts_of(driver={"npu_smi": {"npu-smi info": answer}}).npu_smi_answer == told


@pytest.mark.parametrize(
    ("sections", "inside"),
    [
        ({"machine": {"container_marks": ["/.dockerenv"]}}, True),
        ({"machine": {"files": {"/proc/1/cgroup": {"text": "12:devices:/docker/abc\n"}}}}, True),
        ({"machine": {"files": {"/proc/self/cgroup": {"text": "0::/kubepods.slice/x\n"}}}}, True),
        (
            {"machine": {"root_mount": {"type": "overlay", "options": "rw,upperdir=/var/lib/containerd/x"}}},
            True,
        ),
        ({"machine": {"root_mount": {"type": "overlay", "options": "rw,upperdir=/cow"}}}, False),
        ({"machine": {"root_mount": {"type": "ext4", "options": "rw"}}}, False),
        ({"machine": {"files": {"/run/systemd/container": {"text": "podman\n"}}}}, True),
    ],
)
def test_container_or_not(sections: dict[str, Any], inside: bool) -> None:
    assert facts_of(**sections).in_container is inside


@pytest.mark.parametrize(
    ("machine", "name"),
    [
        (
            {"files": {"/sys/class/dmi/id/product_name": {"text": "KVM Virtual Machine\n"}}},
            "KVM Virtual Machine",
        ),
        ({"cpu": {"hypervisor": True}}, "hypervisor"),
        ({"files": {"/sys/class/dmi/id/product_name": {"text": "Atlas 800\n"}}}, ""),
    ],
)
def test_virtual_or_not(machine: dict[str, Any], name: str) -> None:
    assert facts_of(machine=machine).virtual_machine == name


@pytest.mark.parametrize(
    ("kernel", "signatures"),
    [
        ({"files": {"/sys/module/module/parameters/sig_enforce": {"text": "Y\n"}}}, True),
        ({"files": {"/sys/module/module/parameters/sig_enforce": {"text": "N\n"}}}, False),
        ({"files": {"/sys/kernel/security/lockdown": {"text": "none [integrity] confidentiality\n"}}}, True),
        ({"files": {"/sys/kernel/security/lockdown": {"text": "[none] integrity confidentiality\n"}}}, False),
        ({"secure_boot": True}, True),
        ({"headers": True}, None),
    ],
)
def test_what_the_kernel_demands_of_modules(kernel: dict[str, Any], signatures: bool | None) -> None:
    state = known(facts_of(kernel=kernel).kernel_state)

    assert state is not None
    assert state.signatures is signatures


def test_two_trees_side_by_side_are_told_apart(tmp_path: Path) -> None:
    facts = facts_of_snapshot(snapshot_of(HEALTHY["two toolkits side by side"], tmp_path))

    assert facts.cann == vendor("8.2.RC1")
    assert {str(one.version) for one in facts.cann_installs or ()} == {"8.1.RC1", "8.2.RC1"}
    assert {str(one.version) for one in facts.ops or () if one.version} == {"8.2.RC1"}


def test_a_probe_that_broke_is_named() -> None:
    assert Unseen("kernel", "KeyError: 'x'") in (facts_of(kernel={"failed": "KeyError: 'x'"}).unseen or ())


@pytest.mark.parametrize(
    "value", [None, 7, "text", [], ["x"], {"a": "b"}, {"names": 3}, {"names": ["x"], "error": 1}]
)
@pytest.mark.parametrize(
    "section",
    [
        "process",
        "machine",
        "storage",
        "devices",
        "kernel",
        "driver",
        "network",
        "interpreter",
        "cann",
        "runtimes",
        "symbols",
    ],
)
def test_a_section_of_another_form_costs_only_itself(
    recorded: dict[str, Any], section: str, value: object
) -> None:
    facts = facts_of_snapshot(Snapshot({**recorded, section: value}))

    assert sum(not isinstance(one, Unknown) for one in vars(facts).values()) > 20


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all members of JSON data."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [place for key, one in members for place in [(*path, key), *places(one, (*path, key))]]


def changed(data: dict[str, Any], path: tuple[Any, ...], value: object) -> dict[str, Any]:
    """The data with the member at `path` replaced."""
    copied = copy.deepcopy(data)
    inner: Any = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copied


HOSTILE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=True), st.lists(st.integers(), max_size=3),
    st.sampled_from(["", "\x1b[31mred", "\ud800", "a" * 5000, "../../etc/passwd", "\u202e", "%s%n", "{x}", "Version=", "\0"]),
    st.dictionaries(st.text(max_size=5), st.none(), max_size=2),
)  # fmt: skip


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_to_one_member_breaks_the_doctor(recorded: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([place for place in places(recorded) if place != ("schema_version",)]))
    hostile = changed(recorded, path, data.draw(HOSTILE))

    diagnosis = diagnose(facts_of_snapshot(Snapshot(hostile)), shipped_matrix(), catalogue())

    for line in (line for one in diagnosis.findings for line in one.evidence):
        assert (line.where + line.text).isprintable()


def read(data: bytes) -> Snapshot:
    return read_snapshot(io.BytesIO(data), "file")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b'{"a": 1}',
        b'{"schema_version": "1", "machine": {}}',
        b"[" * 100_000,
        b"\x1f\x8bcut",
        b"\xff\xfe",
    ],
)
def test_what_is_no_snapshot_is_refused_with_words(data: bytes) -> None:
    with pytest.raises(UnusableInput):
        read(data)


def test_a_newer_schema_is_read_as_far_as_it_goes(recorded: dict[str, Any]) -> None:
    newer = {**recorded, "schema_version": 9, "quantum": {"failed": False}}

    facts = facts_of_snapshot(read(json.dumps(newer).encode()))

    assert facts.driver == vendor("25.2.0")
    assert any("schema 9 is newer" in one.why for one in facts.unseen or ())


def test_a_snapshot_that_is_too_long_is_shortened(
    recorded: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ORDINARY", 1000)
    long = changed(recorded, ("kernel", "log", "lines"), ["davinci"] * 30_000)

    snapshot = read(json.dumps(long).encode())

    assert len(snapshot.part("kernel", "log")["lines"]) == 20_000
    assert snapshot.gaps == (
        ("snapshot.kernel.log.lines", "only the first 20000 of 30000 entries were read"),
    )


def test_one_that_is_larger_than_any_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 10)

    with pytest.raises(UnusableInput, match="larger than any snapshot"):
        read(b'{"schema_version": 1, "machine": {}}')


def test_what_lies_beside_the_packages(tmp_path: Path) -> None:
    python = Python(
        shadows=("torch_npu",),
        leftovers=("~orch",),
        backends=("torch-npu",),
        built_as={"torch_npu": "2.6.0.post3"},
    )
    facts = facts_of_snapshot(snapshot_of(replace(HEALTHY_910B, python=python), tmp_path))
    assert not isinstance(facts.interpreter, Unknown)
    assert facts.interpreter.shadows == ("torch_npu",)
    assert facts.interpreter.leftovers[0].endswith("/site-packages/~orch")
    assert facts.interpreter.backends == ("torch-npu",)
    assert {name: str(one) for name, one in facts.interpreter.built_as.items()} == {
        "torch_npu": "2.6.0.post3"
    }


@pytest.mark.parametrize(
    "text", ["", "__version__ = get()", "__version__ = 'not a version'", "x = '__version__'"]
)
def test_a_version_file_that_tells_no_version_is_passed_over(text: str) -> None:
    record = {"executable": "/usr/bin/python3", "version_files": {"torch_npu/version.py": text}}
    facts = facts_of_snapshot(Snapshot({"schema_version": 1, "interpreter": record}))
    assert not isinstance(facts.interpreter, Unknown)
    assert facts.interpreter.built_as == {}
