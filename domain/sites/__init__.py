"""Sites: their settings, host names, exclusions and embedding."""
