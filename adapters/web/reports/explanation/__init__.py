"""The page that explains why the numbers of a dashboard have changed."""
