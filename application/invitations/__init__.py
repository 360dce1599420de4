"""Invitations: links that make a person a member once it is accepted."""
