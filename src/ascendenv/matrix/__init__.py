"""The compatibility matrix: its types, its loader, and the questions that can be put to it."""
