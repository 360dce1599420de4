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
    ("query", "pageviews"),
    [("", 4), ("&compare_with=year", 0), ("&compare_start_date=2026-03-13&compare_end_date=2026-03-14", 7)],
)
async def test_overview_is_compared_with_the_named_period(world, query, pageviews):
    await fill(world)

    body = (await world.request("GET", f"{SITE}/overview?{DAYS}{query}", key="member")).json

    assert (body["data"]["pageviews"], body["previous"]["pageviews"]) == (3, pageviews)


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("overview?compare_with=week", ["compare_with"]),
        ("breakdown?by=pathname&compare_start_date=2026-01-01", ["compare_end_date"]),
        ("movers?by=color", ["by"]),
        ("movers?by=outbound&limit=201", ["limit"]),
        ("movers?by=outbound&page=2", ["page"]),
        ("timeseries?compare_with=year", ["compare_with"]),
    ],
)
async def test_invalid_comparison_is_refused_by_name(world, query, fields):
    answered = await world.request("GET", f"{SITE}/{query}", key="member")

    assert (answered.status_code, list(answered.json["details"]["fieldErrors"])) == (400, fields)
