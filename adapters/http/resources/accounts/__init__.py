"""Endpoints of organizations, their members, invitations, and the caller's own account."""
