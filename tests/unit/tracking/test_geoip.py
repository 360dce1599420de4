"""Geolocation: what is read from databases of several makers, and what happens when their file changes."""

import logging

import pytest

from footfall.adapters.geoip.database import MaxMindGeolocation
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.reader import LocationDatabase
from footfall.application.ports.enrichment import Location, LocationSource
from tests.servers.location_files import DBIP_CITY, IPV4, IPV6, MAXMIND_CITY, build

COUNTRY_ONLY = {"country": {"iso_code": "NZ"}, "registered_country": {"iso_code": "AU"}}
FLAT_CITY = {"country_code": "fr", "region": "Bretagne", "city": "Brest", "lat": "48.39", "lng": "-4.48"}


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def replace(path, record):
    """Put another file in the place of this one, as it should be done: whole, by its name."""
    build(path.with_suffix(".new"), record).replace(path)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def berlin(tmp_path, clock):
    path = build(tmp_path / "city.mmdb", MAXMIND_CITY)
    return path, MaxMindGeolocation(path, monotonic=clock)


@pytest.mark.parametrize(
    "database_type", ["GeoLite2-City", "GeoIP2-City", "DBIP-City-Lite", "something else"]
)
@pytest.mark.parametrize("address", [IPV4, IPV6, f"::ffff:{IPV4}"])
def test_a_city_database_is_read_whatever_its_type_is_called(tmp_path, database_type, address):
    geolocation = MaxMindGeolocation(build(tmp_path / "city.mmdb", MAXMIND_CITY, database_type))

    location = geolocation.locate(address)

    assert location == Location(country="DE", region="BE", city="Berlin", latitude=52.5196, longitude=13.4069)


@pytest.mark.parametrize(
    ("record", "location"),
    [
        (
            DBIP_CITY,
            Location(
                country="US", region="California", city="Mountain View", latitude=37.4223, longitude=-122.085
            ),
        ),
        (COUNTRY_ONLY, Location(country="NZ")),
        (FLAT_CITY, Location(country="FR", region="Bretagne", city="Brest", latitude=48.39, longitude=-4.48)),
        ({"autonomous_system_number": 64496}, Location()),
        ({"country": "Neverland", "city": 5, "subdivisions": [], "location": {"latitude": 5.0}}, Location()),
        (
            {"country": {"iso_code": "DE"}, "location": {"latitude": 95.0, "longitude": 5.0}},
            Location(country="DE"),
        ),
        ({"country": {"iso_code": "DE"}, "lat": "north", "lng": "nan"}, Location(country="DE")),
        ({"country": {"iso_code": "ZZ"}, "city": {"names": {"en": "-"}}}, Location(city="-")),
    ],
)
def test_what_a_record_says_is_taken_and_nothing_else(tmp_path, record, location):
    geolocation = MaxMindGeolocation(build(tmp_path / "some.mmdb", record))

    assert geolocation.locate(IPV4) == location


@pytest.mark.parametrize("address", ["203.0.113.1", "2001:db9::1", "127.0.0.1", "no address", "", "\ud800"])
def test_an_unknown_address_is_nowhere(berlin, address):
    _, geolocation = berlin

    assert geolocation.locate(address) == Location()


def test_a_database_of_ipv4_addresses_knows_no_other(tmp_path):
    geolocation = MaxMindGeolocation(build(tmp_path / "v4.mmdb", MAXMIND_CITY, ip_version=4))

    assert geolocation.locate(IPV4).country == "DE"
    assert geolocation.locate(IPV6) == Location()


def test_without_a_database_every_address_is_nowhere_until_there_is_one(tmp_path, clock, caplog):
    path = tmp_path / "city.mmdb"
    geolocation = MaxMindGeolocation(path, monotonic=clock)

    before = geolocation.locate(IPV4), geolocation.source()
    build(path, MAXMIND_CITY)
    clock.now = 1.0

    assert (before, caplog.records) == ((Location(), None), [])
    assert geolocation.locate(IPV4).country == "DE"
    assert geolocation.source().name == "GeoLite2-City"


def test_a_broken_file_at_the_start_leaves_countries_unknown_and_is_reported_once(tmp_path, clock, caplog):
    (tmp_path / "city.mmdb").write_bytes(b"not a database")
    geolocation = MaxMindGeolocation(tmp_path / "city.mmdb", monotonic=clock)

    for clock.now in (1.0, 2.0):
        assert geolocation.locate(IPV4) == Location()

    assert [message.rpartition("; ")[2] for message in caplog.messages] == [
        "countries are those of time zones"
    ]


@pytest.mark.parametrize(
    ("database_type", "credit", "url"),
    [
        ("GeoLite2-City", "This product includes GeoLite Data created by MaxMind", "https://www.maxmind.com"),
        ("DBIP-City-Lite", "IP Geolocation by DB-IP", "https://db-ip.com"),
        ("GeoIP2-City", None, None),
    ],
)
def test_a_database_names_the_credit_that_its_licence_asks_for(tmp_path, database_type, credit, url):
    database = LocationDatabase(build(tmp_path / "some.mmdb", MAXMIND_CITY, database_type))

    assert database.source() == LocationSource(name=database_type, credit=credit, credit_url=url)


