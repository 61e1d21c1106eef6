"""Plain standard-library Python for 3.6 and newer, shipped to the machine as one script (see `collect.script`).

Nothing here imports the rest of ascendenv, writes anything, or runs without a time limit.
"""
