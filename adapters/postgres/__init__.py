"""PostgreSQL, 15 or later, as the store of both logs and of everything derived from them."""
