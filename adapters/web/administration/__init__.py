"""Administration pages of the dashboard."""
