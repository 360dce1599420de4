"""The server: gunicorn and its logs."""
