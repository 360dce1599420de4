"""Filters as visitors of pages type and choose them."""
