"""Hooks that report exceptions of a program (docs/errors/python-errors.md)."""
