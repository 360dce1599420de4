"""In-memory adapters of persons and of their ways to sign in."""
