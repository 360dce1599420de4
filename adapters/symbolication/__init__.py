"""Reading of source maps with the library symbolic, in a process of its own."""
