"""Bots: programs that ask for pages, by their names, operators and purposes."""
