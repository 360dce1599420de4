"""Hooks that report exceptions of a program (docs/clients/python-errors.md)."""
