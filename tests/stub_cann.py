"""Stand-in CANN libraries on which a real torch_npu wheel can be loaded, without any NPU.

Every name that torch_npu leaves undefined and that neither torch, libc nor Python has becomes a function that returns 0,
in the library that would hold it. Some behave, as the environment says:

    STUB_DEVICES      how many devices aclrtGetDeviceCount counts (0)
    STUB_INIT         what aclInit returns (0)
    STUB_COUNT_ERROR  what aclrtGetDeviceCount returns (0)
    STUB_SOC          what aclrtGetSocName returns (Ascend910B3)

Numbers computed "on" such a device mean nothing. Which names are missing is asked of the real loader (`ldd -r`), so that
what is built here does not rest on the reader that is tested with it.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

__all__ = ["Unresolved", "build_stubs", "unresolved_in"]

RUNTIME = "libascendcl.so"
HOMES = (
    ("Hccl", "libhccl.so"),
    ("aclnn", "libopapi.so"),
    ("aclopCompile", "libacl_op_compiler.so"),
    ("aclSetCompileopt", "libacl_op_compiler.so"),
    ("aclGetCompileopt", "libacl_op_compiler.so"),
    ("_ZN2ge", "libgraph.so"),
    ("_ZNK2ge", "libgraph.so"),
    ("_ZN3atb", "libatb.so"),
)
"""Which library holds the names that begin so; all others are in the runtime."""
TORCH = ("2at", "3c10", "5torch", "6caffe2", "4c10d", "9libkineto")
"""Namespaces of torch: what is missing there must stay missing."""
BEHAVING = {
    RUNTIME: """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int current = -1;

static int setting(const char *name) { return getenv(name) ? atoi(getenv(name)) : 0; }

int aclInit(const char *file) { return setting("STUB_INIT"); }
int aclrtGetDeviceCount(uint32_t *count) { int code = setting("STUB_COUNT_ERROR"); *count = code ? 0 : setting("STUB_DEVICES"); return code; }
int aclrtSetDevice(int device) { if (device >= setting("STUB_DEVICES")) return 107001; current = device; return 0; }
int aclrtGetDevice(int *device) { *device = current; return current < 0 ? 107002 : 0; }
int aclrtResetDevice(int device) { current = -1; return 0; }
const char *aclrtGetSocName(void) { return getenv("STUB_SOC") ? getenv("STUB_SOC") : "Ascend910B3"; }
int aclrtGetVersion(int *major, int *minor, int *patch) { *major = 1; *minor = 15; *patch = 0; return 0; }
int aclrtCreateContext(void **context, int device) { *context = malloc(64); return 0; }
int aclrtGetCurrentContext(void **context) { static char one[64]; *context = one; return current < 0 ? 107002 : 0; }
int aclrtCreateStream(void **stream) { *stream = malloc(64); return 0; }
int aclrtCreateStreamWithConfig(void **stream, uint32_t priority, uint32_t flag) { return aclrtCreateStream(stream); }
int aclrtCreateEvent(void **event) { return aclrtCreateStream(event); }
int aclrtCreateEventWithFlag(void **event, uint32_t flag) { return aclrtCreateStream(event); }
int aclrtCreateEventExWithFlag(void **event, uint32_t flag) { return aclrtCreateStream(event); }
int aclrtMalloc(void **memory, size_t size, int policy) { return posix_memalign(memory, 512, size + 1) ? 207001 : 0; }
int aclrtMallocAlign32(void **memory, size_t size, int policy) { return aclrtMalloc(memory, size, policy); }
int aclrtMallocHost(void **memory, size_t size) { return aclrtMalloc(memory, size, 0); }
int aclrtFree(void *memory) { free(memory); return 0; }
int aclrtFreeHost(void *memory) { free(memory); return 0; }
int aclrtMemcpy(void *to, size_t room, const void *from, size_t size, int kind) { memcpy(to, from, size); return 0; }
int aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t size, int kind, void *stream) { return aclrtMemcpy(to, room, from, size, kind); }
int aclrtGetMemInfo(int kind, size_t *free_, size_t *total) { *total = 64ul << 30; *free_ = 60ul << 30; return 0; }
const char *aclGetRecentErrMsg(void) { return "EE9999: this is a stub"; }
""",
    "libacl_op_compiler.so": """
