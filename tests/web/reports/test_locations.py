"""Locations on a dashboard: flags, the map, names of regions and the location database."""

import re
from urllib.parse import urlencode

import pytest

from footfall.adapters.web.reports.panels.rows import ROWS
from footfall.application.commands.context import CommandContext
from footfall.application.ports.enrichment import LocationSource
from footfall.domain.sites.configuration import ConfigChanges
from tests.web.conftest import PART

DBIP = LocationSource(name="DBIP-City-Lite", credit="IP Geolocation by DB-IP", credit_url="https://db-ip.com")


async def test_flags_of_countries_are_hidden_from_screen_readers(world):
    await world.hit(country="DE")

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    flag = "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}"
    assert f'<span class="flag" aria-hidden="true">{flag}</span>' in shown
    assert '<bdi data-country="DE">Germany</bdi>' in shown


@pytest.mark.parametrize("page", ["/sites/1", "/sites/1/panels/places"])
async def test_pages_with_locations_show_the_credit_of_the_location_database(world, page):
    await world.hit(country="DE")
    browser = await world.browser("member")

    without = (await browser.get(page)).text
    world.located.database = DBIP
    with_one = (await browser.get(page)).text

    credit = '<a href="https://db-ip.com" target="_blank" rel="noopener">IP Geolocation by DB-IP</a>'
    assert (credit in without, credit in with_one) == (False, True)


async def test_only_members_see_the_command_for_a_location_database(world):
    await world.hit()
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    member, stranger = await world.browser("member"), world.stranger()

    shown = [
        (await browser.get("/sites/1/panels/places", headers=PART)).text for browser in (member, stranger)
    ]
    world.located.database = DBIP
    with_one = (await member.get("/sites/1/panels/places", headers=PART)).text

    assert ["footfall geoip fetch" in text for text in [*shown, with_one]] == [True, False, False]


async def test_map_draws_countries_by_their_sessions_and_filters_by_a_click(world):
    for visitor, country in enumerate(["DE"] * 4 + ["FR", "YT"]):
        await world.hit(country=country, visitor_id=visitor)
    browser = await world.browser("member")

    shown = (await browser.get("/sites/1/panels/places?period=7d", headers=PART)).text

    drawn = re.findall(
        r'<title data-country-of="(..)">([^<]+)</title><use href="[^"]+#(..)" fill-opacity="([^"]+)"', shown
    )
    # Mayotte has no outline of its own.
    assert drawn == [("DE", "DE: 4 sessions", "DE", "1.0"), ("FR", "FR: 1 session", "FR", "0.57")]
    assert '<a href="/sites/1?period=7d&amp;filter=country%2Cequals%2CDE" tabindex="-1">' in shown
    assert '<svg class="map" viewBox="0 0 2000 861" aria-hidden="true">' in shown
    assert '<bdi data-country="YT">Mayotte</bdi>' in shown


@pytest.mark.parametrize("country", [None, "YT", '"><b>'])
async def test_without_an_outlined_country_there_is_no_map(world, country):
    await world.hit(country=country)

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    assert '<svg class="map"' not in shown


async def test_map_draws_countries_beyond_the_rows_of_the_list(world):
    codes = ["DE", "FR", "GB", "US", "JP", "IN", "SE", "NO", "IT", "ES", "PT"]
    for visitor, country in enumerate(codes):
        await world.hit(country=country, visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    assert sorted(re.findall(r"data-country-of=\"(..)\"", shown)) == sorted(codes)
    assert len(re.findall("<li ", shown)) == ROWS
    assert "View all 11" in shown


@pytest.mark.parametrize(
    ("hits", "label"),
    [
        ([("DE", "BY")], "Bavaria"),
        ([("DE", "BY"), ("US", "NY")], "Bavaria"),
        ([("DE", "BE"), ("CH", "BE")], "Bern (CH) or Berlin (DE)"),
        ([("DE", "Bayern")], "Bayern"),
        ([(None, "BY")], "BY"),
    ],
)
async def test_regions_have_names_where_the_countries_of_the_period_tell_them(world, hits, label):
    for visitor, (country, region) in enumerate(hits):
        await world.hit(country=country, region=region, visitor_id=visitor)
    browser = await world.browser("member")

    shown = (await browser.get("/sites/1/panels/places?places=region", headers=PART)).text

    assert f">{label}</bdi></a>" in shown
    assert f"filter=region%2Cequals%2C{hits[0][1]}" in shown


@pytest.mark.parametrize(
    ("by", "text", "codes"),
    [
        ("country", "germ", ["DE"]),
        ("country", "fr", ["FR"]),
        ("region", "BAVARIA", ["BY"]),
        ("region", "by", ["BY"]),
        ("language", "british", ["en-GB"]),
        ("language", "(germany)", ["de-DE"]),
        ("language", "nothing such", []),
    ],
)
async def test_places_and_languages_are_searched_by_name_and_code(world, by, text, codes):
    for visitor, (country, region, language) in enumerate(
        [("DE", "BY", "de-DE"), ("FR", "IDF", "en-GB"), ("FR", "IDF", "en-GB")]
    ):
        await world.hit(country=country, region=region, language=language, visitor_id=visitor)
    browser, query = await world.browser("member"), urlencode({"search": text})

    shown = (await browser.get(f"/sites/1/panels/places?places={by}&{query}")).text
    saved = (await browser.get(f"/sites/1/panels/places/csv?places={by}&{query}")).text
    proposed = (await browser.get(f"/sites/1/values?by={by}&{query}")).json

    assert [
        code for code in ("DE", "FR", "BY", "IDF", "de-DE", "en-GB") if f"{by}%2Cequals%2C{code}" in shown
    ] == codes
    assert [line.partition(",")[0] for line in saved.splitlines()[1:]] == codes
    assert (proposed["values"], list(proposed["labels"])) == (codes, codes)


async def test_names_are_shown_without_scripts(world):
    await world.hit(country="DE", language="pt-XX")
    await world.hit(country="DE", language="de-AT", visitor_id=2)
    browser = await world.browser("member")

    languages = (await browser.get("/sites/1/panels/places?places=language", headers=PART)).text
    countries = (await browser.get("/sites/1/panels/places?places=country", headers=PART)).text

    assert 'data-language="pt-XX">Portuguese (XX)<' in languages
    assert 'data-language="de-AT">Austrian German<' in languages
    assert 'data-country="DE">Germany<' in countries
