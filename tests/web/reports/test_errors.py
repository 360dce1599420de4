"""Errors of a site: their panel, and resolving their causes."""

from datetime import timedelta
from urllib.parse import quote

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.links import key_of
from tests.web.conftest import PART

PANEL = "/sites/1/panels/errors"
MESSAGE = "x is <b>not</b>\ndefined"


async def fail(world, message=MESSAGE, **known):
    properties = {"message": message, "stack": "at a.js:7", "fileName": "a.js", "lineNumber": 7}
    fields = {"event_name": "TypeError", "pathname": "/cart", "properties": properties}
    await world.hit(type=HitType.ERROR, **{**fields, **known})


def group_of(message=MESSAGE):
    return fingerprint("TypeError", ErrorDetails(message=message, stack="at a.js:7", file_name="a.js"))


async def test_errors_lead_to_the_pages_of_their_causes(world):
    await fail(world)
    browser = await world.browser("member")

    panel = (await browser.get(f"{PANEL}?period=7d", headers=PART)).text
    cause = (await browser.get(f"/sites/1/errors/{group_of()}?period=7d")).text

    assert "x is &lt;b&gt;not&lt;/b&gt;" in panel
    assert f'href="/sites/1/errors/{group_of()}?period=7d"' in panel
    assert "at a.js:7" in cause
    assert "/cart" in cause
    assert 'data-status="open"' in cause


async def test_the_panel_shows_the_state_of_the_cause(world):
    await fail(world, message="item 7 is gone")
    await fail(world, message="item 8 is gone")
    browser = await world.browser("member")
    page = f"/sites/1/errors/{group_of('item 7 is gone')}"

    await browser.post(f"{page}/mute", page=page, until="7d")
    muted = (await browser.get(PANEL, headers=PART)).text

    assert (muted.count('data-status="muted"'), muted.count("Resolve<")) == (2, 0)


async def test_error_trend_has_a_drawing_and_a_description(world):
    await fail(world)
    await fail(world)
    await fail(world, message="another")

    panel = (await (await world.browser("member")).get(f"{PANEL}?period=7d", headers=PART)).text

    assert panel.count('<svg class="trend" role="img" viewBox="0 0 7 20"') == 2
    assert "<title>Highest 2: 14 Mar 2026. Latest 2: 14 Mar 2026</title>" in panel


