"""What the country of an event is read from: its address, or the time zone of its browser."""

import pytest

from footfall.domain.tracking.hit import LocatedBy

IN_BERLIN = "198.51.100.7"


@pytest.mark.parametrize("key", [None, "member"])
@pytest.mark.parametrize(
    ("zone", "country"),
    [
        ("Asia/Calcutta", "IN"),
        ("Europe/Kiev", "UA"),
        ("UTC", None),
        ("Mars/Olympus", None),
        ("../zone.tab", None),
        ("", None),
        (None, None),
    ],
)
async def test_without_a_database_the_country_is_that_of_the_time_zone(world, zone, country, key):
    world.located.there = False

    response = await world.track(time_zone=zone, key=key)

    assert response.json == {"success": True}
    [hit] = await world.hits()
    assert (hit.country, hit.region, hit.city) == (country, None, None)
    assert hit.location_source == (None if country is None else "time_zone")


@pytest.mark.parametrize(
    ("address", "located"),
    [(IN_BERLIN, ("DE", "Berlin", LocatedBy.DATABASE)), ("192.0.2.1", (None, None, None))],
)
async def test_with_a_database_time_zones_are_not_looked_at(world, address, located):
    await world.track(key="member", ip_address=address, time_zone="Asia/Tokyo")

    [hit] = await world.hits()
    assert (hit.country, hit.city, hit.location_source) == located


@pytest.mark.parametrize("zone", [5, True, ["Europe/Berlin"], "x" * 65, "a\0b"])
async def test_what_is_no_name_of_a_time_zone_says_nothing_and_costs_no_event(world, zone):
    world.located.there = False

    response = await world.track(time_zone=zone)

    assert (response.status_code, response.json) == (200, {"success": True})
    [hit] = await world.hits()
    assert (hit.country, hit.location_source) == (None, None)


async def test_the_source_of_a_location_is_not_the_senders_to_say(world):
    await world.track(location_source="database", country="DE", network="hosting")

    [hit] = await world.hits()
    assert (hit.country, hit.location_source) == (None, None)
