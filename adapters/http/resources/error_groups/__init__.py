"""Groups of errors over HTTP: reports, and decisions of members."""
