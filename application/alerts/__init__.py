"""Alerts: measuring and judging rules, evaluating them as their windows end, and telling targets (docs/alerts.md)."""
