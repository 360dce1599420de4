"""Resources of reports."""
