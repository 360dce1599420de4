"""What-ifs over HTTP: they say what a change would do, and change nothing."""

from datetime import timedelta

import pytest

from tests.application import on_both_stores

SITE = "/api/sites/1"
PRICING = {"name": "Pricing", "goalType": "path", "config": {"pathPattern": "/pricing"}}
ALL_PRICING = {"goalType": "path", "config": {"pathPattern": "/pricing*"}}
FUNNEL = {"name": "Buy", "steps": [{"goalId": 1}, {"goalType": "event", "config": {"eventName": "signup"}}]}
ASKED = "start_date=2026-03-10&end_date=2026-03-14"


@pytest.fixture
async def busy(world):
    """A goal, a funnel, and visitors: yesterday one of /pricing, today one of /pricing/team who signs up."""
    await world.request("POST", f"{SITE}/goals", key="member", json=PRICING)
    await world.request("POST", f"{SITE}/funnels", key="member", json=FUNNEL)
    world.clock.advance(timedelta(days=-1))
    await world.track(key="member", pathname="/pricing", ip_address="198.51.100.1")
    world.clock.advance(timedelta(days=1))
    await world.track(key="member", pathname="/pricing/team", ip_address="192.0.2.2")
    world.clock.advance(timedelta(seconds=5))
    await world.track(key="member", type="custom_event", event_name="signup", ip_address="192.0.2.2")
    return world


async def tried(world, path, body, query=ASKED, key="member"):
    return await world.request("POST", f"{SITE}/{path}/what-if?{query}", key=key, json=body)


@pytest.mark.cells
@on_both_stores
async def test_a_changed_goal_gains_sessions(busy):
    said = await tried(busy, "goals/1", ALL_PRICING)

    assert said.status_code == 200, said.text
    data = said.json["data"]
    assert (data["name"], data["before"], data["after"]) == ("/pricing*", 1, 2)
    assert data["lost"] == {"total": 0, "sessions": []}
    assert data["gained"]["total"] == 1
    assert data["gained"]["sessions"][0]["entry_page"] == "/pricing/team"
    assert [one for one in data["days"] if one["after"]] == [
        {"date": "2026-03-13", "before": 1, "after": 1},
        {"date": "2026-03-14", "before": 0, "after": 1},
    ]
    assert len(data["days"]) == 5
    assert "Footfall-Positions" in said.headers


@pytest.mark.cells
@on_both_stores
async def test_a_changed_funnel_gains_and_loses_sessions(busy):
    steps = [{"goalType": "path", "config": {"pathPattern": "/pricing/*"}}, FUNNEL["steps"][1]]
    said = await tried(busy, "funnels/1", {"steps": steps, "withinDays": 2})

    data = said.json["data"]
    assert (data["before"], data["after"], data["gained"]["total"], data["lost"]["total"]) == (0, 1, 1, 0)
    assert (data["withinDays"], data["steps"]) == (2, steps)
    assert data["days"][-1] == {"date": "2026-03-14", "before": 0, "after": 1}


@pytest.mark.cells
@on_both_stores
@pytest.mark.parametrize(
    ("name", "field", "entries", "accepted", "events"),
    [
        ("excluded-paths", "excludedPaths", ["pricing*"], ["/pricing*"], 2),
        (
            "excluded-hosts",
            "excludedHosts",
            ["*.Example.com", "example.com"],
            ["*.example.com", "example.com"],
            3,
        ),
    ],
)
async def test_patterns_would_have_refused_the_events_that_they_match(
    busy, name, field, entries, accepted, events
):
    data = (await tried(busy, name, {field: entries})).json["data"]

    assert (data[field], data["events"]) == (accepted, events)
    assert sum(day["events"] for day in data["days"]) == events


async def test_excluded_countries_would_have_refused_the_events_of_their_days(busy):
    said = await tried(busy, "excluded-countries", {"excludedCountries": ["de", "FR"]})

    data = said.json["data"]
    assert (data["excludedCountries"], data["events"], data["sessions"]) == (["DE", "FR"], 1, 1)
    assert [one for one in data["days"] if one["events"]] == [
        {"date": "2026-03-13", "events": 1, "sessions": 1}
    ]


