"""Between wall clocks and instants, across every kind of clock change."""

from datetime import datetime

import pytest

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.timezone import first_instant, parse_zone


@pytest.mark.parametrize(
    "name", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "EST5EDT"]
)
def test_names_of_the_iana_database_are_zones(name):
    zone = parse_zone(name)

    assert zone.key == name


NO_ZONES = """
Mars/Olympus Europe Europe/ ../Berlin /etc/passwd right/UTC posix/UTC localtime posixrules Factory
+02:00 Europe/Berlin\x00 tzdata.zi Ünited
"""


@pytest.mark.parametrize("name", ["", "Europe/Berlin\n", "a" * 300, *NO_ZONES.split()])
def test_name_outside_the_iana_database_is_refused(name):
    with pytest.raises(Invalid) as refusal:
        parse_zone(name)

    assert refusal.value.field_errors == {
        "time_zone": ["must be an IANA time zone such as UTC or Europe/Berlin"]
    }


@pytest.mark.parametrize(
    ("zone", "shown", "instant"),
    [
        ("Europe/Berlin", "2026-07-01T00:00", "2026-06-30T22:00Z"),
        # Shown twice: the first time counts.
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30Z"),
        ("America/Havana", "2026-11-01T00:00", "2026-11-01T04:00Z"),
        # Never shown: the clock jumps over it at this instant.
        ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:00Z"),
        ("America/Sao_Paulo", "2018-11-04T00:00", "2018-11-04T03:00Z"),
        ("Africa/Cairo", "2026-04-24T00:00", "2026-04-23T22:00Z"),
        ("Asia/Beirut", "2026-03-29T00:00", "2026-03-28T22:00Z"),
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30Z"),
        ("Asia/Kathmandu", "1986-01-01T00:00", "1985-12-31T18:30Z"),
        # A jump over midnight that begins before it.
        ("America/Toronto", "1919-03-31T00:00", "1919-03-31T04:30Z"),
        # A whole day that never was.
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00Z"),
    ],
)
def test_a_time_on_the_wall_has_one_first_instant(zone, shown, instant):
    found = first_instant(datetime.fromisoformat(shown), parse_zone(zone))

    assert found == datetime.fromisoformat(instant)
