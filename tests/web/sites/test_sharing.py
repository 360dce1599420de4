"""Private links and public dashboards."""

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from tests.links import key_of, new_link
from tests.web.conftest import PART


async def shared(world):
    key = await new_link(world.commands)
    return f"/share/{(await world.site()).site.public_id}/{key}"


async def test_private_link_shows_the_dashboard_without_pages_for_members(world):
    await world.hit(pathname="/pricing")
    link, stranger = await shared(world), world.stranger()

    page = await stranger.get(link)
    panel = await stranger.get(f"{link}/panels/pages", headers=PART)

    assert (page.status_code, panel.status_code) == (200, 200)
    assert "/settings" not in page.text
    assert f"{link}?metric=sessions" in page.text
    assert page.headers["x-robots-tag"] == "noindex"


async def test_a_link_of_another_secret_works_and_is_not_shown_until_it_is_replaced(world):
    key = await new_link(world.commands, secret=b"the secret before")
    browser = await world.browser("owner")

    opened = await world.stranger().get(f"/share/1/{key}")
    settings = (await browser.get("/sites/1/settings")).text
    await browser.post(
        "/sites/1/settings/sharing", page="/sites/1/settings", action="generate", confirmed="on"
    )
    replaced = (await browser.get("/sites/1/settings")).text

    assert opened.status_code == 200
    assert "works, but cannot be shown any more" in settings
    assert "/share/" not in settings
    assert f"/{key_of((await world.site()).site)}" in replaced
    assert (await world.stranger().get(f"/share/1/{key}")).status_code == 404


async def test_revoked_private_link_is_not_found(world):
    link = await shared(world)
    await world.commands.sites.revoke_private_link(1, CommandContext())

    shown = await world.stranger().get(link)

    assert (shown.status_code, "This link does not work" in shown.text) == (404, True)
    assert "/sign-in" not in shown.text


async def test_private_link_of_one_site_opens_no_other_site(world):
    link = await shared(world)

    opened = [await world.stranger().get(link.replace(link.split("/")[2], other)) for other in ("2", "77")]

    assert [result.status_code for result in opened] == [404, 404]


async def test_private_link_key_opens_no_page_for_members(world):
    link, stranger = await shared(world), world.stranger()
    key = link.rpartition("/")[2]

    for path in (
        "settings",
        "goals",
        "history",
        "install",
        "ingestion",
        "first-event",
        "goal-preview",
        "alert-preview",
    ):
        assert (await stranger.get(f"/sites/1/{path}?private_key={key}")).status_code == 303


async def test_public_dashboard_opens_without_sign_in_but_its_settings_do_not(world):
    await world.hit()
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    stranger = world.stranger()

    assert (await stranger.get("/sites/1")).status_code == 200
    assert (await stranger.get("/sites/1/panels/pages", headers=PART)).status_code == 200
    assert (await stranger.get("/sites/1/settings")).status_code == 303
    assert 'href="/sign-in?next=/sites/1"' in (await stranger.get("/sites/1")).text


async def test_private_dashboard_opens_for_members_only(world):
    assert (await world.stranger().get("/sites/1")).status_code == 303
    assert (await (await world.browser("stranger")).get("/sites/1")).status_code == 403
