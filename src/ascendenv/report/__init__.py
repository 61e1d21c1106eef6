"""Renderings of a diagnosis: text, JSON and the formats of other tools."""
