"""Stores that live in the memory of one process: for tests and for users of the library."""
