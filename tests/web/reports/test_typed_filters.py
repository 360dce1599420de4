"""Filters that are typed on the dashboard: what they mean, what is offered, and to whom."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from footfall.adapters.web.reports.filters.typed_filters import SEARCHED
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.links import new_link


def typed(value, by="country", condition="equals", page="/sites/1", **more):
    fields = {"add_parameter": by, "add_type": condition, "add_value": value}
    return f"{page}?{urlencode({**more, **fields})}"


def said(page):
    found = re.search(r'<div class="notice typed"[^>]*>(.*?)</div>', page, re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", found[1]))).strip() if found else ""


def offered(page):
    return [unescape(found) for found in re.findall(r'<a class="chip added" href="([^"]+)"', page)]


async def visits(world, **lists):
    for number, values in enumerate(zip(*lists.values(), strict=True)):
        await world.hit(visitor_id=number, **dict(zip(lists, values, strict=True)))


@pytest.mark.parametrize(
    ("by", "text", "value"),
    [
        ("country", "germany", "DE"),
        ("country", "de", "DE"),
        ("browser", "firefox", "Firefox"),
        ("device_type", "phone", "mobile"),
        ("operating_system", "macos", "Mac OS X"),
        ("pathname", "pricing", "/pricing"),
    ],
)
async def test_single_meaning_is_taken(world, by, text, value):
    await visits(
        world,
        country=["DE", "FR"],
        browser=["Firefox", "Chrome"],
        device_type=["mobile", "desktop"],
        operating_system=["Mac OS X", "Windows"],
        pathname=["/pricing", "/"],
    )
    browser = await world.browser("member")

    sent = await browser.get(typed(text, by, period="7d"))

    assert sent.status_code == 303
    assert sent.headers["Location"] == "/sites/1?" + urlencode(
        {"period": "7d", "filter": f"{by},equals,{value}"}
    )


async def test_negative_filter_is_understood_too(world):
    await visits(world, country=["DE", "FR"])
    browser = await world.browser("member")

    sent = await browser.get(typed("germany", condition="not_equals"))

    assert "country%2Cnot_equals%2CDE" in sent.headers["Location"]


async def test_parts_of_values_are_taken_as_they_are_typed(world):
    await visits(world, country=["DE"])
    browser = await world.browser("member")

    sent = await browser.get(typed("germany", condition="contains"))

    assert "country%2Ccontains%2Cgermany" in sent.headers["Location"]


async def test_several_meanings_are_offered_with_the_rest_of_the_view(world):
    await visits(world, pathname=["/pricing/team", "/pricing/large", "/about"])
    browser = await world.browser("member")

    shown = await browser.get(typed("pricing", "pathname", period="7d"))

    assert shown.status_code == 200
    assert said(shown.text).startswith("“pricing” can mean several values of Page. Choose one:")
    assert offered(shown.text) == [
        "/sites/1?" + urlencode({"period": "7d", "filter": f"pathname,equals,{path}"})
        for path in ("/pricing/large", "/pricing/team")
    ]
    assert 'value="pricing"' in shown.text


async def test_value_that_no_session_has_says_so_with_the_nearest_ones(world):
    await visits(world, country=["DE", "FR"])
    browser = await world.browser("member")

    shown = await browser.get(typed("germny"))

    assert said(shown.text).startswith(
        "No session in this period has “germny” as Country. Similar values: Germany"
    )
    assert offered(shown.text) == ["/sites/1?filter=country%2Cequals%2CDE"]
    assert "/sites/1?filter=country%2Cequals%2Cgermny" in unescape(shown.text)


async def test_value_that_resembles_none_comes_with_the_most_frequent_ones(world):
    await visits(world, country=["DE", "FR", "FR"])
    browser = await world.browser("member")

    shown = await browser.get(typed("zzz"))

    assert "The most frequent values:" in said(shown.text)
    assert [address[-2:] for address in offered(shown.text)] == ["FR", "DE"]


async def test_typed_text_is_no_markup(world):
    await visits(world, country=["DE"])
    browser = await world.browser("member")

    shown = await browser.get(typed("<script>alert(1)</script>"))

    assert "<script>alert(1)" not in shown.text
    assert "&lt;script&gt;alert(1)" in shown.text


async def test_meaning_is_looked_for_among_the_other_filters(world):
    await visits(world, country=["DE", "FR"], pathname=["/pricing/team", "/pricing/large"])
    browser = await world.browser("member")

    sent = await browser.get(typed("pricing", "pathname", filter="country,equals,FR"))

    assert sent.headers["Location"].endswith(
        urlencode([("filter", "country,equals,FR"), ("filter", "pathname,equals,/pricing/large")])
    )


async def test_second_value_of_an_attribute_of_sessions_replaces_the_first(world):
    await visits(world, country=["DE", "FR"])
    browser = await world.browser("member")

    sent = await browser.get(typed("france", filter="country,equals,DE"))

    assert sent.headers["Location"] == "/sites/1?filter=country%2Cequals%2CFR"


async def test_rare_value_is_found_among_many_that_contain_it(world):
    frequent = [f"/price/{number}" for number in range(SEARCHED.size)]
    await visits(world, pathname=[*frequent, *frequent, "/price"])
    browser = await world.browser("member")

    sent = await browser.get(typed("price", "pathname"))

    assert sent.headers["Location"].endswith("pathname%2Cequals%2C%2Fprice")


async def test_live_page_understands_the_same(world):
    await visits(world, country=["DE", "FR"])
    browser = await world.browser("member")

    sent = await browser.get(typed("germany", page="/sites/1/live"))
    shown = await browser.get(typed("zzz", page="/sites/1/live"))

    assert sent.headers["Location"] == "/sites/1/live?filter=country%2Cequals%2CDE"
    assert "No session in this period" in said(shown.text)


async def test_script_is_told_the_address_that_is_meant(world):
    await visits(world, country=["DE", "FR"])
    browser = await world.browser("member")

    meant = await browser.get(typed("germany", page="/sites/1/values/meant", period="7d"))
    none = await browser.get(typed("zzz", page="/sites/1/values/meant"))
    unasked = await browser.get("/sites/1/values/meant")

    assert meant.json == {"address": "/sites/1?period=7d&filter=country%2Cequals%2CDE"}
    assert none.json == unasked.json == {"address": None}


async def test_readers_by_link_are_proposed_what_they_may_see_only(world):
    await visits(world, country=["DE", "FR"], user_id=["ada", "bob"])
    key = await new_link(world.commands, 1)
    reader, page = world.stranger(), f"/share/1/{key}"

    sent = await reader.get(typed("germany", page=page))
    refused = [await reader.get(typed(text, "user_id", page=page)) for text in ("ada", "absent")]
    told = await reader.get(typed("ada", "user_id", page=f"{page}/values/meant"))

    assert sent.headers["Location"] == f"{page}?filter=country%2Cequals%2CDE"
    assert {answer.status_code for answer in (*refused, told)} == {400}
    assert "ada" not in re.sub(r'value="[^"]*"', "", refused[0].text)


async def test_site_by_its_other_name_leads_to_the_same_page(world):
    await visits(world, country=["DE"])
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    site = (await world.site()).site

    sent = await world.stranger().get(typed("germany", page=f"/sites/{site.public_id}/live"))

    assert sent.headers["Location"] == "/sites/1/live?filter=country%2Cequals%2CDE"


async def custom_event(world, name, **properties):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name=name, properties=properties, pathname="/shop")


async def test_properties_and_their_values_are_proposed(world):
    for plan in ("large", "large", "small"):
        await custom_event(world, "order", plan=plan, total=12)
    await custom_event(world, "signup", source="x")
    browser, page = await world.browser("member"), "/sites/1/values/properties"

    keys = (await browser.get(f"{page}?event=order")).json
    found = (await browser.get(f"{page}?event=order&search=TOT")).json
    values = (await browser.get(f"{page}?event=order&key=plan")).json
    small = (await browser.get(f"{page}?event=order&key=plan&search=sm")).json
    refused = await browser.get(f"{page}?event=")

    assert sorted(keys["values"]) == ["plan", "total"]
    assert (found["values"], values["values"], small["values"]) == (["total"], ["large", "small"], ["small"])
    assert refused.status_code == 400


async def test_forms_name_what_their_fields_propose(world):
    await world.hit()
    browser = await world.browser("member")

    goals, funnels, alerts = [
        (await browser.get(f"/sites/1/{name}")).text
        for name in ("goals", "funnels", "alerts?topic=threshold")
    ]

    assert re.findall(r"data-propose=([\w-]+)", goals) == [
        "pathname",
        "page-property-value",
        "event_name",
        "property",
        "property-value",
        "property",
    ]
    assert len(re.findall(r"data-propose-by=step\d", funnels)) == 8
    assert 'data-propose-by="add_parameter"' in alerts
    for page in (goals, funnels, alerts):
        assert 'data-values="/sites/1/values"' in page


async def test_typed_filter_of_an_alert_is_understood(world):
    await visits(world, country=["DE", "FR"], pathname=["/pricing/team", "/pricing/large"])
    browser, page = await world.browser("member"), "/sites/1/alerts"
    form = {"action": "filter", "add_type": "equals"}

    germany = await browser.post(page, page=page, add_parameter="country", add_value="germany", **form)
    several = await browser.post(page, page=page, add_parameter="pathname", add_value="pricing", **form)
    unseen = await browser.post(page, page=page, add_parameter="country", add_value="JP", **form)
    rule = {"metric": "visitors", "window": "day", "condition": "above", "value": "1", "add_type": "equals"}
    asked = urlencode({**rule, "add_parameter": "pathname", "add_value": "pricing"})
    preview = (await browser.get(f"/sites/1/alert-preview?{asked}")).text

    assert 'Country is <strong data-country="DE">' in germany.text
    assert several.status_code == 400
    assert "can mean /pricing/large, /pricing/team: type one of them" in several.text
    assert "can mean /pricing/large, /pricing/team: type one of them" in preview
    assert 'Country is <strong data-country="JP">' in unseen.text


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("goalType=event&eventName=Order", "No event “Order” in that time; similar: order."),
        ("goalType=path&pathPattern=/pricng", "No page “/pricng” in that time; similar: /pricing."),
        ("goalType=event&eventName=zzzz", "No event “zzzz” in that time."),
        ("goalType=event&eventName=order&eventPropertyKey=plan&eventPropertyValue=none", ""),
        ("goalType=path&pathPattern=/none/*", ""),
        ("goalType=path&pathPattern=/pricing", ""),
    ],
)
async def test_preview_of_a_goal_names_what_may_be_meant(world, rule, words):
    await world.hit(pathname="/pricing")
    await custom_event(world, "order", plan="large")
    browser = await world.browser("member")

    shown = unescape(re.sub(r"<[^>]+>", "", (await browser.get(f"/sites/1/goal-preview?{rule}")).text))

    assert (words in shown) if words else ("in that time" not in shown)


async def test_excluded_countries_are_named(world):
    browser, settings = await world.browser("owner"), "/sites/1/settings"

    form = {"setting": "excluded_countries", "excludedCountries": "Germany, uk, fr"}
    await browser.post(f"{settings}/lists", page=settings, **form)
    shown = (await browser.get(settings)).text

    assert (await world.site()).site.config.excluded_countries == ("DE", "GB", "FR")
    assert '<span data-country="DE">Germany</span>' in shown
    assert '<option value="Japan">JP</option>' in shown


async def test_typed_step_without_a_kind_is_not_left_out(world):
    browser, page = await world.browser("member"), "/sites/1/funnels"

    form = {
        "name": "Buy",
        "step1": "path",
        "value1": "/a",
        "step2": "path",
        "value2": "/b",
        "step3": "",
        "value3": "/c",
    }
    refused = await browser.post(page, page=page, **form)

    assert refused.status_code == 400
    assert "Choose a page, a custom event or a goal for this step" in refused.text


async def test_path_of_a_page_stays_one_in_the_address_of_the_meant_filter(world):
    await world.hit(country="DE")

    answer = await (await world.browser("member")).get(typed("germany", page="/sites/1/panels/a%0d%0ab%3Fc"))

    assert answer.headers["location"].startswith("/sites/1/panels/a%0D%0Ab%3Fc?")