async def test_a_what_if_of_an_earlier_state_has_its_goal_and_its_hits(busy):
    before = await tried(busy, "goals/1", ALL_PRICING)
    await busy.request("PUT", f"{SITE}/goals/1", key="member", json=ALL_PRICING)
    await busy.track(key="member", pathname="/pricing/one", ip_address="192.0.2.9")
    positions = before.headers["Footfall-Positions"].replace(", ", "%2C%20").replace("=", "%3D")

    again = await tried(busy, "goals/1", ALL_PRICING, f"{ASKED}&as_of={positions}")
    now = await tried(busy, "goals/1", ALL_PRICING)

    assert again.json == before.json
    assert (now.json["data"]["before"], now.json["data"]["after"]) == (3, 3)


async def test_a_what_if_changes_nothing(busy):
    hits, journal = await busy.hits(), list(busy.journal.events)

    for path, body in (("goals/1", ALL_PRICING), ("funnels/1", FUNNEL)):
        assert (await tried(busy, path, body)).status_code == 200
    assert (await tried(busy, "excluded-countries", {"excludedCountries": ["DE"]})).status_code == 200

    assert (await busy.hits(), busy.journal.events) == (hits, journal)


@pytest.mark.parametrize(
    ("path", "body", "query", "status", "named"),
    [
        ("goals/9", ALL_PRICING, ASKED, 404, "Goal not found"),
        ("goals/x", ALL_PRICING, ASKED, 404, "Goal not found"),
        ("funnels/9", FUNNEL, ASKED, 404, "Funnel not found"),
        ("goals/1", {}, ASKED, 400, "goalType"),
        ("goals/1", {**ALL_PRICING, "name": ""}, ASKED, 400, "name"),
        ("goals/1", ALL_PRICING, "start_date=2020-01-01&end_date=2026-01-01", 400, "at most 400 days"),
        ("goals/1", ALL_PRICING, "past_minutes_start=5256000&past_minutes_end=0", 400, "at most 400 days"),
        ("goals/1", ALL_PRICING, "page=1", 400, "unknown parameter"),
        ("funnels/1", {"steps": [{"goalId": 9}, {"goalId": 1}]}, ASKED, 400, "steps[0].goalId"),
        ("excluded-countries", {}, ASKED, 400, "excludedCountries"),
        ("excluded-countries", {"excludedCountries": []}, ASKED, 400, "one or more texts"),
        ("excluded-countries", {"excludedCountries": [1]}, ASKED, 400, "one or more texts"),
        ("excluded-countries", {"excludedCountries": ["XX"]}, ASKED, 400, "'XX' is not"),
        ("excluded-countries", {"excludedCountries": ["DE"]}, "filters=[]", 400, "unknown parameter"),
        ("excluded-paths", {"excludedPaths": ["a*" * 21 + "b"]}, ASKED, 400, "is not a pattern"),
        ("excluded-hosts", {"excludedPaths": ["a"]}, ASKED, 400, "excludedHosts"),
    ],
)
async def test_what_cannot_be_tried_is_refused_by_its_name(busy, path, body, query, status, named):
    said = await tried(busy, path, body, query)

    assert said.status_code == status
    assert named in said.text


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("stranger", 403)])
@pytest.mark.parametrize("path", ["goals/1", "funnels/1", "excluded-countries"])
async def test_what_ifs_are_for_members(busy, path, key, status):
    assert (await tried(busy, path, {}, key=key)).status_code == status


async def test_a_funnel_with_a_deleted_goal_has_no_count_before(busy):
    await busy.request("DELETE", f"{SITE}/goals/1", key="member")
    steps = [{"goalType": "path", "config": {"pathPattern": "/a"}}, FUNNEL["steps"][1]]

    said = await tried(busy, "funnels/1", {"steps": steps})

    assert said.status_code == 409
    assert "deleted" in said.text
