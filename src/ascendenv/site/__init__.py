"""The explorer: the whole matrix as one static page that judges and picks as the command line does."""
