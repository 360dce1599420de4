"""Groups of errors: reports over the occurrences of their fingerprints."""
