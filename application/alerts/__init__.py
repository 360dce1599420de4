"""Alerts: measuring and judging rules, evaluating them as their windows end, and telling targets.

See docs/alerts/alerts.md.
"""
