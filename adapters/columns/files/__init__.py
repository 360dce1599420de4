"""The files of a node: made, verified, listed, swept and exported."""
