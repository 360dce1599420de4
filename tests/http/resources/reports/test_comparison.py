"""Reports compared with another period, over HTTP."""

from datetime import timedelta

import pytest

SITE = "/api/sites/1"
DAYS = "start_date=2026-03-14&end_date=2026-03-14"


async def fill(world):
    """Store pageviews of yesterday and of today, which is 14 March 2026."""
    world.clock.advance(-timedelta(days=1))
    for path in ("/", "/", "/", "/old"):
        await world.track(pathname=path)
    world.clock.advance(timedelta(days=1))
    for path in ("/", "/new", "/new"):
        await world.track(pathname=path)
    # What is compared ends before the moment of the answer.
    world.clock.advance(timedelta(seconds=1))


async def test_each_row_has_count_rank_and_change_of_the_compared_period(world):
    await fill(world)

    body = (
        await world.request("GET", f"{SITE}/breakdown?by=pathname&compare_with=previous&{DAYS}", key="member")
    ).json

    assert [(row["value"], row["count"], row["previous"], row["change"]) for row in body["data"]] == [
        ("/new", 2, {"count": 0, "rank": None}, None),
        ("/", 1, {"count": 3, "rank": 1}, -2 / 3),
    ]
    assert (body["meta"]["count"], body["meta"]["previousCount"]) == (3, 4)


async def test_rows_with_a_goal_are_compared_by_its_conversions_too(world):
    await fill(world)
    body = {"goalType": "path", "config": {"pathPattern": "/"}}
    goal = (await world.request("POST", f"{SITE}/goals", key="member", json=body)).json["goalId"]
    asked = f"{SITE}/breakdown?by=pathname&goal={goal}&compare_with=previous&{DAYS}"

    rows = (await world.request("GET", asked, key="member")).json["data"]
    file = await world.request("GET", asked, key="member", headers={"Accept": "text/csv"})

    assert [(row["value"], row["previous"], row["conversion_change"]) for row in rows] == [
        (
            "/new",
            {"count": 0, "rank": None, "total_conversions": 0, "total_sessions": 0, "conversion_rate": 0.0},
            None,
        ),
        (
            "/",
            {"count": 3, "rank": 1, "total_conversions": 1, "total_sessions": 1, "conversion_rate": 1.0},
            0.0,
        ),
    ]
    assert file.text.splitlines()[0].endswith(
        "previous,previous_rank,previous_total_conversions,previous_total_sessions,previous_conversion_rate"
    )


async def test_rows_are_compared_only_when_it_is_asked_for(world):
    await fill(world)

    body = (await world.request("GET", f"{SITE}/breakdown?by=pathname&{DAYS}", key="member")).json

    assert "previous" not in body["data"][0]
    assert "previousCount" not in body["meta"]


async def test_movers_explain_the_change_of_the_total(world):
    await fill(world)

    body = (await world.request("GET", f"{SITE}/movers?by=pathname&{DAYS}", key="member")).json
    one = (await world.request("GET", f"{SITE}/movers?by=pathname&limit=1&{DAYS}", key="member")).json

    assert body["data"] == [
        {"value": "/", "count": 1, "previous": 3, "difference": -2, "change": -2 / 3},
        {"value": "/new", "count": 2, "previous": 0, "difference": 2, "change": None},
        {"value": "/old", "count": 0, "previous": 1, "difference": -1, "change": -1.0},
    ]
    assert body["meta"] == {"counted": "pageview", "count": 3, "previousCount": 4}
    assert one["data"] == body["data"][:1]


async def test_movers_and_compared_rows_are_files_too(world):
    await fill(world)
    csv = {"Accept": "text/csv"}

    movers = await world.request("GET", f"{SITE}/movers?by=pathname&{DAYS}", key="member", headers=csv)
    rows = await world.request(
        "GET", f"{SITE}/breakdown?by=pathname&compare_with=previous&{DAYS}", key="member", headers=csv
    )

    assert movers.text.splitlines()[:2] == [
        "value,count,previous,difference,change",
        "/,1,3,-2,-0.6666666666666666",
    ]
    assert rows.text.splitlines()[1:] == ["/new,2,66.67,0,", "/,1,33.33,3,1"]


@pytest.mark.parametrize(
    ("query", "pageviews", "start"),
    [
        ("", 4, "2026-03-13"),
        ("&compare_with=year", 0, "2025-03-14"),
        ("&compare_with=previous_weekday", 0, "2026-03-07"),
        ("&compare_with=year_weekday", 0, "2025-03-15"),
        ("&compare_start_date=2026-03-13&compare_end_date=2026-03-14", 7, "2026-03-13"),
    ],
)
async def test_overview_is_compared_with_the_named_period(world, query, pageviews, start):
    await fill(world)

    body = (await world.request("GET", f"{SITE}/overview?{DAYS}{query}", key="member")).json

    assert (body["data"]["pageviews"], body["previous"]["pageviews"]) == (3, pageviews)
    assert body["comparison"]["previous"]["start"].startswith(start)


