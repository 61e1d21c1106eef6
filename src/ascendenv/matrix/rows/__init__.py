"""The rows of the matrix: what a data file holds, one class for each kind of row.

Every row says where it comes from (`source`). What a row does not say is not known; a default never stands for a fact.
"""
