"""The message catalogues; English stands in the code."""
