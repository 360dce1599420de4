"""What Footfall does for those who drive it, in terms of the domain and of ports."""
