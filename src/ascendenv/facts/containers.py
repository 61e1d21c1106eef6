r"""What container commands and manifests tell: docker run, compose files, Kubernetes pods, Dockerfiles, image names.

::

    docker run -it --privileged --device /dev/davinci0 -v /usr/local/dcmi:/usr/local/dcmi \
        quay.io/ascend/cann:8.1.rc1-910b-ubuntu22.04-py3.10 bash
    volumeMounts:
    - mountPath: /usr/local/Ascend/driver
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.devices import is_device
from ascendenv.facts.machine import os_release
from ascendenv.facts.model import DeviceNode
from ascendenv.facts.reading import package_claims, pep440_claim, vendor_claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["read"]

_RUN = re.compile(r"\b(?:docker|podman|nerdctl|isula)\s+(?:container\s+)?(?:run|create)\b")
_INSIDE = re.compile(r"\b(?:docker|podman|nerdctl|isula|crictl)\s+exec\b|\bkubectl\s+exec\b")
_PROMPT = re.compile(r"^\s*(?:\(\w[\w.-]*\)\s*)?\[?[\w-]+@[0-9a-f]{12}[: ]\S*?[#$\]]")
_DEVICE = re.compile(r"--device(?:\s+|=)[\"']?(/dev/[\w/]+)(?::(/dev/[\w/]+))?")
_VOLUME = re.compile(r"(?:^|\s)(?:-v|--volume)(?:\s+|=)[\"']?(/[^:\s\"']*):(/[^:\s\"'\\]*)")
_BIND = re.compile(r"--mount\s+\S*(?:target|dst|destination)=(/[^,\s]+)")
_LISTED_DEVICE = re.compile(r"\s*-\s*[\"']?(/dev/[\w/]+)(?::(/dev/[\w/]+))?(?::\w+)?[\"']?\s*")
_LISTED_VOLUME = re.compile(r"\s*-\s*[\"']?(/[^:\s]+):(/[^:\s\"']+)(?::\w+)?[\"']?\s*")
_MOUNT_PATH = re.compile(r"[\s\"-]*mountPath\"?:\s*[\"']?(/[^\s\"',]+)")
_MOUNTS_LINE = re.compile(r"\s*(?:volumeMounts|mounts|挂载)\s*[:：]\s*(/.*)")
_PATHS = re.compile(r"(?<![\w/.])/[\w./-]+")
_PRIVILEGED = re.compile(r"\s--privileged(?:=true)?(?:\s|$)|^\s*[\"']?privileged[\"']?:\s*true\b")
_UNPRIVILEGED = re.compile(r"^\s*[\"']?privileged[\"']?:\s*false\b")
_KUBERNETES = re.compile(
    r"huawei\.com/(?:Ascend|npu)|^\s*kind:\s*(?:Pod|Deployment|Job|StatefulSet|DaemonSet)\b|/kubepods"
)
_IMAGE = re.compile(r"(?<![\w.-])(?P<name>cann|vllm-ascend|torch-npu)(?::|@)(?P<tag>[\w.-]{3,80})")
_CANN_TAG = re.compile(
    r"(?P<cann>\d+\.\d+\.[\w.]+?(?:-(?:alpha|beta)\.?\d+)?)-(?:910b|a3|310p|910|950)-(?P<os>[a-z]+[\d.]+)"
    r"-py(?P<python>3\.\d+)",
    re.IGNORECASE,
)
_TORCH_NPU_TAG = re.compile(r"(?P<torch_npu>\d[\w.]*?)-cann(?P<rest>\d.*)", re.IGNORECASE)
_TAG_NAMING_CANN = re.compile(
    r"(?<![\w.-])[\w.-]+/[\w./-]+:[\w.-]{0,40}?cann-?(\d+\.\d+\.(?:rc)?\d+)\b", re.IGNORECASE
)
_BUILD = re.compile(
    r"^\s*(?:#\d+ (?:\[[^\]]*\d+/\d+\]|\d+\.\d+ )|Step \d+/\d+ :|(?:=> |> |ERROR )\[[^\]]*\d+/\d+\] RUN)|The command '/bin/sh -c"
)
_VLLM_TAG = re.compile(r"v?(?P<version>\d+\.\d+\.\d+(?:\.?(?:rc|post|dev)\d*)?)")
_WORDS = re.compile(
    r"docker|podman|nerdctl|isula|crictl|kubectl|mountPath|ounts\b|挂载|privileged|huawei\.com|kind:|kubepods"
    r"|(?:cann|vllm-ascend|torch-npu)[:@]|=True|@[0-9a-f]{12}|:[\w.-]*cann-?\d|^#\d|^Step \d|/bin/sh -c| RUN |-\s*[\"']?/"
)
_RUNTIME = re.compile(r"\bASCEND_DOCKER_RUNTIME=True\b|/\.dockerenv\b")


def read(page: Page) -> Iterator[Claim]:
    """Devices, mounts, privileges and the image of a container; a container at all."""
    running = False
    for index, line in enumerate(page.lines):
        line_runs = running or ("un " in line and _RUN.search(line) is not None)
        if line_runs or _WORDS.search(line):
            yield from _line(line, page.evidence(index), running=line_runs)
        running = line_runs and line.rstrip().endswith("\\")


def _line(line: str, evidence: Evidence, *, running: bool) -> Iterator[Claim]:
    if running:
        yield Claim("in_container", True, Weight.STATED, evidence)
        yield from _options(line, evidence)
    elif "/" in line or ":" in line:
        yield from _manifest(line, evidence)
    if ":" in line and (found := _IMAGE.search(line)):
        yield from _image(found["name"], found["tag"], evidence)
    elif "cann" in line and (found := _TAG_NAMING_CANN.search(line)):
        yield from vendor_claim("cann", found[1], Weight.STATED, evidence)
    if _RUNTIME.search(line):
        yield Claim("in_container", True, Weight.LISTED, evidence)
    elif _PROMPT.match(line) or _INSIDE.search(line) or _BUILD.search(line):
        yield Claim("in_container", True, Weight.HINT, evidence)


def _options(line: str, evidence: Evidence) -> Iterator[Claim]:
    """The options of `docker run`, as far as they stand on this line."""
    for host, inside in _DEVICE.findall(line):
        yield from _device(inside or host, evidence)
    for _, inside in _VOLUME.findall(line):
        yield Claim("mounts", inside.rstrip("/") or "/", Weight.STATED, evidence)
    for inside in _BIND.findall(line):
        yield Claim("mounts", inside.rstrip("/") or "/", Weight.STATED, evidence)
    if _PRIVILEGED.search(line):
        yield Claim("privileged", True, Weight.STATED, evidence)


def _manifest(line: str, evidence: Evidence) -> Iterator[Claim]:
    """A line of a compose file or a Kubernetes manifest."""
    if found := _LISTED_DEVICE.fullmatch(line):
        yield from _device(found[2] or found[1], evidence)
    elif (found := _LISTED_VOLUME.fullmatch(line)) or (found := _MOUNT_PATH.match(line)):
        yield Claim("mounts", found[found.re.groups].rstrip("/") or "/", Weight.STATED, evidence)
    elif found := _MOUNTS_LINE.fullmatch(line):
        for path in _PATHS.findall(found[1]):
            yield Claim("mounts", path.rstrip("/"), Weight.STATED, evidence)
    elif _PRIVILEGED.search(line):
        yield Claim("privileged", True, Weight.STATED, evidence)
    elif _UNPRIVILEGED.search(line):
        yield Claim("privileged", False, Weight.STATED, evidence)
    if _KUBERNETES.search(line):
        yield Claim("in_container", True, Weight.STATED, evidence)


def _device(path: str, evidence: Evidence) -> Iterator[Claim]:
    if is_device(path):
        yield Claim("device_nodes", DeviceNode(path), Weight.STATED, evidence)


def _image(name: str, tag: str, evidence: Evidence) -> Iterator[Claim]:
    """The tag fixes what is inside. The chip in it is the image's, which need not be the machine's."""
    if name == "vllm-ascend":
        if found := _VLLM_TAG.match(tag):
            yield from package_claims("vllm-ascend", found["version"], Weight.STATED, evidence)
        return
    if name == "torch-npu" and (found := _TORCH_NPU_TAG.fullmatch(tag)):
        yield from pep440_claim("torch_npu", found["torch_npu"], Weight.STATED, evidence)
        tag = found["rest"]
    if found := _CANN_TAG.match(tag):
        yield Claim("in_container", True, Weight.HINT, evidence)
        yield from vendor_claim("cann", found["cann"], Weight.STATED, evidence)
        yield from pep440_claim("python", found["python"], Weight.HINT, evidence)
        if release := os_release(found["os"]):
            yield Claim("os", release, Weight.HINT, evidence)
