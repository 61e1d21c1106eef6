"""The block of a bug report: what the forms of torch_npu, vllm-ascend and sglang ask for, in the words they know.

The forms want the output of `collect_env.py` and `sglang.check_env`, which import torch and so fail on a machine where
that import is the bug. Nothing is imported here. The block is read back by `ascendenv doctor --report`.
Forms: vllm-project/vllm-ascend .github/ISSUE_TEMPLATE/400-bug-report.yml and collect_env.py, Ascend/pytorch
torch_npu/utils/collect_env.py, sgl-project/sglang .github/ISSUE_TEMPLATE/1-bug-report.yml and check_env.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.collect.snapshot import Snapshot

__all__ = ["bug_report"]

_RELEVANT = re.compile(
    r"torch|npu|vllm|sglang|sgl[-_]|triton|numpy|transformers|mypy|flake8|optree|onnx|zmq|ray\b|mindspeed|megatron|deepspeed|"
    r"accelerate|peft|llm|scipy|xgrammar|outlines|fastapi|uvicorn|uvloop|pydantic|openai|tiktoken|huggingface|modelscope|"
    r"packaging|psutil|aiohttp|orjson|interegular|attrs|decorator|pyyaml|te\b|hccl|auto-tune|schedule-search"
)
_VARIABLES = re.compile(
    r"ASCEND|ATB|ASDOPS|ACL|HCCL|LCCL|NPU|TORCH|PYTORCH|VLLM|SGLANG|TASK_QUEUE|COMBINED_ENABLE|OMP_|MKL_|LD_LIBRARY_PATH|"
    r"LD_PRELOAD|PYTHONPATH|CMAKE_PREFIX_PATH|TOOLCHAIN_HOME|SOC_VERSION|CPU_AFFINITY|RAY_|GLOO_|TP_SOCKET"
)
_RECORDS = re.compile(r"_install\.info$|/(?:driver|firmware)/version\.info$|/nnal/\w+/[^/]+/version\.info$")
_UNKNOWN = "Could not collect"


def bug_report(snapshot: Snapshot) -> str:
    """The block as Markdown, folded, with one fenced text that holds everything."""
    body = "\n".join(_lines(snapshot)).replace("```", "'''")
    return (
        "<details>\n<summary>Environment (ascendenv collect --github; nothing was imported)</summary>\n\n"
        f"```text\n{body}\n```\n\n</details>\n"
    )


def _lines(snapshot: Snapshot) -> Iterator[str]:
    yield from _versions(snapshot)
    yield from _libraries(snapshot)
    yield from _variables(snapshot)
    yield from _commands(snapshot)
    yield from _records(snapshot)
    yield from _faults(snapshot)


def _versions(snapshot: Snapshot) -> Iterator[str]:
    interpreter = snapshot.section("interpreter")
    name = snapshot.part("machine", "uname")
    packages = dict(_distributions(snapshot))
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', snapshot.text("/etc/os-release") or "", re.MULTILINE)
    arch, kernel, libc = name.get("arch", ""), name.get("kernel", ""), snapshot.section("machine").get("libc")
    yield f"PyTorch version: {packages.get('torch', 'Module Not Found')}"
    yield f"Torch-npu version: {packages.get('torch-npu', 'Module Not Found')}"
    yield f"OS: {system[1] if system else _UNKNOWN} ({arch})"
    yield f"Libc version: {f'glibc-{libc}' if libc else _UNKNOWN}"
    yield from _tools(snapshot)
    yield f"Python version: {interpreter.get('version') or _UNKNOWN} ({interpreter.get('chosen_by')})"
    yield f"Python platform: Linux-{kernel}-{arch}-with-glibc{libc or ''}"
    yield f"CPU: {_processor(snapshot)}"
    yield f"Hypervisor vendor: {(snapshot.text('/sys/class/dmi/id/product_name') or _UNKNOWN).strip()}"
    limits = snapshot.part("process", "limits")
    yield f"ulimit soft: {limits.get('RLIMIT_NOFILE', _UNKNOWN)}"
    yield f"In container: {', '.join(snapshot.section('machine').get('container_marks') or ()) or 'no mark of one'}"


def _tools(snapshot: Snapshot) -> Iterator[str]:
    titles = {"gcc": "GCC version", "clang": "Clang version", "cmake": "CMake version"}
    answers = snapshot.section("tools")
    for name, title in titles.items():
        answer = answers.get(name)
        first = str(answer.get("stdout", "")).strip().split("\n")[0] if isinstance(answer, dict) else ""
        yield f"{title}: {first or _UNKNOWN}"


def _processor(snapshot: Snapshot) -> str:
    record = snapshot.part("machine", "cpu")
    names = [str(value) for key, value in record.items() if key not in ("count", "hypervisor")]
    return f"{record.get('count', '?')} x {' '.join(names) or '?'}"


def _distributions(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for row in snapshot.section("interpreter").get("distributions") or ():
        name, version = str(row[0]), str(row[1])
        if name not in seen:
            seen.add(name)
            yield name, version


def _libraries(snapshot: Snapshot) -> Iterator[str]:
    yield "\nVersions of relevant libraries:"
    for name, version in sorted(_distributions(snapshot)):
        if _RELEVANT.search(name):
            yield f"[pip3] {name}=={version}"


def _variables(snapshot: Snapshot) -> Iterator[str]:
    yield ""
    for name, value in sorted(snapshot.part("process", "environ").items()):
        if _VARIABLES.match(str(name)):
            yield f"{name}={value}"


def _commands(snapshot: Snapshot) -> Iterator[str]:
    for command, answer in snapshot.part("driver", "npu_smi").items():
        if isinstance(answer, dict):
            said = f"{answer.get('stdout', '')}{answer.get('stderr', '')}".rstrip() or str(
                answer.get("error", "")
            )
            yield f"\n$ {command}\n{said}"


def _records(snapshot: Snapshot) -> Iterator[str]:
    yield "\nCANN:"
    for path, record in snapshot.files():
        if _RECORDS.search(path) and isinstance(record.get("text"), str):
            yield f"$ cat {path}\n{record['text'].rstrip()}\n"


def _faults(snapshot: Snapshot) -> Iterator[str]:
    """What the loader would complain about, in its own words, so that a maintainer sees it without a traceback."""
    record = snapshot.section("symbols")
    libraries, symbols = record.get("missing_libraries") or (), record.get("missing_symbols") or ()
    if libraries or symbols:
        yield "Found in the files of torch_npu without importing it:"
    for one in libraries:
        yield f"ImportError: {one['name']}: cannot open shared object file: No such file or directory"
    for one in symbols[:20]:
        yield f"{one['needed_by']}: undefined symbol: {one['symbol']}"
