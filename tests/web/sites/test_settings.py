"""The settings of a site, by its forms."""

import re

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import event_rule
from footfall.domain.sites.aliases import MAX_ALIASES
from footfall.domain.sites.site import ConfigChanges
from tests.http.test_access import fresh_site
from tests.links import key_of

SETTINGS = "/sites/1/settings"


async def test_name_and_domain_of_a_site_are_saved(world):
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
        ("time-zone", {"timeZone": "Mars/Olympus"}, "must be an IANA time zone"),
        ("time-zone", {}, "must be an IANA time zone"),
        ("lists", {"setting": "excluded_ips", "excludedIPs": "1.2.3.4, nonsense"}, "nonsense"),
        ("lists", {"setting": "excluded_ips", "excludedIPs": " , "}, "must not be empty"),
        ("lists", {"setting": "excluded_countries", "excludedCountries": "XX1"}, "XX1"),
        ("lists", {"setting": "embed_origins", "embedOrigins": "ftp://a.example"}, "ftp://a.example"),
        ("lists", {"setting": "block_bots", "block_bots": "on"}, "must be one of"),
        ("aliases", {"alias": ""}, "must be 1 to 253"),
        ("aliases", {"alias": "münchen"}, "printable ASCII"),
        ("sharing", {"action": "explode"}, "must be one of"),
        ("deletion", {"confirmation": "Exampel"}, "must be the name of the site"),
    ],
)
async def test_invalid_setting_is_explained_beside_its_field(world, section, fields, fault):
    browser = await world.browser("owner")
    before = await world.site()

    result = await browser.post(f"{SETTINGS}/{section}", page=SETTINGS, **fields)

    assert result.status_code == 400
    assert 'role="alert"' in result.text
    assert fault.lower() in result.text.lower()
    assert await world.site() == before


async def test_time_zone_of_a_site_is_saved(world):
    browser = await world.browser("owner")

    result = await browser.post(f"{SETTINGS}/time-zone", page=SETTINGS, timeZone="Europe/Berlin")

    assert result.status_code == 303
    assert (await world.site()).site.config.time_zone == "Europe/Berlin"


@pytest.mark.parametrize(
    ("sent", "kept"), [("Asia/Tokyo", "Asia/Tokyo"), ("Mars/Olympus", "UTC"), ("", "UTC")]
)
async def test_new_site_gets_the_time_zone_of_the_browser_if_it_is_known_here(world, sent, kept):
    browser = await world.browser("owner")

    await browser.post(
        "/sites", page="/sites", organization="1", name="Shop", domain="s.example", timeZone=sent
    )

    newest = max((await world.site() and world.directory.sites()), key=lambda one: one.site.site_id)
    assert (newest.site.name, newest.site.config.time_zone) == ("Shop", kept)


async def test_tracking_options_changed_in_two_tabs_are_both_saved(world):
    browser = await world.browser("owner")
    on = {f"was_{name}": "on" for name in ("block_bots", "web_vitals", "track_errors")}

    await browser.post(f"{SETTINGS}/tracking", page=SETTINGS, **on, web_vitals="on", track_errors="on")
    await browser.post(f"{SETTINGS}/tracking", page=SETTINGS, **on, block_bots="on", web_vitals="on")

    config = (await world.site()).site.config
    assert (config.block_bots, config.track_errors, config.web_vitals) == (False, False, True)


async def test_name_and_domain_changed_in_two_tabs_are_both_saved(world):
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
    added = await add(browser, "embed_origins", "embedOrigins", "https://blog.example")

    config = (await world.site()).site.config
    assert config.excluded_ips == ("192.0.2.7", "10.0.0.0/8")
    assert config.excluded_countries == ("DE", "FR")
    assert config.embed_origins == ("https://blog.example",)
    assert added.headers["location"] == "/sites/1/settings?done=embed_origins#embed_origins"


async def test_list_entries_added_and_removed_in_two_tabs_are_all_saved(world):
    first, second = await world.browser("owner"), await world.browser("owner")
    await add(first, "excluded_ips", "excludedIPs", "192.0.2.1, 192.0.2.2")
    token = (await second.get(SETTINGS)).text.split('name="token" value="')[1].split('"')[0]

    await add(first, "excluded_ips", "excludedIPs", "192.0.2.3")
    await second.send(f"{SETTINGS}/lists", {"token": token, "setting": "excluded_ips", "remove": "192.0.2.1"})

    assert (await world.site()).site.config.excluded_ips == ("192.0.2.2", "192.0.2.3")


