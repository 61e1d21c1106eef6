"""Imports torch and torch_npu, asks the runtime, and computes a little; says on stdout what came of each step.

Runs in the interpreter in question, with its environment, as `python -c TEXT DEVICE MEGABYTES SECONDS`, and needs
nothing but that interpreter (3.6 or newer). Each line on stdout is one JSON record; it is written before the next step
begins, so that a crash loses nothing. DEVICE is `cpu`, `npu:0` or empty, then no card is touched. MEGABYTES is the
memory in use up to which a card counts as free. After SECONDS the stack of a step that hangs goes to stderr.
"""

import sys

# The working folder stays away while we import: a file named json.py there is not ours.
FIRST = sys.path.pop(0)

import ctypes  # noqa: E402
import faulthandler  # noqa: E402
import importlib  # noqa: E402
import importlib.util  # noqa: E402
import json  # noqa: E402
import math  # noqa: E402
import os  # noqa: E402
import time  # noqa: E402
import traceback  # noqa: E402
from typing import Any, Callable, Dict, List, Optional, Tuple  # noqa: E402

sys.path.insert(0, FIRST)

SEED = 20240229
STEPS = 10
LONGEST = 4000
CANN = "libascendcl.so"


class Report:
    """The way back to who asked: stdout, which nobody else gets to write to."""

    def __init__(self) -> None:
        """Whatever libraries print on stdout goes to stderr from now on."""
        self.stream = os.dup(1)
        os.dup2(2, 1)

    def send(self, **record: Any) -> None:
        """Write one record at once."""
        os.write(self.stream, (json.dumps(record) + "\n").encode("utf-8", "replace"))

    def step(self, name: str, work: "Callable[[], Any]") -> Any:
        """Tell that the step begins and how it ended; its result, None where it failed."""
        self.send(step=name, outcome="begun")
        started = time.time()
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001  (SystemExit and KeyboardInterrupt come out of imports, too)
            text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            self.send(
                step=name,
                outcome="failed",
                seconds=time.time() - started,
                errors=chain_of(error),
                text=text[-10 * LONGEST :],
            )
            return None
        self.send(step=name, outcome="ok", seconds=time.time() - started, result=result)
        return result


