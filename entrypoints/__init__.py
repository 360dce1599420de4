"""Where programs start: the command line and the server."""
