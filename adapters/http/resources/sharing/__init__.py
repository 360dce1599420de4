"""The private link of a site over HTTP, and its other links."""
