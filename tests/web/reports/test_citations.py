"""The dashboard as of an earlier state, its permanent link and its citation."""

import re
from datetime import timedelta
from html import unescape

import pytest

from tests.web.conftest import PART
from tests.web.reports.test_error_groups import fail


async def test_the_permanent_link_shows_the_same_numbers_after_later_events(world):
    browser = await world.browser("member")
    await world.hit(pathname="/early")
    page = (await browser.get("/sites/1")).text
    link = unescape(re.search(r'<a href="([^"]+)">Permanent link</a>', page)[1])
    panel = link.replace("/sites/1", "/sites/1/panels/pages")
    before = (await browser.get(panel, headers=PART)).text
    world.clock.advance(timedelta(days=2))
    await world.hit(pathname="/late", visitor_id=9)

    again, after, now = (
        (await browser.get(link)).text,
        (await browser.get(panel, headers=PART)).text,
        (await browser.get("/sites/1")).text,
    )

    assert _figures(again) == _figures(page)
    assert after == before
    assert "As of " in again
    assert "As of " not in re.sub(r"<code.*?</code>", "", now)
    assert "online now" in now
    assert "online now" not in again


async def test_a_citation_names_figures_period_state_and_address(world):
    browser = await world.browser("member")
    await world.hit(pathname="/")

    page = (await browser.get("/sites/1")).text

    citation = unescape(re.search(r'<code id="citation"[^>]*>(.*?)</code>', page)[1])
    assert "example.com" in citation
    assert ": 1 visitor, 1 session, 1 pageview." in citation
    assert "as_of=site%3D1" in citation


async def test_pages_of_errors_are_given_again_as_they_were(world):
    browser = await world.browser("member")
    await fail(world)
    [group] = set(re.findall(r"/errors/(1-[0-9a-f]{16})", (await browser.get("/sites/1/errors")).text))
    paths = ("/sites/1/errors", f"/sites/1/errors/{group}", "/sites/1/errors/costs")
    before = [(await browser.get(path)).text for path in paths]
    home = (await browser.get("/sites/1")).text
    [as_of] = re.findall(r'as_of=([^&"]+)', re.search(r'<a href="([^"]+)">Permanent link</a>', home)[1])
    await fail(world, visitor_id=2)
    await fail(world, "Failed to fetch", visitor_id=2)
    await browser.post(f"{paths[1]}/resolve", page=paths[1])

    again = [(await browser.get(f"{path}?as_of={as_of}")).text for path in paths]
    now = [(await browser.get(path)).text for path in paths]

    assert [_said(page) for page in again] == [_said(page) for page in before]
    assert all("As of " in page and "Show the present" in page for page in again)
    assert not any("/resolve" in page for page in again)
    assert [_said(page) for page in now[:2]] != [_said(page) for page in before[:2]]


@pytest.mark.parametrize(
    ("path", "as_of"),
    [("/sites/1", "x"), ("/sites/1", "2199-01-01T00:00:00Z"), ("/sites/1/live", "2026-01-01T00:00:00Z")],
)
async def test_a_state_that_a_page_cannot_show_is_refused(world, path, as_of):
    browser = await world.browser("member")
    await world.hit(pathname="/")

    refusal = await browser.get(f"{path}?as_of={as_of}")

    assert refusal.status_code == 400


def _figures(page):
    return re.findall(r'<span class="value">(.*?)</span>', page)


def _said(page):
    """Return the texts of the sheets of a page, without forms."""
    sheets = re.findall(
        r'<section class="sheet" aria-label="(?:Errors|Summary|Stacks|Conversions lost to errors)".*?</section>',
        page,
        re.DOTALL,
    )
    return [
        re.sub(r"<form.*?</form>|<nav.*?</nav>|<[^>]*>|\s+", " ", one, flags=re.DOTALL).split()
        for one in sheets
    ]


async def test_web_vitals_by_an_earlier_definition_say_so_and_all_else_is_shown(world):
    browser = await world.browser("member")
    await world.hit(pathname="/early")
    page = (await browser.get("/sites/1")).text
    link = unescape(re.search(r'<a href="([^"]+)">Permanent link</a>', page)[1])
    earlier = link.replace("%2C+vitals%3D2", "").replace("%2C%20vitals%3D2", "")
    panel, pages = [earlier.replace("/sites/1", f"/sites/1/panels/{name}") for name in ("vitals", "pages")]

    shown, plain, own, part, file, other = [
        await browser.get(address, headers=headers)
        for address, headers in [
            (earlier, None),
            (f"{earlier}&plain=on", None),
            (panel, None),
            (panel, PART),
            (panel.replace("/vitals", "/vitals/csv"), None),
            (pages, PART),
        ]
    ]

    assert earlier != link
    assert [one.status_code for one in (shown, plain, part, other)] == [200] * 4
    assert [one.status_code for one in (own, file)] == [410] * 2
    reason = "The definition of web vitals has changed since, from 1 to 2"
    assert all(reason in one.text for one in (plain, own, part, file))
    assert not any(reason in one.text for one in (shown, other))
    assert _figures(shown.text) == _figures(page)
    assert "/early" in plain.text


async def test_positions_from_before_sessions_were_formed_by_time_have_a_page_that_says_so(world):
    browser = await world.browser("member")
    await world.hit(pathname="/early")
    await world.hit(type="performance", lcp=90, pathname="/early")
    page = (await browser.get("/sites/1")).text
    link = unescape(re.search(r'<a href="([^"]+)">Permanent link</a>', page)[1])
    earlier = re.sub("%2C(%20|\\+)sessions%3D2", "", link)
    vitals, pages = [earlier.replace("/sites/1", f"/sites/1/panels/{name}") for name in ("vitals", "pages")]

    whole, part, other = [
        await browser.get(address, headers=headers)
        for address, headers in [(earlier, None), (pages, PART), (vitals, PART)]
    ]

    assert earlier != link
    assert (whole.status_code, part.status_code, other.status_code) == (410, 200, 200)
    reason = "The definition of sessions has changed since, from 1 to 2"
    assert reason in whole.text
    assert reason in part.text
    assert reason not in other.text