async def test_aliases_are_added_listed_and_removed(world):
    browser = await world.browser("admin")

    added = await browser.post(f"{SETTINGS}/aliases", page=SETTINGS, alias=" Shop.example ")
    shown = (await browser.get(SETTINGS)).text
    before = (await world.site()).site.aliases
    await browser.post(f"{SETTINGS}/aliases", page=SETTINGS, remove="shop.example")

    assert added.headers["location"] == "/sites/1/settings?done=aliases#aliases"
    assert "<code>shop.example</code>" in shown
    assert (before, (await world.site()).site.aliases) == (("shop.example",), ())


async def test_an_alias_of_another_site_is_refused_beside_its_field(world):
    browser = await world.browser("admin")
    other = await fresh_site(world)
    await world.commands.aliases.add(other, "shop.example", CommandContext())

    taken = await browser.post(f"{SETTINGS}/aliases", page=SETTINGS, alias="shop.example")
    for number in range(MAX_ALIASES):
        await world.commands.aliases.add(1, f"alias {number}", CommandContext())
    one_more = await browser.post(f"{SETTINGS}/aliases", page=SETTINGS, alias="Blog.example")

    assert (taken.status_code, one_more.status_code) == (409, 409)
    assert 'value="shop.example"' in taken.text
    assert "Another site has this alias" in taken.text
    assert 'value="Blog.example"' in one_more.text
    assert "A site has at most 50 aliases: remove one first" in one_more.text


async def test_foreign_protocols_are_accepted_by_switches(world):
    browser = await world.browser("admin")

    await browser.post(
        f"{SETTINGS}/tracking", page=SETTINGS, accept_plausible="on", was_accept_plausible="off"
    )

    assert (await world.site()).site.config.accept_plausible is True


async def test_embed_code_is_shown_once_the_dashboard_is_shared(world):
    browser = await world.browser("owner")

    await add(browser, "embed_origins", "embedOrigins", "https://blog.example")
    before = (await browser.get(SETTINGS)).text
    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="generate")

    assert "To get the embed code" in before
    assert "&lt;iframe src=" in (await browser.get(SETTINGS)).text


async def test_private_link_is_created_and_revoked(world):
    browser = await world.browser("owner")

    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="generate")
    key = key_of((await world.site()).site)
    shown = (await browser.get(SETTINGS)).text
    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="revoke", confirmed="on")

    assert key in shown
    assert (await world.site()).site.private_link is None


@pytest.mark.parametrize(
    ("action", "question"),
    [
        ("revoke", "Revoke the private link?"),
        ("generate", "Replace the private link?"),
        ("publish", "Make the dashboard public?"),
        ("withdraw", "Make the dashboard private?"),
        ("show_details", "Show errors and sessions?"),
    ],
)
async def test_sharing_changes_nothing_until_it_is_confirmed(world, action, question):
    browser = await world.browser("owner")
    await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="generate")
    if action == "withdraw":
        await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action="publish", confirmed="on")
    before = await world.site()

    asked = await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action=action)
    unchanged = await world.site()
    confirmed = await browser.confirm(asked, f"{SETTINGS}/sharing")

    assert (asked.status_code, f"<h1>{question}</h1>" in asked.text) == (200, True)
    assert f'href="{SETTINGS}#sharing">Cancel</a>' in asked.text
    assert unchanged == before
    assert confirmed.status_code == 303
    assert await world.site() != before


async def test_an_origin_without_a_scheme_is_refused_with_an_example(world):
    browser = await world.browser("owner")

    refused = await add(browser, "embed_origins", "embedOrigins", "blog.example")

    assert refused.status_code == 400
    assert "an origin with its scheme, such as https://blog.example" in refused.text
    assert (await world.site()).site.config.embed_origins == ()


async def test_sharing_of_errors_and_sessions_is_turned_on_and_off(world):
    browser = await world.browser("owner")

    found = []
    for action in ("show_details", "hide_details"):
        await browser.post(f"{SETTINGS}/sharing", page=SETTINGS, action=action, confirmed="on")
        found.append((await world.site()).site.config.share_details)

    assert found == [True, False]


@pytest.mark.parametrize(("there", "said"), [(False, True), (True, False)])
async def test_country_exclusions_without_a_location_database_show_its_command(world, there, said):
    world.located.there = there
    browser = await world.browser("owner")

    await add(browser, "excluded_countries", "excludedCountries", "KP")

    assert (await world.site()).site.config.excluded_countries == ("KP",)
    assert ("footfall geoip fetch" in (await browser.get(SETTINGS)).text) is said


