"""The load generator of `footfall bench` and the requests that it sends."""
