"""Files that a site got are recognised by name and by what is inside, and refused where the two differ."""

from __future__ import annotations

import io
import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fetch.builders import lock_of, row, wheel
from tests.fetch.runs import (
    DRIVER_25_5,
    FIRMWARE,
    KERNELS,
    NNAL,
    SCENE,
    driver,
    run_file,
    wheel_of,
    zip_of,
)

from ascendenv.fetch.contents import look_inside
from ascendenv.fetch.file_name import Said, clean_name, read_name
from ascendenv.fetch.recognise import Unfit, recognise
from ascendenv.fetch.run_file import damage_of, read_header, records_in
from ascendenv.fetch.wanted import NotWanted, candidates_of, row_for
from ascendenv.matrix.store import shipped_artefacts, shipped_matrix
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.lock.model import Artefact

MATRIX = shipped_matrix()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run", Said("driver", "25.5.0", "910B", "aarch64")),
        ("Ascend-hdk-910b-npu-driver_25.5.0_linux-x86-64.run", Said("driver", "25.5.0", "910B", "x86_64")),
        ("Ascend-hdk-910b-npu-driver_25.5.0_linux-x86_64.run", Said("driver", "25.5.0", "910B", "x86_64")),
        (
            "Ascend-hdk-910-npu-driver_25.0.rc1.1_linux-aarch64.run",
            Said("driver", "25.0.rc1.1", "910A", "aarch64"),
        ),
        (
            "Ascend-hdk-910b-npu-driver_25.0.rc1_sph001_linux.run",
            Said("driver", "25.0.rc1_sph001", "910B", None),
        ),
        (
            "Ascend-hdk-A3-driver_26.0.rc1_ubuntu22.04-aarch64.run",
            Said("driver", "26.0.rc1", "A3", "aarch64"),
        ),
        (
            "Ascend-hdk-950-npu-driver_25.7.rc1.6_linux-aarch64.run",
            Said("driver", "25.7.rc1.6", "950", "aarch64"),
        ),
        (
            "Atlas-A3-hdk-npu-driver_25.3.RC1.2_linux-aarch64.run",
            Said("driver", "25.3.RC1.2", "A3", "aarch64"),
        ),
        ("Atlas-A5-hdk-npu-firmware_9.0.0.105.229.run", Said("firmware", "9.0.0.105.229", "950", None)),
        ("Ascend-hdk-910b-npu-firmware_7.7.0.6.236.run", Said("firmware", "7.7.0.6.236", "910B", None)),
        ("Ascend-hdk-310p-npu_25.5.0_linux-x86-64.zip", Said("bundle", "25.5.0", "310P", "x86_64")),
        ("Ascend-hdk-910b-mcu_25.55.35.zip", Said("mcu", "25.55.35", "910B", None)),
        (
            "Ascend-cann-toolkit_8.3.RC1.alpha002_linux-x86_64.run",
            Said("toolkit", "8.3.RC1.alpha002", None, "x86_64"),
        ),
        ("Ascend-cann-toolkit_9.0.0_linux-aarch64.zip", Said("toolkit", "9.0.0", None, "aarch64")),
        ("Ascend-cann-kernels-910b_8.1.RC1_linux-aarch64.run", Said("ops", "8.1.RC1", "910B", "aarch64")),
        ("Ascend-cann-kernels-910b_7.0.0_linux.run", Said("ops", "7.0.0", "910B", None)),
        ("Ascend-cann-950-ops_9.1.0-beta.3_linux-aarch64.run", Said("ops", "9.1.0-beta.3", "950", "aarch64")),
        ("Ascend-cann-A3-ops_9.0.0_linux-x86_64.run", Said("ops", "9.0.0", "A3", "x86_64")),
        ("Atlas-A3-cann-kernels_8.2.RC1_linux-aarch64.run", Said("ops", "8.2.RC1", "A3", "aarch64")),
        ("Ascend-cann-nnal_8.5.0_linux-aarch64.run", Said("nnal", "8.5.0", None, "aarch64")),
        ("Ascend-cann-nnae_8.1.RC1_linux-aarch64.zip", Said("nnae", "8.1.RC1", None, "aarch64")),
        (
            "torch_npu-2.9.0.post2-cp311-cp311-manylinux_2_28_aarch64.whl",
            Said("pip", "2.9.0.post2", None, "aarch64", "torch-npu"),
        ),
        (
            "torch-2.9.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
            Said("pip", "2.9.0+cpu", None, "x86_64", "torch"),
        ),
        ("six-1.17.0-py2.py3-none-any.whl", Said("pip", "1.17.0", None, None, "six")),
        ("Ascend-hdk-999z-npu-driver_25.5.0_linux-aarch64.run", Said()),
        ("Ascend-cann-toolkit_linux-aarch64.run", Said()),
        ("Ascend-cann-toolkit_9_linux-aarch64.run", Said()),
        ("six.whl", Said()),
        ("holiday.jpg", Said()),
        ("", Said()),
        ("x" * 5000, Said()),
    ],
)
def test_names_are_read(name: str, said: Said) -> None:
    assert read_name(name, MATRIX) == said


