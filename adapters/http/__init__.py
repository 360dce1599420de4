"""The HTTP interface on Falcon's ASGI application."""
