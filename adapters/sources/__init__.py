"""Sources of imports: one module a format, each yields the rows of another service (docs/track/imports/README.md)."""