def test_every_name_of_the_matrix_is_read() -> None:
    known = {"bundle": "bundle", "kernels": "ops", "mindx-toolbox": "toolbox"}
    for group in shipped_artefacts().sets:
        for one in group.files:
            if one.format == "whl":
                continue
            said = read_name(one.filename, MATRIX)
            assert said.package == known.get(one.package, one.package), one.filename
            assert vendor(str(said.version)) == vendor(one.version), one.filename
            assert said.arch in (None, one.arch), one.filename
            assert said.family == one.family, one.filename


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("a (1).run", "a.run"),
        ("a(12).run", "a.run"),
        ("a (1).tar.gz", "a.tar.gz"),
        ("a.run", "a.run"),
        ("a (b).run", "a (b).run"),
        ("(1)", "(1)"),
    ],
)
def test_numbers_of_browsers_are_taken_away(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(driver(), ("driver", "25.5.0", "aarch64", "version.info"), id="driver"),
        pytest.param(
            run_file({"version.info": FIRMWARE}),
            ("firmware", "7.7.0.1.231", None, "version.info"),
            id="firmware",
        ),
        pytest.param(
            run_file({"./atb/version.info": NNAL}),
            ("nnal", "8.2.RC1", "aarch64", "atb/version.info"),
            id="nnal",
        ),
        pytest.param(
            run_file({"opp_kernel/version.info": KERNELS}),
            ("cann", "8.1.RC1", None, "opp_kernel/version.info"),
            id="kernels",
        ),
        pytest.param(run_file({"scene.info": SCENE}), (None, None, "aarch64", ""), id="architecture only"),
        pytest.param(
            run_file({"version.info": DRIVER_25_5}, lines=False),
            ("driver", "25.5.0", None, "version.info"),
            id="no skip",
        ),
        pytest.param(
            run_file({"a/b/version.info": FIRMWARE, "version.info": DRIVER_25_5}),
            ("driver", "25.5.0", None, "version.info"),
            id="the nearest counts",
        ),
        pytest.param(run_file({"version.info": ""}), (None, None, None, ""), id="empty record"),
        pytest.param(
            run_file({"version.info": "Version\n====\n:::\n"}), (None, None, None, ""), id="broken record"
        ),
        pytest.param(run_file({}), (None, None, None, ""), id="no record"),
        pytest.param(
            zip_of(
                {
                    "Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run": driver(),
                    "Ascend-hdk-910b-npu-firmware_7.8.run": run_file({"version.info": FIRMWARE}),
                }
            ),
            (
                "bundle",
                "25.5.0",
                "aarch64",
                "Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run: version.info",
            ),
            id="archive of driver and firmware",
        ),
        pytest.param(
            zip_of({"Ascend-hdk-910b-npu_25.5.0_linux-aarch64.zip": b"PK", "x.cms": b"", "x.crl": b""}),
            ("bundle", "25.5.0", "aarch64", "Ascend-hdk-910b-npu_25.5.0_linux-aarch64.zip"),
            id="signed archive in an archive",
        ),
        pytest.param(zip_of({"holiday.jpg": b"x"}), (None, None, None, ""), id="another archive"),
        pytest.param(
            wheel_of("torch-npu", "2.9.0"),
            ("pip", "2.9.0", None, "torch_npu-2.9.0.dist-info/METADATA"),
            id="wheel",
        ),
        pytest.param(b"", (None, None, None, ""), id="nothing"),
        pytest.param(b"#!/bin/sh\necho hello\n", (None, None, None, ""), id="a script"),
        pytest.param(b"\x7fELF" + bytes(500), (None, None, None, ""), id="a program"),
    ],
)
def test_the_inside_is_read(tmp_path: Path, data: bytes, expected: tuple[str | None, ...]) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)

    inside = look_inside(path, MATRIX)

    assert inside.damage is None
    assert (inside.said.package, inside.said.version, inside.said.arch, inside.record) == expected


