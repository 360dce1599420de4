"""Properties of events on the dashboard."""

from footfall.domain.tracking.hit import HitType
from tests.web.conftest import PART


async def test_a_property_shows_its_values_and_money(world):
    for amount in (20, 10.5):
        await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": amount})
    browser = await world.browser("member")
    page = "/sites/1/panels/property?event=order&key=amount"

    panel = (await browser.get("/sites/1/panels/properties", headers=PART)).text
    saved = await browser.post(
        "/sites/1/property-currency", page=page, event="order", property="amount", currency="eur"
    )
    shown = (await browser.get(page)).text

    assert "panels/property?event=order&amp;key=amount" in panel
    assert saved.status_code == 303
    assert '<strong class="number">30.50 EUR</strong>' in shown
    assert "average" in shown


async def test_a_faulty_currency_is_refused(world):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": 1})
    browser = await world.browser("member")

    answer = await browser.post(
        "/sites/1/property-currency",
        page="/sites/1/panels/property?event=order&key=amount",
        event="order",
        property="amount",
        currency="€",
    )

    assert answer.status_code == 400


async def test_a_site_without_events_says_so(world):
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/properties", headers=PART)).text

    assert "No custom events in this period" in panel


async def test_a_property_that_is_not_named_is_not_found(world):
    browser = await world.browser("member")

    assert (await browser.get("/sites/1/panels/property?event=order")).status_code == 404
