"""What the middlewares of all web frameworks share (docs/clients/python-web.md)."""
