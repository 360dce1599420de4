"""The data of single visitors over HTTP (docs/read/visitor-data.md)."""
