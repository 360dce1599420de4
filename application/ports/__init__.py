"""The ports: Protocols that adapters implement, each with the failures that callers must expect."""
