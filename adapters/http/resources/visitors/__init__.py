"""The data of single visitors over HTTP (docs/visitor-data.md)."""
