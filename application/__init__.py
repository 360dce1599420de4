"""The services of Footfall, in terms of the domain and of ports."""
