"""The frozen stack: what a project wishes (`ascendenv.toml`), and every version and file that follows (`ascendenv.lock`)."""