def chain_of(error: "Optional[BaseException]") -> "List[Dict[str, str]]":
    """The error and all that led to it, as Python prints them, outermost first."""
    found: List[Dict[str, str]] = []
    seen: List[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        frames = traceback.extract_tb(error.__traceback__)
        where = "{}:{}".format(frames[-1].filename, frames[-1].lineno) if frames else ""
        found.append({"type": type(error).__name__, "text": str(error)[:LONGEST], "where": where})
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def load(name: str) -> "Dict[str, str]":
    """Import the package; where it came from, and its version."""
    module = importlib.import_module(name)
    return {
        "version": str(getattr(module, "__version__", "")),
        "file": str(getattr(module, "__file__", "")),
    }


def availability() -> "Dict[str, Any]":
    """What torch says of its NPUs; neither call opens a card."""
    torch = sys.modules["torch"]
    return {"available": bool(torch.npu.is_available()), "count": int(torch.npu.device_count())}


def runtime() -> "Dict[str, Any]":
    """What CANN itself says, call by call: torch keeps the codes to itself."""
    library = ctypes.CDLL(CANN)
    calls: List[Dict[str, Any]] = []

    def call(name: str, *arguments: Any) -> int:
        function = getattr(library, name)
        code = int(function(*arguments))
        calls.append({"name": name, "code": code, "text": recent_error(library) if code else ""})
        return code

    count = ctypes.c_uint32(0)
    call("aclInit", None)
    failed = call("aclrtGetDeviceCount", ctypes.byref(count))
    return {"calls": calls, "count": None if failed else count.value, "soc": soc_name(library)}


def recent_error(library: Any) -> str:
    """The runtime's own words for the last error."""
    try:
        function = library.aclGetRecentErrMsg
    except AttributeError:
        return ""
    function.restype = ctypes.c_char_p
    return (function() or b"").decode("utf-8", "replace")[:LONGEST]


def soc_name(library: Any) -> "Optional[str]":
    """The name of the chip; None where the runtime does not know it."""
    try:
        function = library.aclrtGetSocName
    except AttributeError:
        return None
    function.restype = ctypes.c_char_p
    name = function()
    return name.decode("utf-8", "replace") if name else None


def take(device: str, limit: float) -> "Dict[str, Any]":
    """Open the card, and see on the card itself that nobody uses it."""
    torch = sys.modules["torch"]
    number = int(device.partition(":")[2])
    torch.npu.set_device(number)
    free, total = torch.npu.mem_get_info(number)
    used = (total - free) / 2.0**20
    return {"name": str(torch.npu.get_device_name(number)), "used": used, "free": used <= limit}


def product(device: str) -> "Dict[str, str]":
    """The greatest error of a product of small whole numbers, which every format of the cards holds exactly."""
    torch = sys.modules["torch"]
    left = [[(3 * row + column) % 5 for column in range(8)] for row in range(8)]
    right = [[(row + 2 * column) % 4 for column in range(8)] for row in range(8)]
    wanted = [[sum(a * b for a, b in zip(row, column)) for column in zip(*right)] for row in left]
    matrices = [torch.tensor(one, dtype=torch.float32).to(device) for one in (left, right)]
    got = (matrices[0] @ matrices[1]).cpu().tolist()
    errors = [abs(a - b) for one, other in zip(got, wanted) for a, b in zip(one, other)]
    worst = next((one for one in errors if math.isnan(one)), max(errors))
    return {"error": repr(float(worst))}


def training(device: str) -> "Dict[str, Any]":
    """The losses of ten steps, and whether a second run with the same seed gives the same bits."""
    first, second = train(device), train(device)
    return {"losses": [repr(one) for one in first[0]], "repeats": bits(first) == bits(second)}


def train(device: str) -> "Tuple[List[float], List[float]]":
    """Losses and final weights of a small network that learns the sum of its inputs."""
    torch = sys.modules["torch"]
    torch.manual_seed(SEED)
    layers = (torch.nn.Linear(16, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
    model = torch.nn.Sequential(*layers).to(device)
    inputs = torch.randn(64, 16).to(device)
    wanted = inputs.sum(1, keepdim=True) / 4
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = ((model(inputs) - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.item()))
    weights = [value for one in model.parameters() for value in one.detach().cpu().reshape(-1).tolist()]
    return losses, weights


def bits(run: "Tuple[List[float], List[float]]") -> "List[str]":
    """The numbers as exact text."""
    return [float(one).hex() for part in run for one in part]


def installed(name: str) -> bool:
    """Whether an import would find the package."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return True


def main(device: str, limit: float, seconds: float) -> None:
    """All steps, each only where the one before it allows it."""
    faulthandler.enable()
    faulthandler.dump_traceback_later(seconds)
    report = Report()
    if report.step("torch", lambda: load("torch")) is not None:
        ask_torch(report, device, limit)
    if device != "cpu" and installed("torch_npu"):
        report.step("runtime", runtime)
    faulthandler.cancel_dump_traceback_later()
    report.send(step="end", outcome="ok")


def ask_torch(report: Report, device: str, limit: float) -> None:
    """The steps that need torch."""
    if device == "cpu" and not installed("torch_npu"):
        report.send(step="torch_npu", outcome="absent")
    elif report.step("torch_npu", lambda: load("torch_npu")) is not None:
        report.step("available", availability)
    elif device != "cpu":
        return
    if device.startswith("npu:"):
        taken = report.step("device", lambda: take(device, limit))
        if not taken or not taken["free"]:
            return
    if device and report.step("product", lambda: product(device)) is not None:
        report.step("training", lambda: training(device))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))
    sys.stdout.flush()
    # Libraries that fail while the interpreter shuts down say nothing about the machine.
    os._exit(0)
