"""Cookies, forms and access to pages."""
