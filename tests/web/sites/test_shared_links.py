"""Pages by links: each opens its panels and nothing else, in the segment of the link."""

import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.adapters.web.reports.panels.contents import panel_titles
from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import PathRule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.tracking.hit import HitType
from tests.links import shared_link
from tests.routes import page_routes
from tests.web.conftest import PART

FRENCH = (Condition("country", "equals", ("FR",)),)
# The pages below that of a link, by the panels that open them; no link opens the others.
PAGES = {
    "": set(SharedPanel),
    "/changes": set(SharedPanel),
    "/values": set(SharedPanel),
    "/values/meant": set(SharedPanel),
    "/journeys": {SharedPanel.JOURNEYS},
    "/retention": {SharedPanel.RETENTION},
    "/password": set(SharedPanel),
}
CLOSED = {"/live", "/online", "/errors", "/errors/{group}", "/errors/costs", "/bots", "/revenue"}
FILES = {
    "metrics": SharedPanel.OVERVIEW,
    "chart": SharedPanel.OVERVIEW,
    "property": SharedPanel.PROPERTIES,
    "property-timeseries": SharedPanel.PROPERTIES,
}
OF_DASHBOARD = [name for name, _ in panel_titles()]
NAMED = "?event=sign+up&key=plan&properties=sign+up"


async def fill(world):
    """Store two visits of France and one of Germany, with all that panels show."""
    context = CommandContext()
    await world.commands.goals.define(1, name="Prices", rule=PathRule("/pricing"), context=context)
    steps = (PathRule("/"), PathRule("/pricing"))
    await world.commands.funnels.define(1, FunnelPlan("Sales", steps), context)
    for visitor, country in enumerate(("FR", "FR", "DE"), start=1):
        who = {"visitor_id": visitor, "country": country, "browser": "Firefox", "channel": "Direct"}
        await world.hit(**who, pathname="/")
        await world.hit(**who, pathname="/pricing")
        properties = {"plan": f"pro of {country}", "amount": visitor}
        await world.hit(
            **who, type=HitType.CUSTOM_EVENT, event_name="sign up", pathname="/", properties=properties
        )
        await world.hit(**who, type=HitType.PERFORMANCE, pathname="/", lcp=100.0 * visitor)
        broken = {"message": f"broken in {country}"}
        await world.hit(**who, type=HitType.ERROR, event_name="TypeError", pathname="/", properties=broken)


async def shared(world, *panels, **terms):
    key = await shared_link(world.commands, panels, **terms)
    return f"/share/{(await world.site()).site.public_id}/{key}"


async def segment(world, conditions=FRENCH):
    context = CommandContext()
    return await world.commands.segments.define(
        1, name="Customers of France", owner=None, conditions=conditions, context=context
    )


async def test_a_segment_by_a_goal_keeps_other_sessions_out_and_shows_no_conversions(world):
    context = CommandContext()
    await world.commands.goals.define(1, name="Secret goal", rule=PathRule("/pricing"), context=context)
    for visitor, country in enumerate(("FR", "FR", "DE"), start=1):
        who = {"visitor_id": visitor, "country": country}
        await world.hit(**who, pathname="/")
        if country == "FR":
            await world.hit(**who, pathname="/pricing")
    number = await segment(world, (Condition("goal", "equals", ("1",)),))
    link, stranger = await shared(world, "places", "pages", segment=number), world.stranger()

    places = await stranger.get(f"{link}/panels/places/csv?places=country")
    pages = await stranger.get(f"{link}/panels/pages/csv")
    panel = await stranger.get(f"{link}/panels/places?places=country", headers=PART)

    assert [row["value"] for row in csv.DictReader(io.StringIO(places.text))] == ["FR"]
    assert {row["pathname"]: row["pageviews"] for row in csv.DictReader(io.StringIO(pages.text))} == {
        "/": "2",
        "/pricing": "2",
    }
    assert "Reached goal" not in panel.text


