"""A stack and values that are hard to quote."""

from __future__ import annotations

from ascendenv.lock.model import Part, Stack

__all__ = ["HARD", "stack"]

HARD = {
    "SITE_SPACES": "  two  words ",
    "SITE_QUOTES": "it's \"so\" '' 'x'",
    "SITE_DOLLARS": "$HOME ${HOME} `id` $(id) $$ \\ \\n !x",
    "SITE_LINES": "one\ntwo\n\nthree",
    "SITE_CHINESE": "昇腾 环境",
    "SITE_EMPTY": "",
    "SITE_GLOB": "* ? [a] ~ ; & | < > # %",
}


def stack(
    cann: str = "9.0.0", torch: str = "2.9.0", family: str = "910B", env: dict[str, str] | None = None
) -> Stack:
    return Stack(
        name="prod",
        arch=("x86_64",),
        family=family,
        matrix="sha256:" + "0" * 64,
        parts=(
            Part(name="cann", values=(("toolkit", cann), ("ops", cann), ("nnal", cann))),
            Part(name="python", values=(("python", "3.11"), ("torch", torch), ("torch_npu", torch))),
            Part(name="profile", values=tuple((f"env.{name}", text) for name, text in (env or {}).items())),
        ),
    )
