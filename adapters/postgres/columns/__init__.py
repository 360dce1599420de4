"""The days of the columns in the store: their versions, their changes, and the nodes that hold files."""
