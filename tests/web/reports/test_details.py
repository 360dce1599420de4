"""Details of pages: dates, links, labels and last uses."""

import re
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.tracking.hit import HitType
from tests.links import new_link
from tests.web.conftest import PART


async def test_start_and_end_dates_in_the_wrong_order_are_exchanged(world):
    await world.hit()
    browser = await world.browser("member")

    right = (await browser.get("/sites/1?start_date=2026-03-01&end_date=2026-03-14")).text
    wrong = await browser.get("/sites/1?start_date=2026-03-14&end_date=2026-03-01")

    assert wrong.status_code == 200
    assert "1 Mar \u2013 14 Mar 2026" in right
    assert "1 Mar \u2013 14 Mar 2026" in wrong.text


@pytest.mark.parametrize("query", ["start_date=never&end_date=2026-03-01", "period=ever", "filter=x"])
async def test_error_page_of_invalid_parameters_links_to_the_page_without_them(world, query):
    answer = await (await world.browser("member")).get(f"/sites/1?{query}")

    assert answer.status_code == 400
    assert '<a href="/sites/1">Open it without filters</a>' in answer.text


async def test_first_week_label_of_a_year_starts_with_the_period(world):
    await world.hit()
    browser = await world.browser("member")

    page = (await browser.get("/sites/1?period=12m")).text

    first, last = re.search(r"(\d+ \w+ \d+) \u2013 (\d+ \w+ \d+)", page).groups()
    assert f'"labels": ["week of {first}"' in page
    assert last == "14 Mar 2026"


async def test_only_http_addresses_of_outbound_links_become_links(world):
    for url in ("https://example.org/a", "javascript:alert(1)"):
        await world.hit(type=HitType.OUTBOUND, properties={"url": url})
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/events?events=outbound", headers=PART)).text

    opens = 'href="https://example.org/a" target="_blank" rel="noopener noreferrer nofollow"'
    assert opens in panel
    assert 'href="javascript' not in panel
    assert "javascript:alert(1)" in panel


async def test_account_shows_the_last_use_of_each_key(world):
    await world.commands.api_keys.issue("1", name="Unused", context=CommandContext())
    browser = await world.browser("owner")
    world.clock.advance(timedelta(hours=2, minutes=5))
    await world.api_keys.find(world.keys["owner"], world.clock.now())

    page = (await browser.get("/account")).text

    assert page.split("<td><bdi>Unused</bdi></td>")[1].split("</tr>")[0].count(">Never<") == 2
    assert '<td class="number" title="Rounded to the hour">14 Mar 2026, 14:00 UTC</td>' in page
    assert digest_of(world.keys["owner"]) not in page


async def test_goal_preview_counts_and_shows_the_path_as_saved(world):
    await world.hit(pathname="/checkout")
    browser = await world.browser("member")

    typed, full = [
        (await browser.get(f"/sites/1/goal-preview?goalType=path&pathPattern={path}")).text
        for path in ("checkout", "/checkout")
    ]
    await browser.post("/sites/1/goals", page="/sites/1/goals", goalType="path", pathPattern="checkout")

    assert "Saved as <code>/checkout</code>." in typed
    assert "<strong>1</strong> of 1" in typed
    assert typed.removeprefix("Saved as <code>/checkout</code>. ").strip() == full.strip()
    await world.directory.catch_up()
    assert world.directory.goals_of(1)[0].goal.rule.path_pattern == "/checkout"


@pytest.mark.parametrize("who", ["member", None])
async def test_plain_page_contains_all_panels(world, who):
    await world.hit(pathname="/a-page")
    key = await new_link(world.commands)
    site = (await world.site()).site
    browser = await world.browser(who) if who else world.stranger()
    address = "/sites/1" if who else f"/share/{site.public_id}/{key}"

    page = (await browser.get(address)).text
    plain = (await browser.get(f"{address}?plain=on")).text

    assert f'<noscript><meta http-equiv="refresh" content="0; url={address}?plain=on"></noscript>' in page
    assert 'class="waiting"' in page
    assert 'class="waiting"' not in plain
    assert "http-equiv" not in plain
    assert "/a-page" in plain
    assert "plain=on" in plain.split('data-panel="')[1].split('"')[0]
    assert ('id="errors"' in plain) is (who is not None)


async def test_web_vitals_of_many_pages_are_read_on_by_pages(world):
    for number in range(101):
        await world.hit(type=HitType.PERFORMANCE, pathname=f"/page/{number:03}", lcp=1200.0)
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/vitals", headers=PART)).text
    first = (await browser.get("/sites/1/panels/vitals")).text
    second = (await browser.get("/sites/1/panels/vitals?page=2")).text
    refused = await browser.get("/sites/1/panels/vitals?page=0")

    assert "View all pages" in panel
    assert 'page=2" data-more="vitals-rows"' in first
    assert ("All pages" in first, "/page/099" in first, "/page/100" in first) == (True, True, False)
    assert ("All pages" in second, "/page/100" in second, "data-more" in second) == (False, True, False)
    assert refused.status_code == 400