# Of yesterday, at these hours, and of today, 14 March 2026, up to noon.
HOURS = (1, 9, 11, 13, 20)
TODAY = (2, 11)
COMPARISON = {
    "current": {"start": "2026-03-14T00:00:00.000Z", "end": "2026-03-14T12:00:00.000Z"},
    "previous": {"start": "2026-03-13T00:00:00.000Z", "end": "2026-03-13T12:00:00.000Z"},
}


async def go_on(world):
    """Store pageviews at some hours of yesterday, and of today up to now."""
    midnight = world.clock.now().replace(hour=0, minute=0)
    for hours in [*(hour - 24 for hour in HOURS), *TODAY]:
        at = midnight + timedelta(hours=hours)
        sent = {"key": "member", "user_id": f"of {hours}", "timestamp": at.isoformat()}
        await world.track(**sent, pathname="/a")
        await world.track(**sent, pathname="/b")


async def compared(world, **asked):
    """Return what each report says of yesterday, and the bounds that it names."""
    steps = [{"goalType": "path", "config": {"pathPattern": path}} for path in ("/a", "/b")]
    plan = {"name": "F", "steps": steps}
    asked = {"start_date": "2026-03-14", "end_date": "2026-03-14", **asked}
    rows = {**asked, "by": "pathname", "compare_with": "previous"}
    overview, breakdown, movers = [
        (await world.request("GET", f"{SITE}/{path}", key="member", params=params)).json
        for path, params in [("overview", asked), ("breakdown", rows), ("movers", rows)]
    ]
    funnel = await world.request(
        "POST",
        f"{SITE}/funnels/preview",
        key="member",
        json=plan,
        params={**asked, "compare": "previous"},
    )
    found = [
        overview["previous"]["sessions"],
        breakdown["data"][0]["previous"]["count"],
        {row["value"]: row["previous"] for row in movers["data"]}["/a"],
        funnel.json["previous"]["entered"],
    ]
    return found, [one["comparison"] for one in (overview, breakdown, movers, funnel.json)]


async def test_a_day_that_is_not_over_is_compared_with_yesterday_up_to_the_same_time(world):
    await go_on(world)

    found, bounds = await compared(world)

    assert found == [3] * 4
    assert bounds == [COMPARISON] * 4


async def test_a_day_that_is_over_is_compared_with_the_whole_day_before(world):
    await go_on(world)
    world.clock.advance(timedelta(hours=12))

    found, bounds = await compared(world)

    assert found == [5] * 4
    assert {one["previous"]["end"] for one in bounds} == {"2026-03-14T00:00:00.000Z"}
    assert {one["current"]["end"] for one in bounds} == {"2026-03-15T00:00:00.000Z"}


async def test_files_have_the_compared_part_and_its_bounds(world):
    await go_on(world)

    file = await world.request(
        "GET",
        f"{SITE}/overview?{DAYS}",
        key="member",
        headers={"Accept": "text/csv"},
    )

    _, current, previous = file.text.splitlines()
    assert current.startswith("current,2026-03-14T00:00:00.000Z,2026-03-15T00:00:00.000Z,2,")
    assert previous.startswith("previous,2026-03-13T00:00:00.000Z,2026-03-13T12:00:00.000Z,3,")


async def test_a_cited_comparison_ends_at_the_moment_of_its_answer(world):
    await go_on(world)
    asked = {"start_date": "2026-03-14", "end_date": "2026-03-14"}
    before = await world.request("GET", f"{SITE}/overview", key="member", params=asked)
    positions = before.headers["Footfall-Positions"]
    world.clock.advance(timedelta(hours=9))
    await world.track(pathname="/a")

    again = await world.request("GET", f"{SITE}/overview", key="member", params={**asked, "as_of": positions})
    now = await world.request("GET", f"{SITE}/overview", key="member", params=asked)

    assert again.text == before.text
    assert now.json["previous"]["sessions"] == 5


async def test_an_answer_that_was_compared_with_a_whole_day_is_given_again_so(world):
    await go_on(world)
    asked = {"start_date": "2026-03-14", "end_date": "2026-03-14"}
    answer = await world.request("GET", f"{SITE}/overview", key="member", params=asked)
    earlier = answer.headers["Footfall-Positions"].replace(", comparisons=2", "")

    again = await world.request("GET", f"{SITE}/overview", key="member", params={**asked, "as_of": earlier})

    assert again.json["data"] == answer.json["data"]
    assert again.json["previous"]["sessions"] == 5
    assert again.json["comparison"]["previous"]["end"] == "2026-03-14T00:00:00.000Z"
    assert again.headers["Footfall-Positions"] == earlier


async def test_the_first_moment_of_a_day_is_compared_with_none_of_yesterday(world):
    await go_on(world)
    world.clock.advance(timedelta(hours=12, seconds=1))

    asked = {"start_date": "2026-03-15", "end_date": "2026-03-15"}
    found = await world.request("GET", f"{SITE}/overview", key="member", params=asked)

    assert found.json["previous"]["sessions"] == 0
    assert found.json["comparison"]["previous"]["end"] == "2026-03-14T00:00:01.000Z"