async def test_what_is_typed_is_looked_for_in_the_segment_whatever_the_address_says(world):
    await fill(world)
    link, stranger = await shared(world, "places", segment=await segment(world)), world.stranger()
    typed = "add_parameter=country&add_type=equals&add_value=german"

    for own in ("", "filter=country,equals,FR&"):
        assert (await stranger.get(f"{link}/values/meant?{own}{typed}")).json == {"address": None}


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
@pytest.mark.parametrize("panel", SharedPanel)
async def test_a_link_opens_the_pages_of_its_panels_and_no_other_page(world, panel, public):
    await fill(world)
    await world.commands.sites.configure(
        1, ConfigChanges(public=public, share_details=True), CommandContext()
    )
    link, stranger = await shared(world, panel), world.stranger()
    paths = {path for path, _, _ in page_routes(world.app) if path.startswith("/share/")}
    ends = {path.removeprefix("/share/{site}/{key}") for path in paths}
    assert {end for end in ends if "{panel}" not in end} == set(PAGES) | CLOSED

    surprises = []
    for end in sorted(set(PAGES) | CLOSED):
        more = "?as_of=now" if end == "/changes" else ""
        result = await stranger.get(f"{link}{end.format(group='0' * 16)}{more}")
        if (result.status_code != 404) is not (panel in PAGES.get(end, ())):
            surprises.append((end, result.status_code))
    for name in [*OF_DASHBOARD, "sessions", "property"]:
        opener = SharedPanel.PROPERTIES if name == "property" else name
        result = await stranger.get(f"{link}/panels/{name}{NAMED}", headers=PART)
        if (result.status_code == 200) is not (opener == panel):
            surprises.append((name, result.status_code))
    for name in [*OF_DASHBOARD, *FILES, "sessions", "visits", "live", "error-groups", "error-costs", "bots"]:
        opens = FILES.get(name, name) in (SharedPanel.OVERVIEW, panel)
        result = await stranger.get(f"{link}/panels/{name}/csv{NAMED}")
        if (result.status_code == 200) is not opens:
            surprises.append((f"{name}.csv", result.status_code))

    assert surprises == []


@pytest.mark.parametrize("panels", [[panel] for panel in SharedPanel] + [list(SharedPanel)])
async def test_pages_of_a_link_lead_to_pages_that_it_opens(world, panels):
    await fill(world)
    link, stranger = await shared(world, *panels, segment=await segment(world)), world.stranger()
    # Lists of one row, too, whose rows filter.
    seen, left = set(), {link, *(f"{link}/panels/{panel}" for panel in panels if panel in OF_DASHBOARD)}

    for _ in range(3):
        found = set()
        for address in sorted(left):
            result = await stranger.get(address)
            assert result.status_code == 200, (address, result.status_code, result.text[-600:])
            if "text/html" in result.headers["content-type"]:
                found |= addresses_in(result.text)
        assert {one for one in found if not one.startswith((link, "/assets/"))} == set()
        seen |= left
        left = {one for one in found - seen if one.startswith(link)}
        left = set(sorted(left)[:150])

    assert len(seen) > 10


def addresses_in(text):
    found = re.findall(r'(?:href|data-panel|data-online)="(/[^"#]*)', text)
    return {unescape(one) for one in found}


async def test_pages_of_a_link_show_its_segment_and_not_its_name(world):
    await fill(world)
    link = await shared(world, *SharedPanel, segment=await segment(world))
    stranger = world.stranger()

    page = (await stranger.get(link)).text
    places = (await stranger.get(f"{link}/panels/places", headers=PART)).text
    everything = [page, places] + [
        (await stranger.get(f"{link}/panels/{name}{NAMED}")).text for name in OF_DASHBOARD
    ]

    assert "online now" not in page
    assert "France" in places
    for text in everything:
        for hidden in ("Customers of France", "Agency", "Germany", "broken in DE", "of DE"):
            assert hidden not in text


async def test_files_of_a_link_equal_those_of_a_member_with_the_segment(world):
    await fill(world)
    number = await segment(world)
    link = await shared(world, *SharedPanel, segment=number)
    stranger, member = world.stranger(), await world.browser("member")

    for name in [*OF_DASHBOARD, *FILES, "journeys", "retention"]:
        named = NAMED.replace("plan", "amount")
        for kind in ("csv", "json"):
            by_link = await stranger.get(f"{link}/panels/{name}/{kind}{named}")
            path = f"/sites/1/panels/{name}/{kind}{named}&segment={number}"
            by_member = await member.get(path)
            assert by_link.status_code == 200, name
            assert by_link.content == by_member.content, (name, kind)
            every = await member.get(path.partition("&segment")[0])
            assert every.content != by_link.content, (name, kind)


