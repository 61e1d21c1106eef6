from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

RUN = """
docker run --rm --name box \\
  --device /dev/davinci3 \\
  --device=/dev/davinci_manager:/dev/davinci_manager --device /dev/devmm_svm --device /dev/fuse \\
  -v /usr/local/dcmi:/usr/local/dcmi \\
  -v /usr/local/Ascend/driver/lib64/:/usr/local/Ascend/driver/lib64/:ro \\
  --privileged \\
  quay.io/ascend/cann:8.1.rc1-910b-ubuntu22.04-py3.10 bash
"""

COMPOSE = """
services:
  vllm:
    image: quay.io/ascend/vllm-ascend:v0.9.2rc1-a3
    privileged: false
    devices:
      - /dev/davinci0:/dev/davinci0
      - "/dev/hisi_hdc"
    volumes:
      - /usr/local/dcmi:/usr/local/dcmi:ro
"""

POD = """
apiVersion: v1
kind: Pod
spec:
  containers:
  - name: x
    resources:
      limits:
        huawei.com/Ascend910: 1
    securityContext:
      privileged: true
    volumeMounts:
    - mountPath: /usr/local/Ascend/driver
      name: driver
"""

UBUNTU = {"id": "ubuntu", "version": "22.04", "text": "ubuntu22.04"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            RUN,
            {
                "in_container": True,
                "privileged": True,
                "device_nodes": [
                    {"path": "/dev/davinci3"},
                    {"path": "/dev/davinci_manager"},
                    {"path": "/dev/devmm_svm"},
                ],
                "mounts": ["/usr/local/dcmi", "/usr/local/Ascend/driver/lib64"],
                "cann": "8.1.rc1",
                "python": "3.10",
                "os": UBUNTU,
            },
            id="docker run",
        ),
        pytest.param(
            COMPOSE,
            {
                "privileged": False,
                "device_nodes": [{"path": "/dev/davinci0"}, {"path": "/dev/hisi_hdc"}],
                "mounts": ["/usr/local/dcmi"],
                "packages": {"vllm-ascend": "0.9.2rc1"},
            },
            id="compose file",
        ),
        pytest.param(
            POD,
            {"in_container": True, "privileged": True, "mounts": ["/usr/local/Ascend/driver"]},
            id="pod",
        ),
        pytest.param(
            "volumeMounts: /usr/local/sbin (host), /usr/local/Ascend/driver (host)",
            {"mounts": ["/usr/local/sbin", "/usr/local/Ascend/driver"]},
            id="mounts in a sentence",
        ),
        pytest.param(
            "FROM quay.io/ascend/torch-npu:2.10.0.post4-cann9.1.0-950-ubuntu22.04-py3.12",
            {
                "in_container": True,
                "torch_npu": "2.10.0.post4",
                "cann": "9.1.0",
                "python": "3.12",
                "os": UBUNTU,
            },
            id="torch-npu image",
        ),
        pytest.param("lmsysorg/sglang:main-cann8.5.0-a3", {"cann": "8.5.0"}, id="image that names CANN"),
        pytest.param("docker exec -it box bash", {"in_container": True}, id="docker exec"),
        pytest.param("ASCEND_DOCKER_RUNTIME=True", {"in_container": True}, id="container runtime"),
        pytest.param(
            "root@0f3b2a6c9d1e:/workspace# npu-smi info",
            {"in_container": True, "user": {"name": "root", "uid": 0}},
            id="prompt",
        ),
        pytest.param("#12 [ 8/10] RUN pip install x", {"in_container": True}, id="image build"),
    ],
)
def test_containers_are_read(text: str, expected: dict[str, Any]) -> None:
    found = shown(facts_of(report=f"{text}\n"))
    found.pop("environment", None)

    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "--device npu --privileged-mode",
        "- /etc/hosts is a file",
        "python x.py -v /a:/b",
        "docker version 24.0.7",
        "quay.io/ascend/cann:latest",
    ],
)
def test_what_only_looks_like_a_container_tells_nothing(text: str) -> None:
    assert shown(facts_of(report=f"{text}\n")) == {}
