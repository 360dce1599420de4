"""Access: who may do what, and API keys as credentials."""
