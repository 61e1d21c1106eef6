"""A real headless Chromium, driven through its debugging pipe: no driver program, no port, no network."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["PROGRAM", "Browser", "overflowing"]

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
_TROUBLE = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Network.loadingFailed")


class Browser:
    """One browser with one page. `events` holds everything the page has reported."""

    def __init__(self, folder: Path) -> None:
        assert PROGRAM is not None
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4.
        self._child = subprocess.Popen(
            [
                "bash",
                "-c",
                f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}',
                PROGRAM,
                *_FLAGS,
                f"--user-data-dir={folder}",
            ],
            pass_fds=(to_read, to_write),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self._child.kill()
        self._child.wait()
        os.close(self._write)
        os.close(self._read)

    def show(self, page: Path, *, width: int, scheme: str = "light", script: bool = True) -> None:
        """Load the file at that width in CSS pixels, with the colour scheme a user prefers, and wait until it is there."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._ask("Emulation.setScriptExecutionDisabled", value=not script)
        self.events.clear()
        self._ask("Page.navigate", url=page.resolve().as_uri())
        while not any(one["method"] == "Page.loadEventFired" for one in self.events):
            self._receive()

    def value(self, expression: str) -> Any:
        """What a piece of script gives in the page."""
        return self._ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def requests(self) -> list[str]:
        """The addresses that the page asked for."""
        return [
            one["params"]["request"]["url"]
            for one in self.events
            if one["method"] == "Network.requestWillBeSent"
        ]

    def troubles(self) -> list[dict[str, Any]]:
        """Console messages, refused loads and uncaught errors."""
        return [one for one in self.events if one["method"] in _TROUBLE]

    def screenshot(self) -> bytes:
        """The whole page as PNG."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        return base64.b64decode(
            self._ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        )

    def print_view(self) -> None:
        """Lay the page out as for paper."""
        self._ask("Emulation.setEmulatedMedia", media="print")

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 1 << 16)
            assert chunk, "the browser ended"
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message


def overflowing(browser: Browser) -> Iterable[str]:
    """The tags that reach beyond the right edge of the page and do not scroll by themselves."""
    found: list[str] = browser.value(
        "[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1)"
        ".map(one => one.tagName + '.' + one.className)"
    )
    return found
