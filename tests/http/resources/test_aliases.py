"""Aliases of sites: one name, one site."""

import asyncio
from urllib.parse import quote

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.journal.site_lookup import named_site
from footfall.domain.exceptions import AliasTaken
from footfall.domain.sites.aliases import SiteAliased
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.foreign_protocol import ForeignProtocol
from tests.http.test_access import fresh_site
from tests.http.test_set_aside import break_stream

UUID = "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"


async def put(world, name, *, site=1, key="admin"):
    return await world.request("PUT", f"/api/sites/{site}/aliases/{quote(name, safe='')}", key=key)


async def remove(world, name, *, site=1):
    return await world.request("DELETE", f"/api/sites/{site}/aliases/{quote(name, safe='')}", key="admin")


async def listed(world, key="member", site=1):
    return (await world.request("GET", f"/api/sites/{site}", key=key)).json.get("aliases")


def named(world, name, protocol=ForeignProtocol.UMAMI):
    record = named_site(world.directory, name, protocol)
    return record and record.site.site_id


def by_domain(world, name):
    return named(world, name, ForeignProtocol.PLAUSIBLE)


async def site_of_others(world, domain):
    """Register a site of another organization."""
    settings = {"name": "T", "domain": domain, "created_by": "4"}
    site = await world.commands.sites.register("2", **settings, context=CommandContext())
    await world.directory.catch_up()
    return site


async def accept(world, *sites):
    for site in sites:
        await world.commands.sites.configure(site, ConfigChanges(accept_plausible=True), CommandContext())
    await world.directory.catch_up()


async def test_members_see_the_aliases_of_a_site(world):
    for name in (UUID.upper(), "a.example/blog", "12"):
        assert (await put(world, name)).json == {"success": True}

    assert await listed(world) == [UUID, "a.example/blog", "12"]
    assert await listed(world, key="viewer") is None
    assert [named(world, name) for name in (UUID, "A.example/blog", "12", "13")] == [1, 1, 1, None]


async def test_an_alias_is_removed_once(world):
    await put(world, UUID)

    answers = [await remove(world, UUID) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 404]
    assert answers[1].json["error"] == "Alias not found"
    assert (await listed(world), named(world, UUID)) == ([], None)


async def test_an_alias_belongs_to_one_site(world):
    other = await fresh_site(world)
    await put(world, UUID)

    taken = await put(world, UUID, site=other)

    assert (taken.status_code, taken.json["error"]) == (409, "Another site has this alias")
    assert await listed(world, site=other) == []


async def test_of_two_sites_at_the_same_time_one_gets_it(world):
    other, context = await fresh_site(world), CommandContext()
    commands = world.commands.aliases

    results = await asyncio.gather(
        commands.add(1, UUID, context), commands.add(other, UUID, context), return_exceptions=True
    )

    await world.directory.catch_up()
    holders = [site for site in (1, other) if UUID in world.directory.site(str(site)).site.aliases]
    assert [type(result) for result in results if result is not None] == [AliasTaken]
    assert holders == [named(world, UUID)]


async def test_an_alias_that_its_site_gives_up_goes_to_the_other_one_that_took_it(world):
    other = await fresh_site(world)
    streams = world.commands.aliases.streams
    for site in (1, other):  # As after the end of the process that was to take it back.
        await streams.change(f"site-{site}", lambda _state, _event: None, aliased, CommandContext())
    await world.directory.catch_up()
    first = named(world, UUID)

    await remove(world, UUID)

    assert (first, named(world, UUID)) == (1, other)


def aliased(_state):
    return [SiteAliased(UUID)]


async def test_a_deleted_site_frees_its_aliases(world):
    other = await fresh_site(world)
    await put(world, UUID, site=other)

    await world.commands.sites.delete(other, CommandContext())

    assert (await put(world, UUID)).status_code == 200
    assert named(world, UUID) == 1


@pytest.mark.parametrize("name", [" a", "é", "a" * 254])
async def test_a_name_that_is_no_alias_is_refused(world, name):
    refused = await put(world, name)

    assert refused.status_code == 400
    assert list(refused.json["details"]["fieldErrors"]) == ["alias"]


async def test_a_domain_leads_to_its_first_site_that_accepts_the_protocol(world):
    sites, domain = world.commands.sites, world.directory.site("1").site.domain
    later = await site_of_others(world, domain)
    await accept(world, later)
    only = by_domain(world, domain)
    await accept(world, 1)
    first = [by_domain(world, name) for name in (domain, f"www.{domain}")]
    await sites.rename(1, name=None, domain="new.example", context=CommandContext())
    await sites.rename(1, name=None, domain=domain, context=CommandContext())
    await world.directory.catch_up()

    assert (only, first) == (later, [1, 1])
    assert by_domain(world, domain) == later
    assert [by_domain(world, name) for name in ("new.example", "none.example")] == [None, None]
    assert "new.example" not in world.directory.state.domains
    assert named(world, domain) is None


async def test_a_domain_goes_before_aliases_of_sites_of_other_organizations(world):
    elsewhere = await site_of_others(world, "other.example")
    await put(world, "shop.example", site=1)
    await accept(world, 1, elsewhere)
    alone = by_domain(world, "shop.example")
    await world.commands.sites.rename(elsewhere, name=None, domain="shop.example", context=CommandContext())
    await world.directory.catch_up()

    assert alone == 1
    assert by_domain(world, "Shop.example") == elsewhere


async def test_an_alias_goes_before_a_domain_of_the_organization(world):
    rollup = await fresh_site(world)
    await accept(world, 1, rollup)
    await put(world, "example.com", site=rollup)

    assert by_domain(world, "example.com") == rollup


@pytest.mark.parametrize("name", ["Shop.Example", "www.shop.example", "https://shop.example/"])
async def test_a_domain_of_another_organization_is_no_alias(world, name):
    await site_of_others(world, "shop.example")

    refused = await put(world, name)

    assert (refused.status_code, refused.json["error"]) == (409, "Another site has this alias")


async def test_a_later_site_of_a_domain_takes_no_alias_away(world):
    site = await fresh_site(world)
    await site_of_others(world, "example.com")

    assert (await put(world, "example.com", site=site)).status_code == 200


async def test_an_alias_of_a_site_that_cannot_be_read_is_taken(world):
    other = await fresh_site(world)
    await put(world, UUID, site=other)
    await break_stream(world, f"site-{other}")

    refused = await put(world, UUID)

    assert (refused.status_code, refused.json["error"]) == (409, "Another site has this alias")


async def test_the_history_names_the_alias(world):
    await put(world, UUID)
    await remove(world, UUID)

    entries = (await world.request("GET", "/api/sites/1/history", key="admin")).json["data"]

    changes = [entry["changes"] for entry in entries if "alias" in entry["type"]]
    assert changes == [
        [{"field": "aliases", "from": None, "to": [UUID]}],
        [{"field": "aliases", "from": [UUID], "to": None}],
    ] or changes[::-1] == [
        [{"field": "aliases", "from": None, "to": [UUID]}],
        [{"field": "aliases", "from": [UUID], "to": None}],
    ]
