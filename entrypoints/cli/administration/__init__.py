"""Commands on organizations, users, sites and API keys."""