@pytest.mark.parametrize(
    ("data", "damage"),
    [
        pytest.param(driver()[:-1], "1 bytes are missing at its end", id="end missing"),
        pytest.param(
            driver()[:-3] + b"abc", "does not have the hash that its own script names", id="changed"
        ),
        pytest.param(run_file({"a": "b"}, damage=True), "does not have the hash", id="wrong hash"),
        pytest.param(zip_of({"a.run": driver()})[:-30], "whose end is missing", id="archive cut"),
        pytest.param(
            zip_of({"a.txt": b"x" * 999}).replace(b"\x78", b"\x79", 0)[:40]
            + b"!!"
            + zip_of({"a.txt": b"x" * 999})[42:],
            "damaged",
            id="archive changed",
        ),
        pytest.param(zip_of({"x-1.dist-info/METADATA": b"Name: x\n"}), "without name or version", id="wheel"),
    ],
)
def test_damage_is_seen(tmp_path: Path, data: bytes, damage: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)

    found = look_inside(path, MATRIX).damage

    assert found is not None
    assert damage in found.text()
    with pytest.raises(Unfit, match="the file is damaged"):
        recognise(path, MATRIX)


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


DRIVER = "Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        (DRIVER, driver("25.3.rc1"), "its name says 25.5.0, and version.info inside says 25.3.rc1"),
        (
            DRIVER,
            run_file({"version.info": FIRMWARE}),
            "its name says driver, and version.info inside says firmware",
        ),
        (DRIVER, driver(arch="x86_64"), "its name says aarch64, and version.info inside says x86_64"),
        (
            "Ascend-cann-toolkit_9.0.0_linux-aarch64.run",
            run_file({"a/version.info": KERNELS}),
            "its name says 9.0.0",
        ),
        ("six-1.17.0-py3-none-any.whl", wheel_of("six", "1.16.0"), "its name says 1.17.0"),
        ("six-1.17.0-py3-none-any.whl", wheel_of("seven", "1.17.0"), "its name says six"),
    ],
)
def test_a_name_that_its_content_contradicts_is_refused(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    with pytest.raises(Unfit, match=reason):
        recognise(put(tmp_path, name, data), MATRIX)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (DRIVER, driver(), Said("driver", "25.5.0", "910B", "aarch64")),
        (
            DRIVER.replace("25.5.0", "25.0.rc1"),
            driver("25.0.rc1.1"),
            Said("driver", "25.0.rc1", "910B", "aarch64"),
        ),
        (DRIVER.replace(".run", " (2).run"), driver(), Said("driver", "25.5.0", "910B", "aarch64")),
        ("renamed.run", driver(), Said("driver", "25.5.0", None, "aarch64")),
        (
            "Ascend-cann-kernels-910b_8.1.RC1_linux-aarch64.run",
            run_file({"o/version.info": KERNELS}),
            Said("ops", "8.1.RC1", "910B", "aarch64"),
        ),
        (
            "Ascend-cann-toolkit_9.0.0_linux-aarch64.run",
            run_file({}),
            Said("toolkit", "9.0.0", None, "aarch64"),
        ),
        ("holiday.jpg", b"\xff\xd8", Said()),
    ],
)
def test_name_and_content_together(tmp_path: Path, name: str, data: bytes, said: Said) -> None:
    assert recognise(put(tmp_path, name, data), MATRIX).said == said


