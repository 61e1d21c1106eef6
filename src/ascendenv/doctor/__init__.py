"""The doctor: checks, the engine that runs them, and what they find."""
