"""Resources of the HTTP interface, one module a subject."""
