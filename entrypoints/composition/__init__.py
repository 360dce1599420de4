"""Composition: the one place that names concrete classes."""
