"""The page of bots and of AI services."""

import re
from html import unescape

import pytest

from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.tracking.hit import BotVerification
from tests.links import key_of

VERIFIED, UNVERIFIED = BotVerification.VERIFIED, BotVerification.UNVERIFIED


def words(page):
    """Return the text of a page, without marks of its directions."""
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    return " ".join(re.sub(r"[\u2066-\u2069]", "", text).replace("\u2013", "-").split())


@pytest.fixture
async def visited(world):
    """Refused and stored bots, and visits from ChatGPT."""
    day = world.clock.now().date()
    world.log.refused_bots = {
        RefusedBot(1, day, "GPTBot", VERIFIED, "example.com/<b>"): 1234,
        RefusedBot(1, day, "GPTBot", UNVERIFIED, ""): 5,
        RefusedBot(1, day, "curl", None, "example.com/a"): 2,
    }
    await world.hit(visitor_id=1, bot="Claude-User", hostname="example.com", pathname="/pricing")
    await world.hit(visitor_id=2, channel="AI", referrer="https://chatgpt.com/")
    await world.hit(visitor_id=3, channel="AI", referrer="https://unknown.example/")
    return world


async def test_the_page_shows_bots_beside_visits_of_ai_services(visited):
    browser = await visited.browser("member")

    text = words((await browser.get("/sites/1/bots")).text)

    assert "Other services - 1 ChatGPT OpenAI 1" in text
    assert "GPTBot OpenAI Training 1,239 1,239 0 1,234 5 not verified 1,234 example.com/<b>" in text
    assert "curl Unknown operator Other 2 2 0 - 2 example.com/a" in text
    assert "Claude-User Anthropic Answer for a user 1 0 1 - 1 example.com/pricing" in text
    assert 'href="/sites/1/bots"' in (await browser.get("/sites/1")).text


async def test_without_bots_the_page_says_so(world):
    text = words((await (await world.browser("member")).get("/sites/1/bots?period=today")).text)

    assert "No visits from AI services in this period" in text
    assert "No requests of bots in this period" in text


@pytest.mark.parametrize("path", ["bots", "panels/bots/csv", "panels/bots/json"])
async def test_the_page_and_its_files_refuse_what_they_cannot_show(visited, path):
    browser = await visited.browser("member")
    home = (await browser.get("/sites/1")).text
    present = re.search(r'<a href="[^"]*as_of=([^&"]+)[^"]*">Permanent link</a>', home)[1]

    filtered = await browser.get(f"/sites/1/{path}?filter=country,equals,DE")
    past = await browser.get(f"/sites/1/{path}?as_of={present}")
    other = await browser.get(f"/sites/1/panels/places/csv?as_of={present}")

    assert (filtered.status_code, past.status_code, other.status_code) == (400, 400, 200)


async def test_a_filter_on_bots_selects_them_and_the_services_of_their_operators(visited):
    address = "/sites/1/bots?filter=bot_operator,equals,OpenAI"

    text = words((await (await visited.browser("member")).get(address)).text)

    assert ("GPTBot" in text, "ChatGPT" in text) == (True, True)
    assert ("Claude-User" in text, "Other services" in text) == (False, False)


async def test_readers_of_a_shared_site_see_it_and_its_file(visited):
    browser = await visited.browser("owner")
    await browser.post("/sites/1/settings/sharing", page="/sites", action="generate", confirmed="on")
    key = key_of((await visited.site()).site)

    page = await visited.stranger().get(f"/share/1/{key}/bots")
    file = await visited.stranger().get(f"/share/1/{key}/panels/bots/csv")

    assert (page.status_code, page.headers["x-robots-tag"]) == (200, "noindex")
    assert file.text.splitlines()[1] == "OpenAI,GPTBot,,training,1239,0,1234,5,"
    assert (await visited.stranger().get("/sites/1/bots")).status_code == 303
