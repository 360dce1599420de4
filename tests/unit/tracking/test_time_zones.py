"""Countries of time zones: present and former names, and those of no country."""

from importlib.resources import files
from zoneinfo import available_timezones

import pytest

from footfall.adapters.zone_countries import countries_of_zones

COUNTRIES = countries_of_zones()


@pytest.mark.parametrize(
    ("zone", "country"),
    [
        ("Europe/Berlin", "DE"),
        ("Europe/Oslo", "NO"),
        ("Asia/Calcutta", "IN"),
        ("Asia/Katmandu", "NP"),
        ("Asia/Rangoon", "MM"),
        ("Asia/Saigon", "VN"),
        ("Atlantic/Faeroe", "FO"),
        ("America/Buenos_Aires", "AR"),
        ("Pacific/Enderbury", "KI"),
        ("US/Pacific", "US"),
        # Links to zones of other countries.
        ("Africa/Asmera", "ER"),
        ("America/Coral_Harbour", "CA"),
        ("Atlantic/Jan_Mayen", "SJ"),
        ("Pacific/Truk", "FM"),
        ("Iceland", "IS"),
    ],
)
def test_a_zone_has_a_country_by_its_present_and_its_former_names(zone, country):
    assert COUNTRIES[zone] == country


@pytest.mark.parametrize("zone", ["UTC", "Etc/GMT+5", "GMT", "EST", "CET", "EST5EDT", "Factory", ""])
def test_zones_of_no_country_have_none(zone):
    assert zone not in COUNTRIES


def test_every_country_that_has_zones_is_known_and_has_a_code():
    table = files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text().splitlines()
    codes = {line[:2] for line in table if not line.startswith("#")}

    # The two have no inhabitants, and no zone of their own.
    assert codes - set(COUNTRIES.values()) == {"BV", "HM"}
    assert set(COUNTRIES.values()) <= codes


def test_every_zone_with_a_place_in_its_name_has_a_country():
    regions = (
        "Africa/",
        "America/",
        "Antarctica/",
        "Asia/",
        "Atlantic/",
        "Australia/",
        "Europe/",
        "Indian/",
        "Pacific/",
    )

    assert {zone for zone in available_timezones() if zone.startswith(regions)} - COUNTRIES.keys() == set()
