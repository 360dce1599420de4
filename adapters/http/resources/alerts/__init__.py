"""Alert rules, firings and targets over HTTP (docs/alerts.md)."""
