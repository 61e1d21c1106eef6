"""The collector: looks at a machine, records what it saw, and decides nothing."""
