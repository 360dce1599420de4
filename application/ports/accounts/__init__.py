"""Ports of persons and of their ways to sign in."""