async def test_site_is_deleted_after_its_name_was_typed(world):
    browser = await world.browser("owner")

    result = await browser.post(f"{SETTINGS}/deletion", page=SETTINGS, confirmation="Example")

    assert result.headers["location"] == "/sites?done=deleted"
    assert (await browser.get(SETTINGS)).status_code == 404


@pytest.mark.parametrize("section", ["details", "tracking", "aliases", "lists", "sharing", "deletion"])
async def test_member_cannot_change_settings(world, section):
    browser = await world.browser("member")

    result = await browser.post(f"{SETTINGS}/{section}", page=SETTINGS, name="x", confirmation="Example")

    assert result.status_code == 403


async def test_own_ip_address_can_be_excluded_until_it_is_listed(world):
    browser = await world.browser("owner")

    offered = (await browser.get(SETTINGS)).text
    await add(browser, "excluded_ips", "excludedIPs", "192.0.2.7")

    assert "Add my IP address (192.0.2.7)" in offered
    assert "Add my IP address" not in (await browser.get(SETTINGS)).text


async def test_audit_log_shows_user_action_and_changes(world):
    browser = await world.browser("owner")
    await browser.post(f"{SETTINGS}/details", page=SETTINGS, name="<b>Shop</b>", domain="example.com")

    shown = (await browser.get("/sites/1/history")).text

    assert "User 1" in shown
    assert "Name or domain changed" in shown
    assert "&lt;b&gt;Shop&lt;/b&gt;" in shown


async def test_audit_log_says_yes_and_no_of_settings_and_what_a_goal_matches_as_it_is(world):
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    rule = event_rule("signup", "paid", True)  # noqa: FBT003 - the value
    await world.commands.goals.define(1, name="Paid", rule=rule, context=CommandContext())

    shown = re.sub(r"<[^>]+>", "", (await (await world.browser("owner")).get("/sites/1/history")).text)

    assert "Public: no → yes" in shown
    assert "Value: true" in shown


async def test_settings_show_the_pageviews_of_the_month_as_a_share_of_the_limit(world):
    await world.commands.sites.limit_pageviews(1, 8, CommandContext())
    for visitor in range(2):
        await world.hit(visitor_id=visitor)

    shown = (await (await world.browser("owner")).get(SETTINGS)).text

    assert "25.0% of the limit" in shown


async def test_settings_show_the_retention_of_visitor_data(world):
    browser = await world.browser("member")

    before = (await browser.get(SETTINGS)).text
    await world.commands.sites.retain(1, 90, CommandContext())

    assert "without a time limit" in before
    assert 'deleted after <strong class="number">90</strong> days' in (await browser.get(SETTINGS)).text


async def test_settings_show_the_retention_command(world):
    shown = (await (await world.browser("member")).get(SETTINGS)).text

    assert "footfall retention --site 1 --days 365 --apply" in shown


async def test_opening_a_settings_section_redirects_to_the_settings(world):
    result = await (await world.browser("owner")).get(f"{SETTINGS}/lists")

    assert (result.status_code, result.headers["location"]) == (303, SETTINGS)


PAGES_WITH_TIMES = [
    "/sites",
    *(
        f"/sites/1{page}"
        for page in ("", "/settings", "/source-maps", "/annotations", "/alerts", "/funnels", "/goals")
    ),
    "/sites/1/alerts?topic=unusual",
    "/sites/1/funnels?name=Buy&step1=path&value1=/pricing&step3=event&value3=signup&action=preview",
]


@pytest.mark.parametrize("page", PAGES_WITH_TIMES)
async def test_pages_of_a_site_open_on_a_machine_that_does_not_know_its_time_zone(world, without_zone, page):
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Asia/Tokyo"), CommandContext())
    await world.commands.annotations.add(1, CommandContext(), at=world.clock.now(), text="Sale")
    await world.hit()
    without_zone("Asia/Tokyo")

    assert (await (await world.browser("owner")).get(page)).status_code == 200


async def test_annotations_are_added_on_a_machine_that_does_not_know_the_time_zone(world, without_zone):
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Asia/Tokyo"), CommandContext())
    without_zone("Asia/Tokyo")
    browser, page = await world.browser("owner"), "/sites/1/annotations"

    added = await browser.post(page, page=page, at="2026-03-14T09:30", text="Sale")

    assert added.status_code == 303
