"""Command handlers: load a stream, let the aggregate decide, append."""
