"""What upstream publishes about its releases: read, compared with the rows that stand, and written into a matrix folder."""
