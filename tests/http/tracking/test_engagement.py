"""Messages of the type engagement: what they must look like, what is stored of them, and what they are not."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.engagement import Measure
from footfall.domain.tracking.hit import HitType
from tests.application import on_both_stores

MEASURE = {"type": "engagement", "pageview_id": "p1", "engaged_time": 12_500, "scroll_depth": 80}
NAME_RULE = "must be 1 to 128 printable ASCII characters, and neither begin nor end with a space"


async def test_a_measure_is_stored_apart_from_hits_under_the_key_of_its_pageview(world):
    await world.track(pathname="/a", event_id="p1")

    response = await world.track(**MEASURE)

    assert (response.status_code, response.json) == (200, {"success": True})
    [hit] = await world.hits()
    [measure] = [one.measure for one in world.log.measures]
    assert measure == Measure(
        site_id=1, pageview_key=hit.pageview_key, received_at=NOON, engaged_ms=12_500, scroll_percent=80
    )
    assert isinstance(hit.pageview_key, int)


async def test_only_pageviews_with_a_name_have_a_key(world):
    await world.track(event_id="p1")
    await world.track(headers={"Idempotency-Key": "p2"})
    await world.track(headers={"Idempotency-Key": "p3"}, event_id="p1-of-the-body", pathname="/b")
    await world.track()
    await world.track(type="custom_event", event_name="x", event_id="p4")
    await world.batch([{"site_id": "1", "event_id": "p5"}, {"site_id": "1"}])

    keys = [hit.pageview_key for hit in await world.hits()]

    assert [key is not None for key in keys] == [True, True, True, False, False, True, False]
    assert len(set(keys)) == 5


async def test_one_name_stands_for_other_pageviews_on_another_site(world):
    await world.track(event_id="p1", key="member")
    await world.track(event_id="p1", key="member", site_id="2")

    first, *others = [hit.pageview_key for hit in await world.hits()]

    assert first not in others


async def test_web_vitals_may_bring_a_measure_and_remain_an_event(world):
    await world.track(**{**MEASURE, "type": "performance", "lcp": 1200})

    [hit] = await world.hits()
    [measure] = world.log.measures
    assert (hit.type, hit.lcp, hit.pageview_key) == (HitType.PERFORMANCE, 1200, None)
    assert (measure.measure.engaged_ms, measure.measure.scroll_percent) == (12_500, 80)


async def test_web_vitals_that_name_their_pageview_and_report_nothing_of_it_bring_no_measure(world):
    await world.track(type="performance", lcp=1200, pageview_id="p1")

    assert len(await world.hits()) == 1
    assert world.log.measures == []


@pytest.mark.parametrize("sent", [{"engaged_time": 0}, {"scroll_depth": 0.0}, {"engaged_time": 86_400_000}])
async def test_one_value_suffices(world, sent):
    response = await world.track(type="engagement", pageview_id="p1", **sent)

    assert response.status_code == 200
    [stored] = world.log.measures
    known = (stored.measure.engaged_ms, stored.measure.scroll_percent)
    assert [value for value in known if value is not None] == [next(iter(sent.values()))]


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"engaged_time": -1}, "engaged_time", "must be a whole number from 0 to 86,400,000"),
        ({"engaged_time": 86_400_001}, "engaged_time", "must be a whole number from 0 to 86,400,000"),
        ({"engaged_time": 1.5}, "engaged_time", "must be a whole number from 0 to 86,400,000"),
        ({"engaged_time": "1"}, "engaged_time", "must be a whole number from 0 to 86,400,000"),
        ({"engaged_time": True}, "engaged_time", "must be a whole number from 0 to 86,400,000"),
        ({"engaged_time": [1]}, "engaged_time", "must be a whole number from 0 to 86,400,000"),
        ({"scroll_depth": 101}, "scroll_depth", "must be a whole number from 0 to 100"),
        ({"scroll_depth": 10**18}, "scroll_depth", "must be a whole number from 0 to 100"),
        ({"pageview_id": ""}, "pageview_id", NAME_RULE),
        ({"pageview_id": "x" * 129}, "pageview_id", NAME_RULE),
        ({"pageview_id": " x"}, "pageview_id", NAME_RULE),
        ({"pageview_id": 7}, "pageview_id", NAME_RULE),
    ],
)
@pytest.mark.parametrize("kind", ["engagement", "performance"])
async def test_a_fault_is_named_by_its_field(world, kind, fields, field, message):
    response = await world.track(**{**MEASURE, "type": kind, "lcp": 1, **fields})

    assert response.status_code == 400
    assert response.json["details"]["fieldErrors"] == {field: [message]}
    assert world.log.measures == []


@pytest.mark.parametrize(
    ("fields", "messages"),
    [
        ({"pageview_id": "p"}, ["Engagement requires at least one of engaged_time, scroll_depth"]),
        ({"engaged_time": 1}, ["Engagement requires pageview_id, the event_id of the pageview"]),
        ({}, ["Engagement requires at least one of engaged_time, scroll_depth"]),
    ],
)
async def test_what_is_missing_is_named(world, fields, messages):
    response = await world.track(type="engagement", **fields)

    assert response.status_code == 400
    assert response.json["details"] == {"fieldErrors": {}, "formErrors": messages}


async def test_a_measure_beside_web_vitals_needs_the_name_of_its_pageview(world):
    response = await world.track(type="performance", lcp=1, scroll_depth=3)

    assert response.json["details"]["formErrors"] == [
        "Engagement requires pageview_id, the event_id of the pageview"
    ]


async def test_the_fields_say_nothing_on_events_of_other_types(world):
    response = await world.track(pageview_id="p1", engaged_time=5, event_id="p2")

    assert response.status_code == 200
    assert world.log.measures == []


async def test_a_measure_needs_no_name_and_is_never_a_repetition(world):
    answers = [await world.track(**MEASURE, event_id="m1"), await world.track(**MEASURE, event_id="m1")]
    other = await world.track(**{**MEASURE, "engaged_time": 1}, event_id="m1")
    wrong = await world.track(**MEASURE, headers={"Idempotency-Key": " "})

    assert [one.status_code for one in (*answers, other)] == [200, 200, 200]
    assert all("idempotent-replay" not in one.headers for one in answers)
    assert wrong.status_code == 400
    assert len(world.log.measures) == 3


async def test_a_measure_passes_the_checks_of_an_event(world):
    crawler = {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}

    statuses = [
        (await world.track(**MEASURE, headers=crawler)).status_code,
        (await world.track(**MEASURE, headers={"Origin": "https://example.org"})).status_code,
        (await world.track(**MEASURE, key="stranger")).status_code,
        (await world.track(**MEASURE, key="ff_unknown")).status_code,
        (await world.track(**{**MEASURE, "site_id": "999"})).status_code,
    ]

    assert statuses == [403, 403, 403, 401, 404]
    assert world.log.measures == []


@pytest.mark.parametrize(
    ("excluded", "named"),
    [
        ({"excluded_ips": ("198.51.100.7",)}, "IP excluded"),
        ({"excluded_countries": ("DE",)}, "country excluded"),
        ({"excluded_paths": ("/private/*",)}, "path excluded"),
        ({"excluded_hosts": ("example.com",)}, "host excluded"),
    ],
)
async def test_a_measure_of_what_a_site_excludes_is_not_stored(world, excluded, named):
    await world.commands.sites.configure(1, ConfigChanges(**excluded), CommandContext())
    await world.directory.catch_up()

    response = await world.track(**MEASURE, pathname="private/a", key="member", ip_address="198.51.100.7")

    assert response.json == {"success": True, "message": f"Event not tracked - {named}"}
    assert world.log.measures == []


async def test_a_measure_costs_a_request_of_the_rate_limit(world):
    first = await world.track(**MEASURE, key="member")
    second = await world.batch([{"site_id": "1", **MEASURE}, {"site_id": "1", **MEASURE}])

    remaining = [int(one.headers["ratelimit-remaining"]) for one in (first, second)]
    assert remaining[0] - remaining[1] == 1
    assert second.json["results"] == [{"success": True}] * 2
    assert len(world.log.measures) == 3


async def test_a_measure_is_no_pageview_of_the_month_and_is_refused_while_the_month_is_full(world):
    await world.commands.sites.limit_pageviews(1, 1, CommandContext())
    await world.directory.catch_up()

    answers = [
        await world.track(**fields)
        for fields in (MEASURE, MEASURE, {"pathname": "/"}, MEASURE, {"pathname": "/"})
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 403, 403]


async def test_a_measure_is_in_no_count_of_received_events(world):
    await world.track(**MEASURE)
    await world.track(**MEASURE, headers={"Origin": "https://example.org"})
    await world.track(**{**MEASURE, "engaged_time": -1})

    assert await world.log.read_counts(1, start=NOON - timedelta(days=1), end=NOON + timedelta(days=1)) == {}


async def test_the_script_is_told_that_measures_are_taken(world):
    response = await world.request("GET", "/api/track/1")

    assert response.json["engagement"] is True


@pytest.mark.cells
@on_both_stores
async def test_what_a_page_reports_reaches_the_reports(world):
    await world.track(pathname="/a", event_id="p1")
    # Reordered, repeated and lost ones change nothing; this one came before its pageview.
    await world.track(**{**MEASURE, "pageview_id": "p2", "scroll_depth": 30})
    await world.track(pathname="/a", event_id="p2")
    for milliseconds in (3_000, 9_500, 3_000):
        await world.track(type="engagement", pageview_id="p1", engaged_time=milliseconds)
    await world.track(pathname="/a")
    await world.track(type="engagement", pageview_id="p3", engaged_time=9_999, scroll_depth=99)

    pages = await world.request("GET", "/api/sites/1/pages", key="member")
    overview = await world.request("GET", "/api/sites/1/overview", key="member")

    [page] = pages.json["data"]
    assert (page["pageviews"], page["engaged_pageviews"], page["scrolled_pageviews"]) == (3, 2, 1)
    assert (page["engaged_time"], page["scroll_depth"]) == (11.0, 30.0)
    figures = overview.json["data"]
    assert (figures["sessions"], figures["engaged_sessions"], figures["engaged_time"]) == (1, 1, 22.0)
    assert figures["average_session_duration"] == 0
    assert (overview.json["previous"]["engaged_sessions"], overview.json["previous"]["engaged_time"]) == (
        0,
        None,
    )


@on_both_stores
async def test_a_batch_may_bring_pageviews_and_what_was_reported_of_them(world):
    events = [
        {"site_id": "1", "pathname": "/a", "event_id": "p1"},
        {"site_id": "1", **MEASURE},
        {"site_id": "1", **MEASURE, "type": "performance", "lcp": 900, "engaged_time": 13_000},
    ]

    response = await world.batch(events)

    assert response.json["results"] == [{"success": True}] * 3
    [page] = (await world.request("GET", "/api/sites/1/pages", key="member")).json["data"]
    assert (page["engaged_time"], page["scroll_depth"]) == (13.0, 80.0)


async def test_the_digest_of_an_event_is_the_same_with_a_measure_and_without(world):
    vitals = {"type": "performance", "lcp": 900, "event_id": "v1"}
    await world.track(**vitals)

    again = await world.track(**{**MEASURE, **vitals})

    assert again.headers["idempotent-replay"] == "true"
    assert evolve((await world.hits())[0], pageview_key=None).type is HitType.PERFORMANCE
