"""Problems and differences of environments, as lines for people and as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.cli.options import TextOrJson
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.env.comparison import Difference
    from ascendenv.env.problem import Problem

__all__ = ["print_differences", "print_problems"]


def print_problems(found: tuple[Problem, ...], format_: TextOrJson) -> None:
    """Print the problems as lines or as one record."""
    import json

    from ascendenv.report.printable import printable

    if format_ is TextOrJson.JSON:
        rows = [
            {"kind": one.kind, "name": one.name, "severity": one.severity, "message": str(one.message)}
            for one in found
        ]
        print(json.dumps({"schema_version": 1, "problems": rows}, ensure_ascii=False, indent=2))
        return
    for one in found:
        print(printable(f"{one.severity}: {one.name}: {one.message} ({one.kind})"))
    if not found:
        print(say("nothing is wrong with these variables"))


def print_differences(found: tuple[Difference, ...], format_: TextOrJson) -> None:
    """Print the differences as lines or as one record."""
    import json
    from dataclasses import asdict

    from ascendenv.report.printable import printable

    if format_ is TextOrJson.JSON:
        rows = [asdict(one) for one in found]
        print(json.dumps({"schema_version": 1, "differences": rows}, ensure_ascii=False, indent=2))
        return
    for one in found:
        print("\n".join(printable(line) for line in _lines(one)))
    if not found:
        print(say("these variables are the same"))


def _lines(one: Difference) -> list[str]:
    if one.reordered:
        return [
            f"{one.name}: {say('the same folders in another order')}",
            f"  - {one.first}",
            f"  + {one.second}",
        ]
    if one.only_first or one.only_second:
        removed = [f"  - {folder}" for folder in one.only_first]
        return [f"{one.name}:", *removed, *(f"  + {folder}" for folder in one.only_second)]
    shown = [str(say("not set")) if each is None else repr(each) for each in (one.first, one.second)]
    return [f"{one.name}:", f"  - {shown[0]}", f"  + {shown[1]}"]
