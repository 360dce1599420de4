"""The reports: what each is asked, and what it says as a table."""
