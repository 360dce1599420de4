"""Pages of alerts: rules with their preview, firings, and targets (docs/alerts/alerts.md)."""
