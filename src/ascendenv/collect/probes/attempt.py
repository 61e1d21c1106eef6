"""One probe at a time: it may break or hang, the others still run."""

import threading
import traceback
from typing import Any, Callable, Dict

PROBE_SECONDS = 5.0


def attempt(probe: Callable[[], Dict[str, Any]], seconds: float = PROBE_SECONDS) -> Dict[str, Any]:
    """The probe's record, or `{"failed": "..."}`; a probe that hangs (a dead network folder) is left behind."""
    outcome: Dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["record"] = probe()
        except Exception:  # noqa: BLE001  (one broken corner of a machine must not hide the rest)
            outcome["record"] = {"failed": traceback.format_exc().strip().splitlines()[-1]}

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    silence: Dict[str, Any] = {"failed": "no answer within {:g} seconds".format(seconds)}
    record: Dict[str, Any] = outcome.get("record", silence)
    return record
