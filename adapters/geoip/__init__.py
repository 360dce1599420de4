"""Locations and networks of addresses, and addresses of bots, from files, and how such files are downloaded."""