#include <string.h>
size_t aclGetCompileoptSize(int option) { return 256; }
int aclGetCompileopt(int option, char *value, size_t size) { strncpy(value, "enable", size); return 0; }
""",
}


@dataclass
class Unresolved:
    """What the real loader does not find: libraries and symbols."""

    libraries: set[str] = field(default_factory=set)
    symbols: set[str] = field(default_factory=set)

    def of_torch(self) -> set[str]:
        """The symbols in torch's namespaces."""
        return {name for name in self.symbols if any(one in name[:12] for one in TORCH)}


def unresolved_in(files: Iterable[Path], library_path: str) -> Unresolved:
    """What `ldd -r` says of these libraries; Python's own names, which its program brings, are left out."""
    found = Unresolved()
    environment = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": library_path}
    for path in files:
        command = ["ldd", "-r", str(path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        for line in (done.stdout + done.stderr).splitlines():
            if line.endswith("=> not found"):
                found.libraries.add(line.split()[0])
            elif "undefined symbol: " in line:
                found.symbols.add(line.partition("undefined symbol: ")[2].split()[0].rstrip(","))
    found.symbols = {name for name in found.symbols if not name.startswith(("Py", "_Py"))}
    return found


def build_stubs(
    folder: Path,
    torch_npu: Path,
    torch: Path,
    *,
    looked_up: Iterable[str] = (),
    without_functions: Collection[str] = (),
    without_libraries: Collection[str] = (),
) -> Path:
    """Write the libraries that the package folder `torch_npu` needs beside the package folder `torch` into `folder`.

    `looked_up` are names that torch_npu asks for with dlsym, so that no loader misses them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = unresolved_in(sorted(torch_npu.rglob("*.so")), f"{torch}/lib:{torch_npu}/lib")
    names = (missing.symbols - missing.of_torch()) | set(looked_up)
    names |= {name + "GetWorkspaceSize" for name in names if name.startswith("aclnn")}
    by_library: dict[str, list[str]] = {name: [] for name in missing.libraries | {RUNTIME, "libopapi.so"}}
    for name in sorted(names - set(without_functions)):
        by_library.setdefault(_home(name), []).append(name)
    for library, held in by_library.items():
        if library not in without_libraries:
            _compile(folder / library, held, _without(BEHAVING.get(library, ""), without_functions))
    return folder


def _home(name: str) -> str:
    return next((library for start, library in HOMES if name.startswith(start)), RUNTIME)


def _without(source: str, names: Collection[str]) -> str:
    """The C source without these functions, each of which stands on one line."""
    lines = (
        line
        for line in source.splitlines()
        if not any(f" {name}(" in line.split(")")[0] + "(" for name in names)
    )
    return "\n".join(lines)


def _compile(target: Path, names: Iterable[str], behaving: str) -> None:
    rows = [behaving]
    for number, name in enumerate(names):
        if f" {name}(" in behaving or f"*{name}(" in behaving:
            continue
        kind = f"char o{number}[256]" if name.startswith(("_ZTV", "_ZTI", "_ZTS")) else f"int f{number}(void)"
        rows.append(f'extern {kind} __asm__("{name}");')
        rows.append(f"{kind};" if kind.startswith("char") else f"{kind} {{ return 0; }}")
    command = [
        "gcc",
        "-shared",
        "-fPIC",
        "-w",
        "-O1",
        f"-Wl,-soname,{target.name}",
        "-x",
        "c",
        "-",
        "-o",
        str(target),
    ]
    subprocess.run(command, input="\n".join(rows).encode(), check=True, capture_output=True)