async def test_an_explanation_names_no_member_and_no_number_of_other_events(world):
    await fill(world)
    link = await shared(world, *SharedPanel, segment=await segment(world))
    stranger, member = world.stranger(), await world.browser("member")
    positions = re.search(r"as_of=([^&\"]+)", unescape((await member.get("/sites/1")).text))[1]
    world.clock.advance(timedelta(hours=1))
    before = world.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    world.clock.advance(timedelta(seconds=5))
    late = {"occurred_at": world.clock.now() - timedelta(hours=1), "received_at": world.clock.now()}
    for visitor in (7, 8, 9):
        await world.hit(visitor_id=visitor, country="DE", pathname="/", **late)
    await world.hit(visitor_id=4, country="FR", pathname="/", **late)

    shown = await stranger.get(f"{link}/changes?as_of={before}")
    rows = await stranger.get(f"{link}/changes?as_of={before}&report=places")

    assert (shown.status_code, rows.status_code) == (200, 200)
    assert re.search(r"<strong>Events [a-z ]+</strong>", shown.text)
    assert "4 events" not in shown.text
    assert "Germany" not in rows.text
    assert (await stranger.get(f"{link}/changes?as_of={before}&report=revenue")).status_code == 404
    refused = await stranger.get(f"{link}/changes?as_of={positions}")
    assert (refused.status_code, "means the beginning of its hour" in refused.text) == (400, True)
    assert "traffic." not in shown.text + rows.text
    later = await stranger.get(f"{link}/changes?as_of={before}&until={before}")
    assert (later.status_code, "No difference" in later.text) == (200, True)


@pytest.mark.parametrize(
    ("panel", "query"),
    [
        ("pages", "filter=country,equals,DE"),
        ("pages", "filter=goal,equals,1"),
        ("pages", "segment=1"),
        ("pages", "excluded=include"),
        ("pages", "bucket=minute"),
        ("retention", "goal=1"),
    ],
)
async def test_pages_refuse_what_a_link_does_not_show(world, panel, query):
    await fill(world)
    await segment(world)
    link = await shared(world, panel)
    path = "/retention" if panel == "retention" else ""

    assert (await world.stranger().get(f"{link}{path}?{query}")).status_code == 400


async def test_values_are_proposed_for_what_a_link_shows_alone(world):
    await fill(world)
    link, stranger = await shared(world, "places", segment=await segment(world)), world.stranger()

    countries = await stranger.get(f"{link}/values?by=country")
    others = [(await stranger.get(f"{link}/values?by={by}")).status_code for by in ("browser", "property")]
    form = (await stranger.get(link)).text

    assert countries.json["values"] == ["FR"]
    assert others == [400, 400]
    offered = re.findall(r'<option value="([a-z_]+)"', form.partition('name="add_type"')[0])
    assert "country" in offered
    assert {"browser", "goal", "page_group", "pathname"} & set(offered) == set()


async def test_a_revoked_and_an_ended_link_do_not_work_and_another_one_does(world):
    link, other = await shared(world, "pages"), await shared(world, "pages")
    ending = await shared(world, "pages", ends_at=world.clock.now() + timedelta(days=1))
    stranger = world.stranger()

    before = [(await stranger.get(one)).status_code for one in (link, other, ending)]
    await world.commands.links.revoke(1, 1, context=CommandContext())
    world.clock.advance(timedelta(days=1))
    after = [await stranger.get(one) for one in (link, other, ending)]

    assert before == [200, 200, 200]
    assert [one.status_code for one in after] == [404, 200, 404]
    assert after[0].text.partition("<main")[2] == after[2].text.partition("<main")[2]
    assert "/sign-in" not in after[0].text


async def test_a_link_is_framed_by_the_origins_of_the_site_if_it_may_be(world):
    await world.commands.sites.configure(
        1, ConfigChanges(embed_origins=("https://blog.example",)), CommandContext()
    )
    stranger = world.stranger()
    policies = [
        (await stranger.get(f"{await shared(world, 'pages', embed=embed)}?embed=on")).headers[
            "content-security-policy"
        ]
        for embed in (True, False)
    ]

    assert [policy.rpartition(" ")[2] for policy in policies] == ["https://blog.example", "'none'"]


async def test_exclusion_rules_leave_sessions_out_of_links_without_their_number(world):
    await fill(world)
    rule = (Condition("pathname", "equals", ("/pricing",)),)
    await world.commands.exclusions.define(1, name="Own office", conditions=rule, context=CommandContext())
    link = await shared(world, *SharedPanel)

    page = (await world.stranger().get(link)).text
    saved = await world.stranger().get(f"{link}/panels/metrics/csv")

    assert "Own office" not in page
    assert "left out" not in page
    assert next(csv.DictReader(io.StringIO(saved.text)))["sessions"] == "0"


async def test_a_signed_in_member_sees_by_a_link_what_everyone_sees(world):
    await fill(world)
    link = await shared(world, "pages")
    member = await world.browser("member")

    assert (await member.get(f"{link}/live")).status_code == 404
    assert "/settings" not in (await member.get(link)).text
