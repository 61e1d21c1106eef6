"""Where the data that ships with ascendenv is found: in the wheel, in a zip file, or in the checkout.

Sources (`matrix/`, `playbooks/`, `templates/`) lie in `ascendenv/_data` of a wheel and at the top of a checkout.
Compiled forms (the matrix as JSON, message catalogues) are made when a wheel is built; in a checkout they are made
again in `build/compiled` whenever a source is newer.
"""

from __future__ import annotations

import os
import pkgutil
from functools import lru_cache

__all__ = ["data_folder", "read_compiled", "read_data"]

_PACKAGE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  (pathlib is not imported on this path)
_SHIPPED = os.path.join(_PACKAGE, "_data")  # noqa: PTH118
_CHECKOUT = os.path.dirname(os.path.dirname(_PACKAGE))  # noqa: PTH120


def data_folder(name: str) -> str:
    """The path of the shipped folder `matrix`, `playbooks` or `templates`."""
    shipped = os.path.join(_SHIPPED, name)  # noqa: PTH118
    return shipped if os.path.isdir(shipped) else os.path.join(_CHECKOUT, name)  # noqa: PTH112, PTH118


def read_data(folder: str, name: str) -> bytes:
    """The bytes of a shipped file, e.g. `read_data("templates", "report.html.j2")`; works inside a zip file, too."""
    if _is_checkout():
        with open(os.path.join(_CHECKOUT, folder, name), "rb") as stream:  # noqa: PTH118, PTH123
            return stream.read()
    data = pkgutil.get_data("ascendenv", f"_data/{folder}/{name}")
    if data is None:
        raise FileNotFoundError(name)
    return data


@lru_cache(maxsize=8)
def read_compiled(name: str) -> bytes:
    """The bytes of the compiled form `name`, one of `ascendenv.compiled.COMPILED`."""
    if _is_checkout():
        from ascendenv.compiled import compile_stale

        return compile_stale(_CHECKOUT, name)
    data = pkgutil.get_data("ascendenv", f"_data/compiled/{name}")
    if data is None:
        raise FileNotFoundError(name)
    return data


def _is_checkout() -> bool:
    return not os.path.isdir(_SHIPPED) and os.path.isfile(os.path.join(_CHECKOUT, "pyproject.toml"))  # noqa: PTH112, PTH113, PTH118
