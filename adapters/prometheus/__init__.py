"""Metrics in the format of Prometheus, right across all workers of one service."""
