"""What leaves the house: no name, address, serial number or secret survives, equal things stay equal, the form is kept."""

from __future__ import annotations

import json
import string
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.boxes.named import BROKEN, HEALTHY
from tests.boxes.pretended import snapshot_of

from ascendenv.collect.redaction import REDACTION, redacted
from ascendenv.collect.snapshot import Snapshot
from ascendenv.facts.snapshot import facts_of_snapshot

if TYPE_CHECKING:
    from pathlib import Path

KEY = b"k" * 32


def shared(text: str, **environ: str) -> str:
    """`text` as it stands in a shared snapshot of a machine called node77, used by alice."""
    record = {
        "schema_version": 1,
        "machine": {"uname": {"host": "node77"}, "files": {"/x": {"text": text}}},
        "process": {"user": "alice", "groups": ["alice", "HwHiAiUser"], "environ": environ},
    }
    return str(redacted(record, KEY)["machine"]["files"]["/x"]["text"])


@pytest.mark.parametrize(
    "text",
    [
        "Version=24.1.0.1", "driver 25.0.0.3", "| npu-smi 24.1.0.1        Version: 24.1.0.1  |", "firmware: 7.7.0.1",
        "7.7.0.1.231", "Linux 5.10.0-136.12.0.86.aarch64", "compatible_version_drv=[23.0.0.1,23.0.0.9],[24.0.0.1,24.0.0.2]",
        "torch==2.9.0.1", "Ascend-hdk-910b-npu-driver_24.1.0.1_linux-aarch64.run", "127.0.0.1:8000", "255.255.255.0",
        "0000:c1:00.0", "[12:30:45] start", "std::string at::Tensor c10::Error", "::1", "glibc 2.35", "/usr/local/Ascend/cann-8.5.0",
        "https://download.pytorch.org/whl/cpu", "/root/.cache", "HwHiAiUser", "uda_access.c:932", "TOKENIZERS_PARALLELISM=false",
        "[uda_occupy_dev_by_ns 932] <npu-smi:41:41:3> Conflict open udevid.", "no password is required", "80E01801",
    ],
)  # fmt: skip
def test_what_names_nobody_stays(text: str) -> None:
    assert shared(text) == text


@pytest.mark.parametrize(
    ("text", "secret", "form"),
    [
        ("ipaddr:10.20.30.40", "10.20.30.40", "ipaddr:2"),
        ("address_0=192.168.4.5\nnetmask_0=255.255.255.0", "192.168.4.5", "netmask_0=255.255.255.0"),
        ("driver on 10.20.30.40 answers", "10.20.30.40", "driver on 2"),
        ("Version=1 at 172.16.0.9", "172.16.0.9", "Version=1 at 2"),
        ("MASTER_ADDR=10.1.2.3:29500", "10.1.2.3", ":29500"),
        ("inet6 fd12:3456:789a::1/64", "fd12:3456:789a::1", "2001:db8:"),
        ("ether 0c:42:a1:5b:6d:7e", "0c:42:a1:5b:6d:7e", "ether 02:"),
        ("node77 login:", "node77", "host-"),
        ("node77.corp.example kernel", "corp.example", "host-"),
        ("Linux version 5.10 (builder@ci-host) (gcc)", "ci-host", "host-"),
        ("/home/alice/venv/bin", "alice", "/home/user-"),
        ("/home/bob/Ascend", "bob", "/home/user-"),
        ("alice  pts/0", "alice", "user-"),
        ("Serial Number                  : 2102313LKG10N5000123", "2102313LKG10N5000123", "Serial Number"),
        ("VDie ID : F7CF1002 20A0B1C2 3C4D5E6F", "F7CF1002", "VDie ID"),
        ("root=UUID=1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "1b9d6bcd", "root=UUID="),
        ("http://bob:hunter2@pypi.corp.example/simple", "hunter2", "/simple"),
        ("http://pypi.corp.example/simple", "corp.example", "http://host-"),
        ("harbor.corp.example:5000/x", "harbor.corp", ":5000/x"),
        ("hf_AbCdEfGhIjKlMnOpQrSt", "hf_AbCd", "secret-"),
        ("Authorization: Bearer eyJhbGciOi.eyJzdWIiOi.SflKxwRJ", "eyJhbGciOi", "Authorization"),
        ("mysql --password=s3cr3t-word -u root", "s3cr3t-word", "-u root"),
    ],
)
def test_what_tells_who_and_where_goes(text: str, secret: str, form: str) -> None:
    told = shared(text)

    assert secret not in told
    assert form in told


@pytest.mark.parametrize(
    ("name", "value", "gone"),
    [
        ("HF_TOKEN", "whatever", True),
        ("MY_API_KEY", "whatever", True),
        ("DB_PASSWORD", "whatever", True),
        ("AWS_SECRET_ACCESS_KEY", "whatever", True),
        ("PWD", "/srv/x", False),
        ("TOKENIZERS_PARALLELISM", "false", False),
        ("ASCEND_RT_VISIBLE_DEVICES", "0,1", False),
        ("HCCL_SOCKET_IFNAME", "eth0", False),
        ("NO_PROXY", "localhost,.corp.example", True),
        ("MASTER_ADDR", "trainer-0.jobs.corp", True),
    ],
)
def test_variables_by_name(name: str, value: str, gone: bool) -> None:
    record = {"machine": {}, "process": {"environ": {name: value}}}

    assert (redacted(record, KEY)["process"]["environ"][name] != value) is gone


@pytest.mark.parametrize("place", ["dev", "usr", "model", "npu", "python"])
def test_an_account_with_a_common_name_breaks_no_path(place: str) -> None:
    record = {
        "machine": {},
        "process": {"user": place, "environ": {"USER": place}},
        "x": f"/dev/davinci0 /usr/lib {place}",
    }

    clean = redacted(record, KEY)

    assert clean["x"] == record["x"]
    assert clean["process"]["user"].startswith("user-")


def test_equal_things_stay_equal_and_different_ones_different() -> None:
    first, second, third = shared("10.0.9.1 10.0.9.1 10.0.9.2").split()

    assert first == second != third
    assert IPv4Address(first)
    assert IPv4Address(third)


def test_another_key_gives_other_names() -> None:
    record = {"machine": {"uname": {"host": "node77"}}}

    assert redacted(record, KEY)["machine"] != redacted(record, b"x" * 32)["machine"]
    assert redacted(record, KEY)[REDACTION]["key"] != redacted(record, b"x" * 32)[REDACTION]["key"]


def test_the_file_lists_what_was_replaced() -> None:
    record = {"machine": {"uname": {"host": "node77"}, "x": "10.1.2.3 10.1.2.3"}}

    clean = redacted(record, KEY)

    assert [(one["kind"], one["count"]) for one in clean[REDACTION]["replaced"]] == [("host", 1), ("ipv4", 2)]
    assert all(one["pseudonym"] in json.dumps(clean["machine"]) for one in clean[REDACTION]["replaced"])


NAMES = st.text(string.ascii_lowercase, min_size=5, max_size=12).map(lambda text: f"q{text}7")
SECRETS = st.one_of(
    st.builds(
        str, st.integers(0x0B000000, 0xDF000000).map(IPv4Address).filter(lambda one: not one.is_loopback)
    ),
    st.builds(str, st.integers(0x2A << 120, 0x2B << 120).map(IPv6Address)),
    st.lists(st.integers(0, 255), min_size=6, max_size=6).map(
        lambda numbers: ":".join(f"{one:02x}" for one in numbers)
    ),
    st.text(string.ascii_letters + string.digits, min_size=20, max_size=30).map(lambda text: f"hf_{text}"),
    NAMES.map(lambda name: f"/home/{name}/x"),
    NAMES.map(lambda name: f"https://{name}.corp.example/simple"),
    NAMES.map(lambda name: f"password={name}"),
)
FRAMES = st.sampled_from(["{}", "at {} now", "\n{}\n", "[{}]", '"{}"', "x={}", "({})", "{},{}"])


@settings(max_examples=300, deadline=None)
@given(secret=SECRETS, frame=FRAMES, key=st.sampled_from(["text", "stdout", "note", "LD_LIBRARY_PATH"]))
def test_no_original_survives(secret: str, frame: str, key: str) -> None:
    record = {
        "machine": {"files": {"/x": {key: frame.format(secret, secret)}}},
        "list": [[secret, {"deep": secret}]],
    }

    text = json.dumps(redacted(record, KEY))

    for word in (secret, secret.removeprefix("/home/").removesuffix("/x"), secret.removeprefix("password=")):
        assert word not in text


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=40), SECRETS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=20,
)


