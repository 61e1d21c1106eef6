"""Environment variables, however they are shown: `env`, shell lines, Dockerfiles, docker options, Kubernetes, JSON.

::

    ASCEND_HOME_PATH=/usr/local/Ascend/ascend-toolkit/latest      -e ASCEND_VISIBLE_DEVICES=0,1
    export HCCL_CONNECT_TIMEOUT=1200                              ENV TASK_QUEUE_ENABLE 1
    "HCCL_IF_IP": "10.0.0.1",                                     - name: ASCEND_RT_VISIBLE_DEVICES
    os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"               value: "0,1"

Only variables that bear on an Ascend stack are taken, unless the line belongs to a whole print of the environment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.page import Page

__all__ = ["is_of_interest", "read"]

_PREFIXES = (
    "ASCEND", "HCCL_", "HCOMM_", "HCCP_", "ATB_", "ASDOPS_", "LCCL_", "LCAL_", "TORCH", "PYTORCH", "VLLM_", "RAY_",
    "NPU_", "ACL_", "ACLNN_", "CUDA_", "NCCL_", "GLOO_", "TP_SOCKET", "TE_", "OMP_", "MINDIE_", "MIES_", "SGLANG_",
    "TRITON_", "LD_", "CPU_AFFINITY", "INF_NAN_", "MULTI_STREAM_", "OOM_SNAPSHOT", "P2P_HCCL", "RANK_TABLE", "GE_",
    "DUMP_GE", "EXPERIMENTAL_", "BISHENG", "SLOG_", "MS_",
)  # fmt: skip
_NAMES = frozenset((
    "PATH", "PYTHONPATH", "PYTHONHOME", "CMAKE_PREFIX_PATH", "TOOLCHAIN_HOME", "TASK_QUEUE_ENABLE", "PER_STREAM_QUEUE",
    "COMBINED_ENABLE", "STREAMS_PER_DEVICE", "SOC_VERSION", "DEVICE_ID", "RANK_ID", "RANK_SIZE", "RANK", "WORLD_SIZE",
    "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "AUTO_USE_UC_MEMORY", "CONDA_PREFIX", "CONDA_DEFAULT_ENV",
    "VIRTUAL_ENV", "MAX_JOBS", "NO_CUDA", "USE_CUDA", "USE_MODELSCOPE", "CLOSE_MATMUL_K_SHIFT", "DRIVER_PATH",
))  # fmt: skip
_NAME = r"[A-Z][A-Z0-9_]{1,63}"
_VALUE = r"(?:\"(?P<double>[^\"]*)\"?|'(?P<single>[^']*)'?|(?P<bare>[^\s;&|]*))"
_LISTED = re.compile(r"\s*(?P<name>[A-Za-z_]\w{0,63})=(?P<value>.*)")
_SET = re.compile(rf"(?P<name>{_NAME})={_VALUE}\s*")
_SETTING = re.compile(
    r"(?:^\s*(?:\S{0,80}[#$]\s+|[$#>]\s+)?|\b(?:export|ENV|env|declare\s+-x|sudo)\s+|(?:&&|;|\s-x)\s*)(?=[A-Z][A-Z0-9_]+=)"
)
_OPTION = re.compile(
    rf"(?:^|\s)(?:-e|--env)[\s=]+[\"']?(?P<name>{_NAME})=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"']*))"
)
_DOCKERFILE = re.compile(rf"\s*ENV\s+(?P<name>{_NAME})\s+(?P<value>[^=\s].*)")
_PYTHON = re.compile(rf"os\.environ\[[\"'](?P<name>{_NAME})[\"']\]\s*=\s*{_VALUE}")
_KEYED = re.compile(
    rf"\s*(?:-\s+)?[\"']?(?P<name>{_NAME})[\"']?\s*:\s+[\"']?(?P<value>[^\"',{{}}]*?)[\"']?\s*,?\s*"
)
_K8S_NAME = re.compile(rf"\s*(?:-\s*)?\"?name\"?:\s*[\"']?(?P<name>{_NAME})[\"']?\s*,?\s*")
_K8S_VALUE = re.compile(
    r"\s*\"?value\"?:\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>\S*))\s*,?\s*\}?\s*"
)
_WHOLE_PRINT = 5  # so many lines of NAME=value in a row are a print of the environment
_CANDIDATE = re.compile(
    r"[A-Z][A-Z0-9_]{2,63}[\"']?\]?[ \t]{0,3}[=:]|^[ \t]{0,40}-?[ \t]{0,4}\"?(?:name|value)\"?:|\bENV [A-Z]",
    re.MULTILINE,
)
_GAP = 3  # lines that may stand between two variables of one print, such as those with names in lower case


def is_of_interest(name: str) -> bool:
    """Whether a variable of this name bears on an Ascend stack."""
    return name in _NAMES or name.startswith(_PREFIXES)


def read(page: Page) -> Iterator[Claim]:
    """Pairs of name and value. What a shell prints outranks what a script sets."""
    run: list[int] = []
    pending = ""
    for index in page.matching(_CANDIDATE):
        line = page.lines[index]
        if run and index > run[-1] + _GAP:
            yield from _printed(page, run)
            run = []
        if _is_listed(line):
            run.append(index)
            continue
        if pending and (found := _K8S_VALUE.fullmatch(line)):
            yield _claim(pending, _unquoted(found.groupdict()), Weight.STATED, page, index)
        pending = (
            found["name"] if (found := _K8S_NAME.fullmatch(line)) and is_of_interest(found["name"]) else ""
        )
        yield from _set(line, page, index)
    yield from _printed(page, run)


def _is_listed(line: str) -> bool:
    found = _LISTED.fullmatch(line)
    return found is not None and not found["value"].startswith("=") and " = " not in line


def _printed(page: Page, run: list[int]) -> Iterator[Claim]:
    """The variables of lines `NAME=value` that stand together."""
    pairs = [(index, *page.lines[index].strip().partition("=")[::2]) for index in run]
    upper = sum(name.isupper() for _, name, _ in pairs)
    whole = upper >= _WHOLE_PRINT and any(name in ("PATH", "HOME", "PWD", "SHLVL") for _, name, _ in pairs)
    for index, name, value in pairs:
        if not whole and " " in value.strip():
            yield from _set(page.lines[index], page, index)
        elif whole or (name.isupper() and is_of_interest(name)):
            yield _claim(name, value.strip().strip("\"'"), Weight.LISTED, page, index)


def _set(line: str, page: Page, index: int) -> Iterator[Claim]:
    """The variables that a line of a script, a Dockerfile, a manifest or a program sets."""
    for found in (*_assigned(line), *_OPTION.finditer(line), *_PYTHON.finditer(line)):
        if is_of_interest(found["name"]):
            yield _claim(found["name"], _unquoted(found.groupdict()), Weight.STATED, page, index)
    keyed = _KEYED.fullmatch(line) or _DOCKERFILE.fullmatch(line)
    if keyed and "_" in keyed["name"] and is_of_interest(keyed["name"]):
        yield _claim(keyed["name"], keyed["value"].strip(), Weight.STATED, page, index)


def _assigned(line: str) -> Iterator[re.Match[str]]:
    """Assignments where a shell would take them for such: a sentence about a variable sets none."""
    end = 0
    for start in _SETTING.finditer(line):
        place = max(end, start.end())
        while found := _SET.match(line, place):
            yield found
            place = end = found.end()


def _unquoted(groups: dict[str, str | None]) -> str:
    return next(
        (groups[key] or "" for key in ("value", "double", "single", "bare") if groups.get(key) is not None),
        "",
    )


def _claim(name: str, value: str, weight: Weight, page: Page, index: int) -> Claim:
    return Claim("environment", (name, value), weight, page.evidence(index))
