"""Source maps from a directory of built files to a service (docs/errors/source-maps.md)."""
