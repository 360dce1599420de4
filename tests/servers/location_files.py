"""Small geolocation databases in MaxMind's format."""

from mmdb_writer import MMDBWriter
from netaddr import IPSet

MAXMIND_CITY = {
    "country": {"iso_code": "DE", "names": {"en": "Germany", "de": "Deutschland"}},
    "subdivisions": [{"iso_code": "BE", "names": {"en": "Land Berlin"}}, {"iso_code": "XX"}],
    "city": {"names": {"en": "Berlin", "de": "Berlin"}},
    "location": {"latitude": 52.5196, "longitude": 13.4069, "time_zone": "Europe/Berlin"},
}
DBIP_CITY = {
    "country": {"iso_code": "US", "names": {"en": "United States"}},
    "subdivisions": [{"names": {"en": "California"}}],
    "city": {"names": {"en": "Mountain View"}},
    "location": {"latitude": 37.4223, "longitude": -122.085},
}
IPV4, IPV6 = "198.51.100.7", "2001:db8::7"


def build(path, record, database_type="GeoLite2-City", *, ip_version=6):
    """Write a database that knows two networks and return its path."""
    writer = MMDBWriter(
        ip_version, database_type=database_type, languages=["en"], ipv4_compatible=ip_version == 6
    )
    networks = ["198.51.100.0/24"] + (["2001:db8::/32"] if ip_version == 6 else [])
    writer.insert_network(IPSet(networks), record)
    writer.to_db_file(str(path))
    return path