def shape(value: Any) -> object:
    """The form of JSON data: kinds of its members, without texts."""
    if isinstance(value, dict):
        return sorted(str(shape(one)) for one in value.values())
    if isinstance(value, list):
        return [shape(one) for one in value]
    return type(value).__name__ if isinstance(value, str) else value


@settings(max_examples=200, deadline=None)
@given(data=st.dictionaries(st.text(max_size=12).filter(lambda key: key != REDACTION), JSON, max_size=5))
def test_the_form_of_the_data_is_kept(data: dict[str, Any]) -> None:
    clean = redacted(data, KEY)

    assert shape({key: value for key, value in clean.items() if key != REDACTION}) == shape(data)


@settings(max_examples=200, deadline=None)
@given(data=st.dictionaries(st.text(max_size=12), JSON, max_size=5), other=st.binary(min_size=1, max_size=32))
def test_a_second_pass_changes_nothing(data: dict[str, Any], other: bytes) -> None:
    once = redacted(data, KEY)

    assert redacted(once, KEY) == once
    assert redacted(once, other) == once


@pytest.mark.parametrize("name", ["910B", "A3", "950DT on the unified bus", "container"])
def test_a_shared_snapshot_tells_the_same_facts(name: str, tmp_path: Path) -> None:
    snapshot = snapshot_of(HEALTHY[name], tmp_path)
    before = facts_of_snapshot(snapshot)

    after = facts_of_snapshot(Snapshot(json.loads(json.dumps(redacted(snapshot.data, KEY)))))

    for fact in (
        "driver",
        "firmware",
        "cann",
        "torch",
        "torch_npu",
        "chip",
        "npus",
        "kernel_modules",
        "cann_installs",
        "python",
    ):
        assert getattr(after, fact) == getattr(before, fact)


def test_a_shared_snapshot_of_a_broken_machine_is_as_broken(tmp_path: Path) -> None:
    snapshot = snapshot_of(BROKEN["not in the group"].box, tmp_path)

    after = facts_of_snapshot(Snapshot(redacted(snapshot.data, KEY)))

    assert "dev" not in json.dumps(redacted(snapshot.data, KEY)["process"]["groups"])
    assert [node.refused for node in after.device_nodes or ()][:1] == ["EACCES"]