async def test_error_trend_draws_the_deploys_of_the_period_for_members(world):
    await fail(world)
    now = world.clock.now()
    for number in range(7):
        at = now - timedelta(days=number // 2, minutes=number)
        await world.commands.annotations.add(1, CommandContext(), at=at, release=f"v{number}")
    await world.commands.annotations.add(1, CommandContext(), at=now - timedelta(days=5), text="No deploy")
    await world.commands.annotations.add(1, CommandContext(), at=now - timedelta(days=9), release="before")
    await world.commands.sites.configure(1, ConfigChanges(public=True, share_details=True), CommandContext())

    panel = (await (await world.browser("member")).get(f"{PANEL}?period=7d", headers=PART)).text
    public = (await world.stranger().get(f"{PANEL}?period=7d", headers=PART)).text

    assert '<path class="deploys" d="M3.5 0V20M4.5 0V20M5.5 0V20M6.5 0V20"/>' in panel
    assert (
        ". Deploys: v0: 14 Mar 2026, v1: 14 Mar 2026, v2: 13 Mar 2026, v3: 13 Mar 2026, v4: 12 Mar 2026,"
        " and 2 earlier ones</title>" in panel
    )
    assert ("deploys" in public, '<svg class="trend"' in public) == (False, True)


async def test_single_occurrence_and_session_are_singular(world):
    await fail(world)

    panel = (await (await world.browser("member")).get(PANEL, headers=PART)).text

    assert '<span class="unit"> time</span>' in panel
    assert '<span class="unit"> session</span>' in panel
    assert "1 session affected" in panel


async def test_last_seen_of_an_error_follows_the_filters(world):
    now = world.clock.now()
    await fail(world, visitor_id=1, browser="Chrome", occurred_at=now - timedelta(days=3))
    await fail(world, visitor_id=2, browser="Firefox", occurred_at=now - timedelta(days=1))
    browser = await world.browser("member")

    every = (await browser.get(PANEL, headers=PART)).text
    chrome = (await browser.get(f"{PANEL}?filter=browser,equals,Chrome", headers=PART)).text

    assert "Last seen </span>13 Mar 2026" in every
    assert "Last seen </span>11 Mar 2026" in chrome


async def test_resolved_error_is_regressed_when_it_occurs_again(world):
    await fail(world)
    browser = await world.browser("member")

    resolve = f"/sites/1/errors/{group_of()}/resolve?period=7d&then=dashboard"
    answer = await browser.post(resolve, page="/sites")
    resolved = (await browser.get(PANEL, headers=PART)).text
    world.clock.advance(timedelta(minutes=20))
    await fail(world)
    back = (await browser.get(PANEL, headers=PART)).text

    assert (answer.status_code, answer.headers["location"]) == (303, "/sites/1?period=7d#errors")
    assert ('data-status="resolved"' in resolved, "Resolve<" in resolved) == (True, False)
    assert ('data-status="regressed"' in back, "Resolve<" in back) == (True, True)


@pytest.mark.parametrize(
    ("then", "end"),
    [("errors", "/panels/errors"), ("dashboard", "#errors"), ("//evil", f"/errors/{group_of()}")],
)
async def test_resolving_redirects_to_the_page_of_the_button(world, then, end):
    await fail(world)
    browser = await world.browser("member")

    answer = await browser.post(f"/sites/1/errors/{group_of()}/resolve?then={quote(then)}", page="/sites")

    assert answer.headers["location"] == f"/sites/1{end}"


async def test_shared_page_has_no_resolve_button(world):
    await fail(world)
    site = (await world.site()).site
    await (await world.browser("owner")).post("/sites/1/settings/sharing", page="/sites", action="generate")
    await world.commands.sites.configure(1, ConfigChanges(share_details=True), CommandContext())
    site = (await world.site()).site

    shared = f"/share/{site.public_id}/{key_of(site)}/panels/errors"
    shown = (await (await world.browser("member")).get(shared, headers=PART)).text

    assert 'data-status="open"' in shown
    assert "Resolve" not in shown


async def test_error_list_is_paginated(world):
    for number in range(23):
        await fail(world, message=f"error {number:02d}")
    browser = await world.browser("member")

    part = (await browser.get(PANEL, headers=PART)).text
    pages = [(await browser.get(f"{PANEL}?page={number}")).text for number in (1, 2, 3)]

    assert (part.count('class="what"'), "View all 23 errors" in part) == (8, True)
    assert [page.count('class="what"') for page in pages] == [20, 3, 0]
    assert ["More rows" in page for page in pages[:2]] == [True, False]
    assert ["Previous rows" in page for page in pages[:2]] == [False, True]
    assert "Showing 21 \N{EN DASH} <span data-last>23</span> of 23" in pages[1]
    assert "No more errors" in pages[2]


async def test_page_of_exactly_all_errors_has_no_link_to_another_one(world):
    for number in range(20):
        await fail(world, message=f"error {number:02d}")

    page = (await (await world.browser("member")).get(PANEL)).text

    assert "Showing 1 \N{EN DASH} <span data-last>20</span> of 20" in page
    assert "More rows" not in page


@pytest.mark.parametrize("page", ["0", "x", "-1", "99999999999999"])
async def test_invalid_page_number_of_errors_is_explained(world, page):
    result = await (await world.browser("member")).get(f"{PANEL}?page={page}")

    assert (result.status_code, "must be a whole number" in result.text) == (400, True)
