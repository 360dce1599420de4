"""The page that says what a site stores of its visitors."""

import re
from html import unescape

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges

PAGE = "/sites/1/privacy"


async def shown(world, who="member", **headers):
    page = await (await world.browser(who)).get(PAGE, headers=headers)
    text = unescape(re.sub(r"<[^>]+>", " ", page.text))
    return " ".join(text.split())


async def test_it_follows_the_settings(world):
    before = await shown(world)
    changes = ConfigChanges(track_errors=False, public=True)
    await world.commands.sites.configure(1, changes, CommandContext())
    await world.commands.sites.retain(1, 90, CommandContext())
    after = await shown(world)

    assert "Kept until the site is deleted, in" in before
    assert "Kept for 90 days, in" in after
    assert "errors of our pages in your browser" in before
    assert "errors of our pages in your browser" not in after
    assert ("public dashboard" in before, "public dashboard" in after) == (False, True)


async def test_what_servers_alone_send_begins_with_a_noun_in_german(world):
    await world.commands.sites.configure(
        1, ConfigChanges(track_errors=False, web_vitals=False), CommandContext()
    )

    german, english = await shown(world, **{"Accept-Language": "de"}), await shown(world)

    assert "Von Servern mit einem API-Schlüssel: Meldung, Stelle im Code" in german
    assert "Von Servern mit einem API-Schlüssel: wie schnell Seiten laden" in german
    assert "From servers with an API key: message, place in the code" in english
    assert "Address and text of links" in english


async def test_texts_can_be_copied_and_the_menu_leads_to_the_page(world):
    browser = await world.browser("member")

    page, dashboard = (await browser.get(PAGE)).text, (await browser.get("/sites/1/settings")).text

    for name in ("notice", "processing"):
        assert f'<pre id="{name}"' in page
        assert f'data-copy="{name}"' in page
    assert f'href="{PAGE}"' in dashboard
