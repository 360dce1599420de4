"""What the middlewares of all web frameworks share (docs/track/python-web.md)."""
