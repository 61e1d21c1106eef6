"""ascendenv: find out why an Ascend NPU machine is broken, and keep its stack known."""

__version__ = "0.1.0"
