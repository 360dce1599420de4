"""Errors of a site: their panel, their occurrences, and calling them resolved."""

from datetime import timedelta
from urllib.parse import quote

import pytest

from footfall.domain.hit import HitType

PART = {"Sec-Fetch-Dest": "empty"}
PANEL = "/sites/1/panels/errors"
MESSAGE = "x is <b>not</b>\ndefined"


async def fail(world, message=MESSAGE, **known):
    properties = {"message": message, "stack": "at a.js:7", "fileName": "a.js", "lineNumber": 7}
    fields = {"event_name": "TypeError", "pathname": "/cart", "properties": properties}
    await world.hit(type=HitType.ERROR, **{**fields, **known})


def resolution(message=MESSAGE, **parameters):
    query = "&".join(f"{name}={quote(value)}" for name, value in {"message": message, **parameters}.items())
    return f"/sites/1/errors/resolution?{query}"


async def test_errors_open_their_latest_occurrences(world):
    await fail(world)
    browser = await world.browser("member")

    panel = (await browser.get(PANEL, headers=PART)).text
    occurrences = (await browser.get(f"/sites/1/panels/occurrences?message={quote(MESSAGE)}")).text

    assert "x is &lt;b&gt;not&lt;/b&gt;" in panel
    assert "at a.js:7" in occurrences
    assert "/cart" in occurrences
    assert 'data-status="open"' in occurrences


async def test_an_error_has_a_trend_for_the_eye_and_in_words(world):
    await fail(world)
    await fail(world)
    await fail(world, message="another")

    panel = (await (await world.browser("member")).get(f"{PANEL}?period=7d", headers=PART)).text

    assert panel.count('<svg class="trend" role="img" viewBox="0 0 7 20"') == 2
    assert "<title>At most 2: Sat 14 Mar. Lately 2: Sat 14 Mar</title>" in panel


async def test_a_member_resolves_an_error_and_it_is_back_when_it_happens_again(world):
    await fail(world)
    browser = await world.browser("member")

    answer = await browser.post(resolution(period="7d"), page="/sites")
    resolved = (await browser.get(PANEL, headers=PART)).text
    world.clock.advance(timedelta(minutes=20))
    await fail(world)
    back = (await browser.get(PANEL, headers=PART)).text

    assert (answer.status_code, answer.headers["location"]) == (303, "/sites/1?period=7d#errors")
    assert ('data-status="resolved"' in resolved, "Resolve<" in resolved) == (True, False)
    assert ('data-status="regressed"' in back, "Resolve<" in back) == (True, True)


@pytest.mark.parametrize(
    ("then", "end"),
    [("errors", "/panels/errors"), ("occurrences", "/panels/occurrences?message=x"), ("//evil", "#errors")],
)
async def test_resolving_leads_back_to_where_the_button_was(world, then, end):
    await fail(world, message="x")
    browser = await world.browser("member")

    answer = await browser.post(resolution("x", then=then), page="/sites")

    assert answer.headers["location"] == f"/sites/1{end}"


async def test_an_error_that_was_never_reported_is_not_found(world):
    browser = await world.browser("member")

    assert (await browser.post(resolution("never"), page="/sites")).status_code == 404


async def test_only_members_are_offered_to_resolve(world):
    await fail(world)
    site = (await world.site()).site
    await (await world.browser("owner")).post("/sites/1/settings/sharing", page="/sites", action="generate")
    site = (await world.site()).site

    shared = f"/share/{site.public_id}/{site.private_link_key}/panels/errors"
    shown = (await (await world.browser("member")).get(shared, headers=PART)).text

    assert 'data-status="open"' in shown
    assert "Resolve" not in shown


async def test_many_errors_come_in_pages(world):
    for number in range(23):
        await fail(world, message=f"error {number:02d}")
    browser = await world.browser("member")

    part = (await browser.get(PANEL, headers=PART)).text
    pages = [(await browser.get(f"{PANEL}?page={number}")).text for number in (1, 2, 3)]

    assert (part.count("<li>"), "All errors" in part) == (8, True)
    assert [page.count("<li>") for page in pages] == [20, 3, 0]
    assert "Rarer ones" in pages[0]
    assert "More frequent ones" in pages[1]
    assert "No more errors" in pages[2]


@pytest.mark.parametrize("page", ["0", "x", "-1", "99999999999999"])
async def test_a_page_of_errors_that_cannot_be_is_explained(world, page):
    result = await (await world.browser("member")).get(f"{PANEL}?page={page}")

    assert (result.status_code, "must be a whole number" in result.text) == (400, True)


@pytest.mark.parametrize("message", ["\0", "x" * 8_193])
async def test_a_message_that_no_error_can_have_is_refused(world, message):
    browser = await world.browser("member")

    shown = await browser.get(f"/sites/1/panels/occurrences?message={quote(message)}")
    resolved = await browser.post(resolution(message), page="/sites")

    assert (shown.status_code, resolved.status_code) == (400, 400)
