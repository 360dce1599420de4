"""The settings of a site, by its forms."""

import pytest

from footfall.application.commands import Cause

SETTINGS = "/sites/1/settings"


async def test_a_site_is_renamed(world):
    browser = await world.browser("owner")

    result = await browser.post(
        f"{SETTINGS}/details", page=SETTINGS, name="Shop", domain="https://shop.example/"
    )

    site = (await world.site()).site
    assert (result.status_code, site.name, site.domain) == (303, "Shop", "shop.example")


@pytest.mark.parametrize(
    ("section", "fields", "fault"),
    [
        ("details", {"name": "", "domain": "example.com"}, "1 to 100 characters"),
        ("details", {"name": "Shop", "domain": "no domain"}, "must be a host name"),
        ("lists", {"setting": "excluded_ips", "excludedIPs": "1.2.3.4, nonsense"}, "nonsense"),
        ("lists", {"setting": "excluded_ips", "excludedIPs": " , "}, "must have an entry"),
        ("lists", {"setting": "excluded_countries", "excludedCountries": "XX1"}, "XX1"),
        ("lists", {"setting": "embed_origins", "embedOrigins": "ftp://a.example"}, "ftp://a.example"),
        ("lists", {"setting": "block_bots", "block_bots": "on"}, "must be one of"),
        ("sharing", {"action": "explode"}, "must be one of"),
        ("deletion", {"confirmation": "Exampel"}, "must be the name of the site"),
    ],
)
async def test_a_wrong_entry_is_explained_beside_its_field(world, section, fields, fault):
    browser = await world.browser("owner")
    before = await world.site()

    result = await browser.post(f"{SETTINGS}/{section}", page=SETTINGS, **fields)

    assert result.status_code == 400
    assert 'role="alert"' in result.text
    assert fault.lower() in result.text.lower()
    assert await world.site() == before


async def test_two_tabs_do_not_undo_each_other(world):
    browser = await world.browser("owner")
    on = {f"was_{name}": "on" for name in ("block_bots", "web_vitals", "track_errors")}

    await browser.post(f"{SETTINGS}/tracking", page=SETTINGS, **on, web_vitals="on", track_errors="on")
    await browser.post(f"{SETTINGS}/tracking", page=SETTINGS, **on, block_bots="on", web_vitals="on")

    config = (await world.site()).site.config
    assert (config.block_bots, config.track_errors, config.web_vitals) == (False, False, True)


async def test_a_name_and_a_domain_that_two_tabs_change_are_both_changed(world):
    browser = await world.browser("owner")
    was = {"was_name": "Example", "was_domain": "example.com"}

    await browser.post(f"{SETTINGS}/details", page=SETTINGS, **was, name="Shop", domain="example.com")
    await browser.post(f"{SETTINGS}/details", page=SETTINGS, **was, name="Example", domain="shop.example")

    site = (await world.site()).site
    assert (site.name, site.domain) == ("Shop", "shop.example")


async def add(browser, setting, name, text):
    return await browser.post(f"{SETTINGS}/lists", page=SETTINGS, setting=setting, **{name: text})


async def test_addresses_countries_and_origins_are_added(world):
    browser = await world.browser("owner")

    await add(browser, "excluded_ips", "excludedIPs", "192.0.2.7, 10.0.0.0/8")
    await add(browser, "excluded_countries", "excludedCountries", "de, FR")
    added = await add(browser, "embed_origins", "embedOrigins", "blog.example")

    config = (await world.site()).site.config
    assert config.excluded_ips == ("192.0.2.7", "10.0.0.0/8")
    assert config.excluded_countries == ("DE", "FR")
    assert config.embed_origins == ("https://blog.example",)
    assert added.headers["location"] == "/sites/1/settings?done=embed_origins#embed_origins"


async def test_what_two_tabs_add_and_remove_is_all_done(world):
    first, second = await world.browser("owner"), await world.browser("owner")
    await add(first, "excluded_ips", "excludedIPs", "192.0.2.1, 192.0.2.2")
    token = (await second.get(SETTINGS)).text.split('name="token" value="')[1].split('"')[0]

    await add(first, "excluded_ips", "excludedIPs", "192.0.2.3")
    await second.send(f"{SETTINGS}/lists", {"token": token, "setting": "excluded_ips", "remove": "192.0.2.1"})

    assert (await world.site()).site.config.excluded_ips == ("192.0.2.2", "192.0.2.3")


async def test_a_frame_is_offered_when_there_is_something_to_show_in_it(world):
    browser = await world.browser("owner")

    await add(browser, "embed_origins", "embedOrigins", "blog.example")
    before = (await browser.get(SETTINGS)).text
    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="generate")

    assert "There is nothing to embed yet" in before
    assert "&lt;iframe src=" in (await browser.get(SETTINGS)).text


async def test_a_private_link_is_made_and_revoked(world):
    browser = await world.browser("owner")

    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="generate")
    key = (await world.site()).site.private_link_key
    shown = (await browser.get(SETTINGS)).text
    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="revoke")

    assert key in shown
    assert (await world.site()).site.private_link_key is None


async def test_a_site_is_deleted_by_its_name(world):
    browser = await world.browser("owner")

    result = await browser.post(f"{SETTINGS}/deletion", page=SETTINGS, confirmation="Example")

    assert result.headers["location"] == "/sites?done=deleted"
    assert (await browser.get(SETTINGS)).status_code == 404


@pytest.mark.parametrize("section", ["details", "tracking", "lists", "sharing", "deletion"])
async def test_a_member_changes_no_setting(world, section):
    browser = await world.browser("member")

    result = await browser.post(f"{SETTINGS}/{section}", page=SETTINGS, name="x", confirmation="Example")

    assert result.status_code == 403


async def test_the_own_address_is_offered(world):
    browser = await world.browser("owner")

    offered = (await browser.get(SETTINGS)).text
    await add(browser, "excluded_ips", "excludedIPs", "192.0.2.7")

    assert "Add my address, 192.0.2.7" in offered
    assert "Add my address" not in (await browser.get(SETTINGS)).text


async def test_the_history_says_who_changed_what(world):
    browser = await world.browser("owner")
    await browser.post(f"{SETTINGS}/details", page=SETTINGS, name="<b>Shop</b>", domain="example.com")

    shown = (await browser.get("/sites/1/history")).text

    assert "User 1" in shown
    assert "Site renamed" in shown
    assert "&lt;b&gt;Shop&lt;/b&gt;" in shown


async def test_the_pageviews_of_the_month_are_shown_beside_its_limit(world):
    await world.commands.limit_pageviews(1, 8, Cause())
    for visitor in range(2):
        await world.hit(visitor_id=visitor)

    shown = (await (await world.browser("owner")).get(SETTINGS)).text

    assert "25.0% of the limit" in shown


async def test_it_is_said_how_long_everything_is_kept(world):
    browser = await world.browser("member")

    before = (await browser.get(SETTINGS)).text
    await world.commands.retain(1, 90, Cause())

    assert "Everything is kept." in before
    assert 'is kept for <strong class="number">90</strong> days' in (await browser.get(SETTINGS)).text


async def test_how_long_to_keep_is_set_by_the_command_that_is_shown(world):
    shown = (await (await world.browser("member")).get(SETTINGS)).text

    assert "footfall retention --site 1 --days 365 --apply" in shown


async def test_the_address_of_a_wrong_entry_leads_back_when_it_is_opened(world):
    result = await (await world.browser("owner")).get(f"{SETTINGS}/lists")

    assert (result.status_code, result.headers["location"]) == (303, SETTINGS)
