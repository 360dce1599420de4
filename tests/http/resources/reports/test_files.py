"""Reports as CSV, by the header `Accept`."""

import csv
from io import StringIO

import pytest

SITE = "/api/sites/1"
CSV = {"Accept": "text/csv"}


async def rows(world, path, key="member", **headers):
    answered = await world.request("GET", f"{SITE}/{path}", key=key, headers=CSV | headers)
    assert answered.status_code == 200, answered.text
    assert answered.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    return list(csv.reader(StringIO(answered.text, newline="")))


async def fill(world):
    error = '{"message": "boom", "stack": "at a.js"}'
    for fields in (
        {"pathname": "/"},
        {"type": "outbound", "properties": '{"url": "https://elsewhere.example/"}'},
        {"type": "performance", "pathname": "/", "lcp": 1200},
        {"type": "error", "event_name": "TypeError", "properties": error},
        {"type": "custom_event", "event_name": "order", "properties": '{"amount": 20}'},
    ):
        assert (await world.track(**fields)).status_code == 200
    goal = {"goalType": "path", "config": {"pathPattern": "/*"}}
    assert (await world.request("POST", f"{SITE}/goals", key="member", json=goal)).status_code == 201


async def test_visitors_and_conversions_are_columns_when_they_were_asked_for(world):
    await fill(world)

    [columns, row] = await rows(world, "breakdown?by=pathname&goal=1")

    assert columns[1:] == [
        *("count", "visitors", "percentage", "total_conversions", "total_sessions", "conversion_rate")
    ]
    assert row == ["/", "1", "1", "100.0", "1", "1", "1.0"]


async def test_goals_of_a_path_are_told_apart_by_the_property_of_its_views(world):
    for config in (
        {"pathPattern": "/thanks", "pagePropertyKey": "plan", "pagePropertyValue": "pro"},
        {"pathPattern": "/thanks", "pagePropertyKey": "plan", "pagePropertyValue": 7},
        {"pathPattern": "/thanks"},
    ):
        goal = {"name": "Signed up", "goalType": "path", "config": config}
        await world.request("POST", f"{SITE}/goals", key="member", json=goal)

    header, *lines = await rows(world, "goals")

    first = header.index("pagePropertyKey")
    assert header[first : first + 2] == ["pagePropertyKey", "pagePropertyValue"]
    assert [line[first : first + 2] for line in lines] == [["plan", "pro"], ["plan", "7"], ["", ""]]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("application/json, text/csv", "application/json"),
        ("application/json;q=0.5, text/csv", "text/csv; charset=utf-8; header=present"),
        ("text/*", "text/csv; charset=utf-8; header=present"),
        ("text/csv;q=nonsense", "application/json"),
        (";;", "application/json"),
    ],
)
async def test_csv_is_answered_when_it_is_preferred(world, accept, kind):
    answered = await world.request("GET", f"{SITE}/overview", key="member", headers={"Accept": accept})

    assert (answered.status_code, answered.headers["Content-Type"]) == (200, kind)


async def test_formulas_of_visitors_are_texts(world):
    await world.track(type="custom_event", event_name='=HYPERLINK("https://evil.example")')

    assert (await rows(world, "breakdown?by=event_name"))[1][0] == '\'=HYPERLINK("https://evil.example")'


async def test_file_has_ten_thousand_rows_at_most_and_is_read_on_by_pages(world):
    await world.track(pathname="/a")
    await world.track(pathname="/b")

    second = await rows(world, "breakdown?by=pathname&limit=1&page=2")
    refused = await world.request("GET", f"{SITE}/outbound?limit=10001", key="member", headers=CSV)

    assert [row[0] for row in second] == ["value", "/b"]
    assert refused.status_code == 400
    assert refused.json["details"]["fieldErrors"] == {"limit": ["must be a whole number from 1 to 10000"]}


async def test_readers_who_are_not_members_get_no_stack_and_no_user(world):
    await fill(world)
    action = {"action": "generate_private_link_key"}
    made = await world.request("POST", f"{SITE}/private-link-config", key="admin", json=action)
    link = made.json["data"]["privateLinkKey"]

    found = [
        dict(zip(*(await rows(world, "error-events?errorMessage=boom", **caller)), strict=True))
        for caller in ({"key": "member"}, {"key": None, "X-Private-Key": link})
    ]

    assert [one["stack"] for one in found] == ["at a.js", ""]
    assert [bool(one["user_id"]) for one in found] == [True, False]
