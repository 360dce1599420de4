"""Alert rules, firings and targets over HTTP (docs/alerts/alerts.md)."""
