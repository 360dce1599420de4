"""Report pages of the dashboard."""
