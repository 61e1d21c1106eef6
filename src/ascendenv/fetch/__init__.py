"""The files of a lock: brought from servers or taken from the site, checked, kept as a bundle for places without a network."""