ROWS = (
    row(None, component="driver", name="driver", version="25.5.0", file=DRIVER, arch="aarch64"),
    row(
        None,
        component="toolkit",
        name="toolkit",
        version="9.0.0",
        file="Ascend-cann-toolkit_9.0.0_linux-aarch64.run",
        arch="aarch64",
    ),
    wheel(b"?", name="six", version="1.17.0"),
    row(
        b"?",
        component="interpreter",
        name="python",
        version="3.11.9",
        file="python-site.tar.gz",
        verified="spec",
    ),
    row(
        None,
        component="hdk",
        name="bundle",
        version="25.2.0",
        file="x.zip",
        arch="x86_64",
        holds=("Ascend-hdk-910b-npu-driver_25.2.0_linux-x86-64.run",),
    ),
)


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        (DRIVER, driver(), ROWS[0]),
        ("renamed.run", driver(), ROWS[0]),
        (ROWS[1].file, run_file({}), ROWS[1]),
        (ROWS[2].file, wheel_of("six", "1.17.0"), ROWS[2]),
        ("python-site.tar.gz", b"\x1f\x8b", ROWS[3]),
    ],
)
def test_the_row_is_found(tmp_path: Path, name: str, data: bytes, wanted: Artefact) -> None:
    found = recognise(put(tmp_path, name, data), MATRIX)

    assert row_for(found, candidates_of(lock_of(*ROWS))) == wanted


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        (
            DRIVER.replace("25.5.0", "25.3.rc1"),
            driver("25.3.rc1"),
            r"driver 25\.3\.rc1 910B aarch64, and the lock wants driver 25\.5\.0 aarch64",
        ),
        (
            DRIVER.replace("aarch64", "x86-64"),
            driver(arch="x86_64"),
            r"driver 25\.5\.0 910B x86_64, and the lock wants driver 25\.5\.0 aarch64",
        ),
        (DRIVER.replace("910b", "310p"), driver(), r"driver 25\.5\.0 310P aarch64, and the lock wants"),
        (
            "Ascend-hdk-910b-npu-driver_25.2.0_linux-x86-64.run",
            driver("25.2.0", "x86_64"),
            r"the lock wants driver 25\.5\.0",
        ),
        (
            "six-1.16.0-py3-none-any.whl",
            wheel_of("six", "1.16.0"),
            r"six 1\.16\.0, and the lock wants six 1\.17\.0",
        ),
        (
            "Ascend-cann-nnal_9.0.0_linux-aarch64.run",
            run_file({}),
            "nnal 9.0.0 aarch64, and the lock has no place for it",
        ),
        ("holiday.jpg", b"x", "no package that is known by name or content"),
    ],
)
def test_a_file_that_the_lock_does_not_want_is_refused_and_both_are_named(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    found = recognise(put(tmp_path, name, data), MATRIX)

    with pytest.raises(NotWanted, match=reason):
        row_for(found, candidates_of(lock_of(*ROWS)))


def test_a_right_name_with_another_package_inside_is_refused(tmp_path: Path) -> None:
    found = recognise(put(tmp_path, "x.zip", zip_of({DRIVER: driver()})), MATRIX)

    with pytest.raises(
        NotWanted, match=r"bundle 25\.5\.0 910B aarch64, and the lock wants bundle 25\.2\.0 x86_64"
    ):
        row_for(found, candidates_of(lock_of(*ROWS)))


@pytest.mark.skipif(shutil.which("makeself") is None, reason="makeself is not installed")
def test_what_makeself_really_writes_is_read(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "version.info").write_text(DRIVER_25_5)
    (source / "install.sh").write_text("#!/bin/sh\n")
    target = tmp_path / "d.run"
    options = ["--gzip", "--complevel", "4", "--nomd5", "--sha256", "--nooverwrite", "--tar-quietly"]
    subprocess.run(
        ["makeself", *options, str(source), str(target), "LABEL", "./install.sh"],
        check=True,
        capture_output=True,
    )

    with target.open("rb") as stream:
        header = read_header(stream)
        assert header is not None
        assert (header.label, header.sha256 is not None) == ("LABEL", True)
        assert damage_of(stream, header) is None
    assert look_inside(target, MATRIX).said == Said("driver", "25.5.0")


@given(st.binary(max_size=2000))
@settings(max_examples=200, deadline=2000)
def test_arbitrary_bytes_are_no_trouble(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "arbitrary"
    for head in (b"", b"#!/bin/sh\n", b'#!/bin/sh\nskip="2"\nfilesizes="9"\n', b"PK\x03\x04"):
        path.write_bytes(head + data)
        look_inside(path, MATRIX)


@given(st.data())
@settings(max_examples=150, deadline=2000)
def test_damaged_packages_are_no_trouble(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged"
    good = data.draw(st.sampled_from(GOOD))
    changed = bytearray(good)
    for _ in range(data.draw(st.integers(1, 5))):
        changed[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(changed)[: data.draw(st.integers(1, len(good)))])

    look_inside(path, MATRIX)


GOOD = (
    driver(),
    run_file({"version.info": NNAL}, lines=False),
    zip_of({DRIVER: driver(), "b.zip": b"x"}),
    wheel_of("six", "1.17.0"),
)


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_arbitrary_names_are_no_trouble(name: str) -> None:
    read_name(name, MATRIX)
    read_name(f"Ascend-hdk-910b-npu-driver_{name}_linux-aarch64.run", MATRIX)
    clean_name(name)


def test_an_archive_that_is_no_archive_yields_nothing() -> None:
    noise = random.Random(3).randbytes(5000)

    assert list(records_in(io.BytesIO(noise), {"version.info"})) == []
    assert list(records_in(io.BytesIO(b""), {"version.info"})) == []


def test_long_lines_of_a_record_are_read_in_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(run_file({"version.info": "a" + " " * 200_000 + "\n" + "=" * 50_000}))

    assert look_inside(path, MATRIX).said == Said()
