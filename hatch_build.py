"""Puts the compiled forms of matrix and message catalogues into the wheel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledFormsHook(BuildHookInterface[Any]):
    """Validates and compiles `matrix/` and `locale/` before a wheel is packed; a mistake in them stops the build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled forms to a standard wheel; an editable install compiles on demand."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        from ascendenv.compiled import compile_all  # noqa: PLC0415  (not importable before the line above)

        compile_all(root, root / "build" / "compiled-wheel")
        build_data["force_include"][str(root / "build" / "compiled-wheel")] = "ascendenv/_data/compiled"
