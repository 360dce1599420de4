"""Places: the names of regions and the map of the world, from files that come with the service."""
