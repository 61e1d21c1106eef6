"""Facts about one machine, and the parsers that read them from text."""
