"""Networks that addresses of visitors belong to."""
