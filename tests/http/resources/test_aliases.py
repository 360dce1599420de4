"""Aliases of sites: one name, one site."""

import asyncio
from urllib.parse import quote

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.exceptions import AliasTaken
from footfall.domain.sites.aliases import SiteAliased
from tests.http.test_access import fresh_site

UUID = "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"


async def put(world, name, *, site=1, key="admin"):
    return await world.request("PUT", f"/api/sites/{site}/aliases/{quote(name, safe='')}", key=key)


async def remove(world, name, *, site=1):
    return await world.request("DELETE", f"/api/sites/{site}/aliases/{quote(name, safe='')}", key="admin")


async def listed(world, key="member", site=1):
    return (await world.request("GET", f"/api/sites/{site}", key=key)).json.get("aliases")


def named(world, name, **how):
    record = world.directory.named_site(name, **how)
    return record and record.site.site_id


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


async def test_a_domain_leads_to_its_site_while_no_other_one_has_it(world):
    sites, domain = world.commands.sites, world.directory.site("1").site.domain
    by_domain = [named(world, domain, by_domain=True), named(world, f"www.{domain}", by_domain=True)]
    other = await fresh_site(world)
    await sites.rename(other, name=None, domain=domain, context=CommandContext())
    await world.directory.catch_up()
    shared = named(world, domain, by_domain=True)
    await sites.rename(1, name=None, domain="new.example", context=CommandContext())
    await world.directory.catch_up()

    assert (by_domain, shared) == ([1, 1], None)
    assert [named(world, name, by_domain=True) for name in (domain, "new.example")] == [other, 1]
    assert named(world, domain) is None


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
