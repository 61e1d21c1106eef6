"""A real headless Chromium, driven over its debugging pipe; no server, no port, no driver program."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["Chromium", "Page"]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
_KEYS = {
    "Tab": ("Tab", 9, ""),
    "Enter": ("Enter", 13, "\r"),
    "Space": (" ", 32, " "),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "End": ("End", 35, ""),
}
"""Code -> key, Windows key code, text."""


class Chromium:
    """The browser; use it in a `with` block."""

    def __init__(self, folder: Path, *flags: str) -> None:
        ours, theirs = os.pipe(), os.pipe()
        self._read, self._write = theirs[0], ours[1]
        # A shell gives the ends of the pipes the numbers 3 and 4, which Chromium expects.
        wrapper = 'from=$1; to=$2; shift 2; exec "$@" 3<&"$from" 4>&"$to"'
        command = ["chromium", *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags]
        with (folder / "chromium.log").open("wb") as log:
            self._process = subprocess.Popen(
                ["bash", "-c", wrapper, "chromium", str(ours[0]), str(theirs[1]), *command],
                pass_fds=(ours[0], theirs[1]),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        os.close(ours[0])
        os.close(theirs[1])
        self._rest = b""
        self._count = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.call("Browser.close")
        finally:
            os.close(self._write)
            os.close(self._read)
            self._process.wait(PATIENCE)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The result of a command of the debugging protocol."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> None:
        """Read on until that event comes."""
        while True:
            event = self._next()
            self.events.append(event)
            if event.get("method") == method and event.get("sessionId") == session:
                return

    def page(self) -> Page:
        """A new page."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable", session)
        return Page(self, session)

    def _next(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "Chromium does not answer"
            read = os.read(self._read, 1 << 20)
            assert read, "Chromium went away"
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


class Page:
    """One page of the browser."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command for this page."""
        return self._browser.call(method, self._session, **parameters)

    def open(self, address: str) -> None:
        """Load the address as if for the first time."""
        self.call("Page.navigate", url="about:blank")
        self._browser.wait_for("Page.loadEventFired", self._session)
        self.call("Page.navigate", url=address)
        self._browser.wait_for("Page.loadEventFired", self._session)

    def run(self, script: str) -> Any:
        """The value of an expression, of a promise once it is there."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """The visible text of the first element that the selector finds."""
        found: str = self.run(f"document.querySelector({json.dumps(selector)}).innerText")
        return found

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that the selector finds, as a mouse does."""
        place = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1
            )

    def press(self, *codes: str, shift: bool = False) -> None:
        """Press keys one after the other."""
        for code in codes:
            key, number, text = _KEYS[code]
            pressed = {
                "key": key,
                "code": code,
                "windowsVirtualKeyCode": number,
                "modifiers": 8 if shift else 0,
            }
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **pressed)
            self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def type(self, text: str) -> None:
        """Type text where the focus is."""
        self.call("Input.insertText", text=text)

    def size(self, width: int, height: int) -> None:
        """Make the window that large."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def media(self, kind: str = "", **features: str) -> None:
        """Pretend to be `print`, or a reader with e.g. `prefers_color_scheme="dark"`."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=kind, features=named)

    def locale(self, language: str) -> None:
        """Pretend that the reader prefers that language."""
        self.call(
            "Network.setUserAgentOverride", userAgent=self.run("navigator.userAgent"), acceptLanguage=language
        )

    def screenshot(self) -> bytes:
        """The whole page as a PNG."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(answer["data"])

    def printed(self) -> bytes:
        """The page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])

    def complaints(self) -> list[str]:
        """What the page complained of: exceptions, console errors and warnings, entries of the browser's own log."""
        self.run("1")
        found = []
        for event in self._browser.events:
            kind, told = event.get("method"), event.get("params", {})
            if event.get("sessionId") != self._session:
                continue
            if kind == "Runtime.exceptionThrown":
                found.append(str(told["exceptionDetails"]))
            elif kind == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
                found.append(str(told["args"]))
            elif kind == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                found.append(told["entry"]["text"])
        return found

    def requests(self) -> list[str]:
        """The addresses that were asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self._browser.events
            if event.get("method") == "Network.requestWillBeSent" and event.get("sessionId") == self._session
        ]
