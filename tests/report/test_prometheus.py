"""Prometheus text, read back by a small reader, and judged by promtool."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from tests.report.diagnoses import CASES

from ascendenv.report.prometheus import prometheus_of
from ascendenv.report.record import reviewed_record

LINE = re.compile(
    r'(?P<name>[a-z_]+)(?:\{(?P<labels>(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (?P<value>\d+)'
)


def text_of(name: str) -> str:
    return prometheus_of(reviewed_record(CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_each_line_is_a_sample_or_about_one(name: str) -> None:
    series: list[str] = []
    described: set[str] = set()
    for line in text_of(name).splitlines():
        if line.startswith("# "):
            described.add(line.split()[2])
            continue
        found = LINE.fullmatch(line)
        assert found is not None, line
        assert found["name"] in described
        series.append(line.rpartition(" ")[0])

    assert len(series) == len(set(series))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "broken",
            [
                'ascendenv_doctor_verdict{verdict="problems"} 1',
                'ascendenv_doctor_verdict{verdict="healthy"} 0',
                'ascendenv_doctor_findings{severity="error"} 2',
                'ascendenv_doctor_checks{outcome="ran"} 133',
                (
                    'ascendenv_doctor_finding{id="TOR019",cause="backend-autoload-conflict",severity="error",'
                    'confidence="likely",follows="true"} 1'
                ),
            ],
        ),
        ("reviewed", ["ascendenv_doctor_waived_findings 1", "ascendenv_doctor_expired_waivers 1"]),
        ("healthy", ['ascendenv_doctor_findings{severity="error"} 0']),
        ("nothing", ['ascendenv_doctor_verdict{verdict="unknown"} 1']),
        (
            "hostile",
            [
                (
                    'ascendenv_doctor_finding{id="TOR001",cause="torch-npu-torch-mismatch",severity="error",'
                    'confidence="certain",follows="false"} 1'
                )
            ],
        ),
    ],
)
def test_the_values(name: str, lines: list[str]) -> None:
    assert set(lines) <= set(text_of(name).splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_promtool_has_nothing_to_say(name: str) -> None:
    promtool = shutil.which("promtool")
    assert promtool, (
        "promtool comes with the Debian package prometheus; tests/install-system-packages.sh installs it"
    )

    done = subprocess.run(
        [promtool, "check", "metrics"], input=text_of(name), capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout + done.stderr) == (0, "")
