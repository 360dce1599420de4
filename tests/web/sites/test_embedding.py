"""Frames in pages of others: only where the owner allows it, and never with a sign-in in them."""

import re

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from tests.links import new_link

FRAME = {"Sec-Fetch-Dest": "iframe"}
ORIGINS = ("https://blog.example", "https://*.shop.example")
ALLOWED = "frame-ancestors https://blog.example https://*.shop.example"


async def shown_to_others(world, *origins):
    """Make site 1 public with a private link, let these origins embed it, and return its addresses."""
    await world.hit()
    await world.commands.sites.configure(
        1, ConfigChanges(public=True, embed_origins=origins), CommandContext()
    )
    key = await new_link(world.commands)
    return ["/sites/1", f"/share/{(await world.site()).site.public_id}/{key}"]


def framing(result):
    policy = result.headers["content-security-policy"].split("; ")[-1]
    return policy, result.headers.get("x-frame-options")


@pytest.mark.parametrize("end", ["", "/panels/pages"])
async def test_shared_and_public_pages_allow_framing_by_listed_origins(world, end):
    for address in await shown_to_others(world, *ORIGINS):
        result = await world.stranger().get(f"{address}{end}?embed=on")

        assert (result.status_code, framing(result)) == (200, (ALLOWED, None))


@pytest.mark.parametrize("query", ["", "?embed=on"])
async def test_framing_is_forbidden_while_no_origin_is_listed(world, query):
    for address in await shown_to_others(world):
        result = await world.stranger().get(f"{address}{query}", headers=FRAME)

        assert framing(result) == ("frame-ancestors 'none'", "DENY")


async def test_pages_for_members_forbid_framing_for_every_origin(world):
    await shown_to_others(world, "*")
    browser = await world.browser("owner")

    for path in ("/sites", "/sites/1", "/sites/1/settings", "/sites/1/goals", "/account", "/sign-in"):
        assert framing(await browser.get(path)) == ("frame-ancestors 'none'", "DENY")
    for path in ("/sites", "/sites/1/settings", "/sites/1/goals"):
        framed = await browser.get(f"{path}?embed=on", headers=FRAME)
        assert framing(framed) == ("frame-ancestors 'none'", "DENY")


@pytest.mark.parametrize(
    ("theme", "linked"),
    [
        ("", ' media="screen and (prefers-color-scheme: dark)"'),
        ("&theme=dark", ' media="screen"'),
        ("&theme=light", None),
        ("&theme=neon", ' media="screen and (prefers-color-scheme: dark)"'),
    ],
)
async def test_a_frame_has_the_theme_of_its_address(world, theme, linked):
    for address in await shown_to_others(world, "*"):
        framed = (await world.stranger().get(f"{address}?embed=on{theme}")).text
        page = (await world.stranger().get(f"{address}?{theme[1:]}")).text

        styles = re.findall(r'dark\.css"( media="[^"]*")', framed)
        assert styles == ([linked] if linked else [])
        assert ("frame.js" in framed, "data-embedded" in framed) == (True, True)
        assert ('media="screen and (prefers-color-scheme: dark)"' in page, "data-theme" in page) == (
            True,
            False,
        )
        assert ("frame.js" in page, "theme=" in page) == (False, False)
        # Links stay in the frame and its theme; the one that leaves it leaves the theme, too.
        [left] = re.findall(r'href="([^"]*)" target="_blank" rel="noopener">Open in a new tab', framed)
        [kept] = re.findall(r'href="([^"]*metric=pageviews[^"]*)"', framed)
        assert ("theme" in left, "theme" in kept) == (False, bool(theme))


async def test_a_frame_has_the_panels_of_its_address(world):
    [address, _] = await shown_to_others(world, "*")

    async def panels(query):
        text = (await world.stranger().get(f"{address}?{query}")).text
        return re.findall(r'data-panel="[^"]*/panels/([a-z]+)', text)

    every = await panels("embed=on")
    assert await panels("embed=on&panels=pages,+goals,unheard-of,errors") == ["goals", "pages"]
    assert await panels("embed=on&panels=") == []
    assert await panels("panels=goals") == every
    plain = (await world.stranger().get(f"{address}?embed=on&panels=goals&plain=on")).text
    assert ("<h2>Goals</h2>" in plain, "<h2>Funnels</h2>" in plain) == (True, False)


async def test_the_script_of_frames_has_an_address_that_stays(world):
    script = await world.stranger().get("/embed.js")

    assert (script.status_code, script.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert script.headers["cache-control"] == "public, max-age=3600"
    assert "footfall" in script.text


@pytest.mark.parametrize(
    ("query", "headers"), [("?embed=on", {}), ("", FRAME), ("", {"Sec-Fetch-Dest": "object"})]
)
async def test_frames_and_their_panels_ignore_the_sign_in(world, query, headers):
    [address, _] = await shown_to_others(world, "*")
    browser = await world.browser("owner")

    page = (await browser.get(address + query, headers=headers)).text
    panel = page.split('data-panel="')[1].split('"')[0]
    goals = (await browser.get(panel, headers={"Sec-Fetch-Dest": "empty"})).text

    assert "Sign out" not in page
    assert "/settings" not in page
    assert "?embed=on" in panel
    assert "Add a goal" not in goals
    assert "Add a goal" in (await browser.get("/sites/1/panels/goals")).text


async def test_frame_of_a_private_site_redirects_its_members_to_the_sign_in(world):
    await world.commands.sites.configure(1, ConfigChanges(embed_origins=("*",)), CommandContext())

    framed = await (await world.browser("owner")).get("/sites/1?embed=on", headers=FRAME)

    assert framed.status_code == 303


async def test_unknown_time_zone_in_a_frame_falls_back_to_utc(world):
    [public, _] = await shown_to_others(world, *ORIGINS)

    shown = await world.stranger().get(f"{public}?embed=on&time_zone=Etc%2FUnheard-of")

    assert shown.status_code == 200
    assert "Times in UTC" in shown.text
