"""The checks, one package a family."""
