"""`python -m ascendenv`."""

from __future__ import annotations

from ascendenv.cli import main

if __name__ == "__main__":
    main()
