"""The page that says what a site stores of its visitors."""

import re
from html import unescape

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges

PAGE = "/sites/1/privacy"


async def shown(world, who="member"):
    text = unescape(re.sub(r"<[^>]+>", " ", (await (await world.browser(who)).get(PAGE)).text))
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


async def test_texts_can_be_copied_and_the_menu_leads_to_the_page(world):
    browser = await world.browser("member")

    page, dashboard = (await browser.get(PAGE)).text, (await browser.get("/sites/1/settings")).text

    for name in ("notice", "processing"):
        assert f'<pre id="{name}"' in page
        assert f'data-copy="{name}"' in page
    assert f'href="{PAGE}"' in dashboard
