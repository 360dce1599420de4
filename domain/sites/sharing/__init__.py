"""How a site shares its reports: its private link, its other links, and where pages are embedded."""
