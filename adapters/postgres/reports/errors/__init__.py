"""Reports about errors."""
