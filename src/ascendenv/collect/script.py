"""The collector as one script: the modules of `collect.probes` in one text that any Python from 3.6 on runs from stdin."""

from __future__ import annotations

import pkgutil

__all__ = ["MODULES", "collector_script", "probe_source"]

MODULES = (
    "system",
    "command",
    "attempt",
    "hashing",
    "elf_file",
    "elf",
    "loader",
    "symbols",
    "runtimes",
    "machine",
    "storage",
    "kernel",
    "devices",
    "driver",
    "network",
    "cann",
    "interpreter",
    "choice",
    "process",
    "main",
)
"""The modules in the order of their imports."""

_HEAD = '''"""The ascendenv collector: prints what it sees of an Ascend machine as JSON and changes nothing."""
import sys, types

PACKAGE = types.ModuleType("ascendenv_probes")
PACKAGE.__path__ = []
sys.modules["ascendenv_probes"] = PACKAGE
SOURCES = {}


def add(name, source):
    SOURCES[name] = source
    module = types.ModuleType("ascendenv_probes." + name)
    module.__package__ = "ascendenv_probes"
    sys.modules[module.__name__] = module
    exec(compile(source, name + ".py", "exec"), module.__dict__)
    return module


'''

_ENTRY = """
if __name__ == "__main__":
    sys.exit(sys.modules["ascendenv_probes.main"].main(sys.argv[1:], SOURCES["interpreter"]))
"""


def collector_script() -> str:
    """The text of the script."""
    modules = "".join(f"add({name!r}, {probe_source(name)!r})\n" for name in MODULES)
    return f"{_HEAD}{modules}{_ENTRY}"


def probe_source(name: str) -> str:
    """The source of one probe module."""
    data = pkgutil.get_data("ascendenv.collect.probes", f"{name}.py")
    if data is None:
        raise FileNotFoundError(name)
    return data.decode("utf-8")
