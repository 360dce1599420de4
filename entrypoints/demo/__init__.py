"""The generated traffic of `footfall demo`."""
