"""Reports are put into the active language; each test leaves English behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.language import use_language

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    use_language(request.param)
    yield request.param
    use_language("en")
