"""Organizations with their members, users, and API keys."""
