"""The dashboard: HTML pages over the same application services as the HTTP interface."""
