"""Patterns in logs: data in `matrix/signals/`, one pass over a file, typed signals out."""
