"""How a site shares its reports: its private link, and its other links."""
