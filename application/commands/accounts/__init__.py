"""Commands on organizations, their members, users and keys."""
