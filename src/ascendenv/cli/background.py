"""Work that goes on while other things are prepared."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Background"]

Result = TypeVar("Result")


class Background(Generic[Result]):
    """A call that was started; `result` waits for it. A program that ends earlier does not wait."""

    def __init__(self, call: Callable[[], Result]) -> None:
        self._call = call
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def result(self) -> Result:
        """What the call gave; raises what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _work(self) -> None:
        try:
            self._results.append(self._call())
        except BaseException as error:  # noqa: BLE001  (raised again where the result is asked for)
            self._error = error