@pytest.mark.parametrize("database_type", ["GeoIP2-Country", "GeoIP2-Enterprise", "DBIP-Country-Lite"])
def test_other_types_of_maxmind_are_read_as_they_are_meant(tmp_path, database_type):
    geolocation = MaxMindGeolocation(build(tmp_path / "some.mmdb", MAXMIND_CITY, database_type))

    location = geolocation.locate(IPV4)

    assert (location.country, location.city) == ("DE", None if "Country" in database_type else "Berlin")


def test_a_new_file_is_taken_after_a_second(berlin, clock):
    path, geolocation = berlin
    before = geolocation.locate(IPV4)

    replace(path, DBIP_CITY)
    at_once = geolocation.locate(IPV4)
    clock.now = 1.0
    later = geolocation.locate(IPV4)

    assert (before.country, at_once.country, later.country) == ("DE", "DE", "US")


def test_a_broken_new_file_leaves_the_former_one_in_use_and_is_reported_once(berlin, clock, tmp_path, caplog):
    path, geolocation = berlin
    (tmp_path / "broken").write_bytes(b"not a database")
    (tmp_path / "broken").replace(path)

    for clock.now in (1.0, 2.0, 3.0):
        assert geolocation.locate(IPV4).country == "DE"

    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert caplog.messages[0].startswith(f"The database {path} cannot be read: ")


def test_after_a_broken_file_a_whole_one_is_taken_again(berlin, clock):
    path, geolocation = berlin
    path.with_suffix(".broken").write_bytes(b"")
    path.with_suffix(".broken").replace(path)
    clock.now = 1.0
    geolocation.locate(IPV4)

    replace(path, DBIP_CITY)
    clock.now = 2.0

    assert geolocation.locate(IPV4).country == "US"


def test_a_deleted_file_stays_in_use(berlin, clock, caplog):
    path, geolocation = berlin
    path.unlink()
    clock.now = 1.0

    location = geolocation.locate(IPV6)

    assert location.country == "DE"
    assert len(caplog.records) == 1


def test_a_file_that_is_written_over_is_not_read_until_it_is_whole_again(berlin, clock, tmp_path):
    path, geolocation = berlin
    whole = build(tmp_path / "whole.mmdb", DBIP_CITY).read_bytes()

    path.write_bytes(whole[:100])
    torn = geolocation.locate(IPV4)
    path.write_bytes(whole)
    clock.now = 1.0
    complete = geolocation.locate(IPV4)

    assert (torn, complete.country) == (Location(), "US")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: path.unlink(), "No such file or directory"),
        (lambda path: path.write_bytes(b""), "it is not a whole file in MaxMind's format"),
        (lambda path: path.write_bytes(b"\0" * 4096), "it is not a whole file in MaxMind's format"),
        (
            lambda path: path.write_bytes(path.read_bytes()[:200]),
            "it is not a whole file in MaxMind's format",
        ),
        (lambda path: (path.unlink(), path.mkdir()), "it is not a whole file in MaxMind's format"),
    ],
)
def test_an_unreadable_file_is_refused_at_start_with_one_line(tmp_path, spoil, reason):
    path = build(tmp_path / "city.mmdb", MAXMIND_CITY)
    spoil(path)

    with pytest.raises(DatabaseUnreadable) as refusal:
        LocationDatabase(path)

    assert str(refusal.value) == f"The database {path} cannot be read: {reason}"


def test_a_database_with_damage_inside_never_raises(tmp_path):
    path = build(tmp_path / "city.mmdb", MAXMIND_CITY)
    content = bytearray(path.read_bytes())
    start = content.index(b"\xab\xcd\xefMaxMind.com")
    content[start - 400 : start - 200] = b"\xff" * 200
    path.write_bytes(content)

    geolocation = MaxMindGeolocation(path)

    assert isinstance(geolocation.locate(IPV4), Location)
    assert isinstance(geolocation.locate(IPV6), Location)


def test_a_database_says_what_it_is(berlin):
    path, _ = berlin

    assert LocationDatabase(path).describe().startswith("GeoLite2-City, built 20")


def test_the_cache_is_bounded_and_counts(tmp_path):
    geolocation = MaxMindGeolocation(build(tmp_path / "city.mmdb", MAXMIND_CITY), cache_size=2)

    for last in (1, 1, 2, 3, 1):
        geolocation.locate(f"198.51.100.{last}")

    assert geolocation.cache_counts() == {"hits": 1, "misses": 4, "maxsize": 2, "currsize": 2}


def test_an_address_never_reaches_the_log(berlin, clock, caplog):
    path, geolocation = berlin
    caplog.set_level(logging.DEBUG)
    path.write_bytes(b"broken")

    for clock.now, address in enumerate([IPV4, IPV6, "203.0.113.9"]):
        geolocation.locate(address)

    assert not [line for line in caplog.messages if IPV4 in line or IPV6 in line or "203.0.113.9" in line]
