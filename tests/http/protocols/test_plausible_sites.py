"""The sites that events of Plausible name, their answers, and the script for its tags."""

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from tests.http.protocols.test_plausible import only_hit, send
from tests.http.test_access import fresh_site
from tests.http.test_set_aside import break_stream


@pytest.fixture
async def site(world):
    """The world, whose site accepts the protocol."""
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"acceptPlausible": True})
    return world


async def test_a_site_is_found_by_the_address_where_no_domain_is_named(site):
    assert (await send(site, d=None)).status_code == 202
    assert len(await site.hits()) == 1


async def test_an_event_is_tracked_on_each_of_its_sites(site):
    other, off = await fresh_site(site), await fresh_site(site)
    await site.commands.aliases.add(other, "rollup.example", CommandContext())
    await site.commands.aliases.add(1, "shop", CommandContext())
    await site.commands.aliases.add(off, "off.example", CommandContext())
    await site.request("PUT", f"/api/sites/{other}/config", key="admin", json={"acceptPlausible": True})

    answer = await send(site, d=" Shop , rollup.example,shop,off.example,none.example")

    assert [hit.site_id for hit in await site.hits()] == [1, other]
    assert (answer.status_code, answer.headers["x-plausible-dropped"]) == (202, "2")


@pytest.mark.parametrize(
    "name",
    [
        "footfall.js",
        "script",
        "script.js.map",
        "script..js",
        "SCRIPT.js",
        f"script{'.a' * 21}.js",
        "pa-.js",
        "pa-a.b.js",
        f"pa-{'a' * 65}.js",
    ],
)
async def test_other_names_are_no_scripts(world, name):
    assert (await world.request("GET", f"/js/{name}")).status_code == 404


async def test_the_name_of_a_newest_script_is_an_alias_of_a_site(world):
    name, page = "pa-gYyx_Zhk-MzdzXBAtSeSN", {"hostname": "example.com"}

    unknown = await world.request("POST", "/api/track", json={"site_id": name, **page})
    added = await world.request("PUT", f"/api/sites/1/aliases/{name}", key="admin")
    known = await world.request("POST", "/api/track", json={"site_id": name, **page})
    config = await world.request("GET", f"/api/track/{name}")
    scripts = [await world.request("GET", f"/js/{one}.js") for one in (name, "pa-unknown", "script")]

    assert (unknown.status_code, added.status_code, known.status_code) == (404, 200, 200)
    assert (config.status_code, len(await world.hits())) == (200, 1)
    assert [answer.status_code for answer in scripts] == [200] * 3
    assert len({answer.text for answer in scripts}) == 1


async def test_events_of_a_newest_script_name_their_site_by_its_alias(site):
    await site.commands.aliases.add(1, "pa-gYyx_Zhk-MzdzXBAtSeSN", CommandContext())

    assert (await send(site, d="pa-gYyx_Zhk-MzdzXBAtSeSN")).status_code == 202
    assert (await only_hit(site)).site_id == 1


async def test_the_script_finds_its_site_by_domain_and_alias(site):
    world = site
    await world.commands.aliases.add(1, "shop", CommandContext())
    answers = [
        await world.request("POST", "/api/track", json={"site_id": name, "hostname": "example.com"})
        for name in ("example.com", "www.Example.com", "Shop", "none.example")
    ]
    config = await world.request("GET", "/api/track/example.com")

    assert [answer.status_code for answer in answers] == [200, 200, 200, 404]
    assert len(await world.hits()) == 3
    assert (config.status_code, config.json["engagement"]) == (200, True)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_our_own_endpoint_takes_the_domain_of_a_site_that_accepts_the_protocol_only(world, method):
    path, body = {
        "GET": ("/api/track/example.com", None),
        "POST": ("/api/track", {"site_id": "example.com", "hostname": "example.com"}),
    }[method]

    off = await world.request(method, path, json=body)
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"acceptPlausible": True})
    on = await world.request(method, path, json=body)

    assert (off.status_code, on.status_code) == (404, 200)


async def test_a_later_site_of_another_organization_changes_nothing(site):
    settings = {"name": "T", "domain": "example.com", "created_by": "4"}
    thief = await site.commands.sites.register("2", **settings, context=CommandContext())
    await site.commands.sites.configure(thief, ConfigChanges(accept_plausible=True), CommandContext())
    await site.directory.catch_up()

    assert (await send(site)).status_code == 202
    assert (await only_hit(site)).site_id == 1


async def test_an_unreachable_journal_is_told_in_its_words(site):
    site.journal.is_away = True
    known, unknown = await send(site), await send(site, d="none.example")

    assert known.status_code == 202
    assert (unknown.status_code, unknown.json) == (503, {"errors": {"request": ["Temporarily unavailable"]}})
    assert int(unknown.headers["retry-after"]) > 0


async def test_a_site_that_cannot_be_read_keeps_no_event_from_the_others(site):
    other = await fresh_site(site)
    await site.commands.aliases.add(other, "rollup.example", CommandContext())
    await break_stream(site, f"site-{other}")

    both, alone = await send(site, d="example.com,rollup.example"), await send(site, d="rollup.example")
    own = await site.request("POST", "/api/track", json={"site_id": "rollup.example"})

    assert (both.status_code, both.headers["x-plausible-dropped"]) == (202, "1")
    assert (alone.status_code, alone.json) == (503, {"errors": {"request": ["Temporarily unavailable"]}})
    assert int(alone.headers["retry-after"]) > 0
    assert (own.status_code, own.json["error"]) == (503, "Temporarily unavailable")
    assert len(await site.hits()) == 1


async def test_an_event_that_one_site_has_stored_is_not_refused_for_another_one(site):
    settings = {"name": "T", "domain": "example.com", "created_by": "4"}
    elsewhere = await site.commands.sites.register("2", **settings, context=CommandContext())
    await site.commands.sites.configure(elsewhere, ConfigChanges(accept_plausible=True), CommandContext())
    await site.commands.aliases.add(elsewhere, "y.example", CommandContext())

    both = await send(site, d="example.com,y.example", key="admin")
    alone = await send(site, d="y.example", key="admin")

    assert (both.status_code, both.text, both.headers["x-plausible-dropped"]) == (202, "ok", "1")
    assert (alone.status_code, alone.json) == (403, {"errors": {"request": ["Access denied"]}})
    assert len(await site.hits()) == 1


async def test_the_settings_of_a_site_are_found_by_a_name_with_a_slash(world):
    await world.commands.aliases.add(1, "example.com/blog", CommandContext())

    assert (await world.request("GET", "/api/track/example.com%2Fblog")).status_code == 200


async def test_a_repeated_event_is_stored_once_by_its_idempotency_key(site):
    answers = [await send(site, headers={"Idempotency-Key": "a"}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [202, 202]
    assert len(await site.hits()) == 1


async def test_answers_have_the_headers_of_our_own_endpoint(site):
    named = {"Idempotency-Key": "a"}
    first, again = [await send(site, headers=named, key="admin") for _ in range(2)]
    denied = await send(site, headers={"Authorization": "Bearer none"})

    assert "idempotent-replay" not in first.headers
    assert again.headers["idempotent-replay"] == "true"
    assert int(first.headers["ratelimit-remaining"]) == int(again.headers["ratelimit-remaining"]) + 1
    assert (denied.status_code, denied.headers["www-authenticate"]) == (401, "Bearer")
    assert "x-plausible-dropped" in first.headers["access-control-expose-headers"].lower()
