"""Funnels: their definition, and how far sessions or visitors get in them."""
