"""Files of panels."""

import json
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import funnel_plan
from footfall.domain.goals.goal import event_rule, path_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType

ERROR = {"type": HitType.ERROR, "event_name": "TypeError", "properties": {"message": "boom", "stack": "at x"}}
PANELS = [
    *("metrics", "chart", "goals", "sessions?goal=1", "vitals", "errors"),
    *("pages", "sources", "places", "systems", "events"),
    *(
        "funnels",
        "properties",
        "property?event=order&key=amount",
        "property-timeseries?event=order&key=amount",
        "error-groups?status=open&sort=sessionCount",
    ),
    *("error-costs?goal=1", "annotations"),
]


def path(panel, kind):
    name, _, query = panel.partition("?")
    return f"/panels/{name}/{kind}?{query}"


@pytest.mark.parametrize("panel", PANELS)
async def test_every_panel_is_a_file_of_both_kinds_with_the_same_rows(world, panel):
    await world.hit(pathname="/pricing")
    await world.hit(type=HitType.PERFORMANCE, lcp=1200.0)
    await world.hit(**ERROR)
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": 20})
    await world.commands.goals.define(1, name="G", rule=path_rule("/*"), context=CommandContext())
    plan = funnel_plan("F", [path_rule("/pricing"), event_rule("order")])
    await world.commands.funnels.define(1, plan, CommandContext())
    await world.commands.annotations.add(1, CommandContext(), at=None, text="Sale", release=None)
    browser = await world.browser("member")

    lines, objects = [await browser.get("/sites/1" + path(panel, kind)) for kind in ("csv", "json")]

    assert (lines.status_code, objects.status_code) == (200, 200)
    data = objects.json["data"]
    assert len(lines.text.splitlines()) == len(data) + 1
    if data:
        assert lines.text.splitlines()[0] == ",".join(data[0])
    assert data


async def test_file_has_the_rows_of_the_view_and_a_name_that_says_so(world):
    await world.hit(pathname="/a", country="DE")
    await world.hit(pathname="/b", country="FR", visitor_id=2)
    browser = await world.browser("member")

    saved = await browser.get(
        "/sites/1/panels/pages/csv?period=7d&pages=entry_page&filter=country%2Cequals%2CDE"
    )

    assert saved.text == "value,count,percentage\r\n/a,1,100.0\r\n"
    assert saved.headers["Content-Disposition"] == (
        'attachment; filename="example.com-entry_page-2026-03-08-2026-03-14.csv"'
    )
    assert saved.headers["X-Content-Type-Options"] == "nosniff"


async def test_page_links_to_its_files(world):
    await world.hit()
    browser = await world.browser("member")

    page = (await browser.get("/sites/1?period=7d&plain=on")).text

    for name in ("metrics", "chart", "pages"):
        for kind in ("csv", "json"):
            assert f'href="/sites/1/panels/{name}/{kind}?period=7d&amp;plain=on" download' in page


@pytest.mark.parametrize("panel", ["errors", "sessions?goal=1", "error-groups", "error-costs?goal=1"])
async def test_files_of_details_are_for_members_unless_they_are_shared(world, panel):
    await world.hit(**ERROR)
    await world.hit()
    await world.commands.goals.define(1, name="G", rule=path_rule("/*"), context=CommandContext())
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    hidden = await world.stranger().get("/sites/1" + path(panel, "json"))
    await world.commands.sites.configure(1, ConfigChanges(share_details=True), CommandContext())
    shared = await world.stranger().get("/sites/1" + path(panel, "json"))

    assert (hidden.status_code, shared.status_code) == (404, 200)
    assert all(not row.get("stack") and not row.get("user_id") for row in json.loads(shared.text)["data"])


@pytest.mark.parametrize(
    "path",
    [
        "pages/xml",
        "nothing/csv",
        "sessions/csv?goal=9",
        "funnels/csv",
        "property/csv",
        "error-costs/csv",
        "error-costs/csv?goal=9",
    ],
)
async def test_unknown_file_is_not_found(world, path):
    assert (await (await world.browser("member")).get(f"/sites/1/panels/{path}")).status_code == 404


async def test_annotations_are_a_file_for_members_only(world):
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())

    assert (await world.stranger().get("/sites/1/panels/annotations/csv")).status_code == 404


async def test_file_of_a_funnel_has_the_time_between_steps_and_the_compared_period(world):
    plan = funnel_plan("F", [path_rule("/pricing"), event_rule("order")])
    await world.commands.funnels.define(1, plan, CommandContext())
    at = world.clock.now() - timedelta(minutes=5)
    await world.hit(pathname="/pricing", occurred_at=at)
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", occurred_at=at + timedelta(seconds=90))
    await world.hit(pathname="/pricing", visitor_id=2)
    browser = await world.browser("member")

    saved = await browser.get("/sites/1/panels/funnels/csv?period=7d")

    assert saved.text.splitlines() == [
        "step,name,reached,rate,went_on,dropped_off,median_seconds,left,previous",
        "1,/pricing,2,1.0,1,1,90.0,1,0",
        "2,order,1,0.5,,,,,0",
    ]
