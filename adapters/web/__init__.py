"""The dashboard: pages for people, over the same application services as the HTTP interface."""
