"""Erasure, retention and transfer in PostgreSQL."""
