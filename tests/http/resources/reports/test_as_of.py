"""The parameter `as_of` of reports over HTTP."""

import json
from datetime import timedelta

import pytest

from tests.application import in_memory
from tests.http.resources.reports.questions import CITED, SITE, ask, define

GOAL = {"goalType": "path", "config": {"pathPattern": "/"}}


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


@pytest.fixture
async def visited(world):
    """A site with two goals, a funnel and some hits."""
    await define(world)
    await _visit(world)
    return world


async def test_every_report_is_given_again_as_it_was_after_everything_has_changed(visited):
    answers = {path: await ask(visited, path) for path in CITED}
    visited.clock.advance(timedelta(days=2))
    await _visit(visited)
    resolved = {"errorMessage": "x is undefined"}
    await visited.request("POST", f"{SITE}/errors/resolve", key="member", json=resolved)
    # Costs of errors are known of a goal that is as it was.
    changed = {**GOAL, "name": "Other", "config": {"pathPattern": "/b"}}
    await visited.request("PUT", f"{SITE}/goals/2", key="member", json=changed)
    await visited.request("POST", f"{SITE}/goals", key="member", json=GOAL)

    again = {
        path: await ask(visited, path, {"as_of": answer.headers["Footfall-Positions"]})
        for path, answer in answers.items()
    }
    now = {path: await ask(visited, path) for path in CITED}

    assert {path: one.text for path, one in again.items()} == {
        path: one.text for path, one in answers.items()
    }
    assert {one.headers["Footfall-Positions"] for one in again.values()} == {
        one.headers["Footfall-Positions"] for one in answers.values()
    }
    assert all(now[path].text != again[path].text for path in ("overview", "goals", "error-names"))


@in_memory
@pytest.mark.parametrize(
    ("as_of", "accepted"),
    [
        ("yesterday", "must be an instant with its zone"),
        ("2026-11-22T10:15:00", "must be an instant with its zone"),
        ("2199-01-01T00:00:00Z", "accepted are instants up to"),
        ("1999-01-01T00:00:00Z", "lies before the first recorded positions"),
        (
            "site=2, at=0, journal=1, traffic.main=1",
            "accepted are positions that an answer of this site named",
        ),
        ("site=1, at=0, journal=1, traffic.west=1", "accepted for this site is traffic.main"),
        ("site=1, at=0, journal=1, traffic.main=1", "before the site was registered"),
        ("site=1, at=0, journal=999999, traffic.main=1, sessions=2, vitals=2", "accepted are journal up to"),
        (
            "site=1, at=0, journal=999999, traffic.main=99999999, sessions=2, vitals=2",
            "accepted are journal up to",
        ),
    ],
)
async def test_what_is_not_accepted_is_refused_with_what_is(visited, as_of, accepted):
    refusals = [await ask(visited, path, {"as_of": as_of}) for path in CITED]

    assert {one.status_code for one in refusals} == {400}
    assert all(accepted in one.json["details"]["fieldErrors"]["as_of"][0] for one in refusals)


async def test_a_site_without_events_has_no_past(world):
    positions = (await ask(world, "overview")).headers["Footfall-Positions"]

    refusal = await ask(world, "overview", {"as_of": positions})

    assert "after its first event" in refusal.json["details"]["fieldErrors"]["as_of"][0]


async def test_a_deleted_site_is_gone_for_questions_about_its_past(world):
    await _visit(world)
    positions = (await ask(world, "overview")).headers["Footfall-Positions"]
    await world.request("DELETE", SITE, key="owner")

    about_past, about_present = (
        await ask(world, "overview", {"as_of": positions}),
        await ask(world, "overview"),
    )

    assert about_past.status_code == 410
    assert "was deleted on" in about_past.json["details"]["formErrors"][0]
    assert about_present.status_code == 404


async def test_the_past_is_for_those_who_may_read_the_present(world):
    await _visit(world)
    positions = (await ask(world, "overview")).headers["Footfall-Positions"]

    without = await world.request("GET", f"{SITE}/overview", params={"as_of": positions})
    stranger = await world.request("GET", f"{SITE}/overview", params={"as_of": positions}, key="stranger")

    assert (without.status_code, stranger.status_code) == (401, 403)


async def test_an_instant_means_the_state_at_the_end_of_the_minute_before(world, adapter):
    if adapter == "postgres":
        pytest.skip("the clock of the server tells the minutes there: see the contract of past reports")
    await _visit(world)
    world.clock.advance(timedelta(minutes=2))
    instant = world.clock.now().isoformat()
    before = await ask(world, "goals", {"as_of": instant})
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    await _visit(world)

    again = await ask(world, "goals", {"as_of": instant})

    assert before.status_code == 200
    assert (again.text, again.headers["Footfall-Positions"]) == (
        before.text,
        before.headers["Footfall-Positions"],
    )


async def test_two_states_at_once_are_refused(world):
    await _visit(world)

    refusal = await world.request(
        "GET", f"{SITE}/overview", key="member", query_string="as_of=2026-01-01T00:00:00Z&as_of=x"
    )

    assert refusal.json["details"]["fieldErrors"] == {"as_of": ["is given more than once"]}


async def test_the_ledger_of_events_has_no_past(world):
    refusal = await world.request("GET", f"{SITE}/ingestion?as_of=x", key="member")

    assert "unknown parameter" in refusal.json["details"]["fieldErrors"]["as_of"][0]


async def _visit(world):
    await world.track(pathname="/")
    await world.track(type="outbound", properties='{"url": "https://example.org/"}')
    await world.track(type="performance", pathname="/", lcp=1200.5)
    await world.track(type="error", event_name="E", properties='{"message": "x is undefined"}')


async def test_only_reports_whose_definition_has_changed_are_refused_by_earlier_positions(visited):
    earlier = _before("vitals", (await ask(visited, "overview")).headers["Footfall-Positions"])

    found = {path: await ask(visited, path, {"as_of": earlier}) for path in CITED}

    refused = {path: one for path, one in found.items() if one.status_code != 200}
    assert {path: one.status_code for path, one in refused.items()} == {"web-vitals": 410}
    assert refused["web-vitals"].json["error"] == "Definition changed since"
    [message] = refused["web-vitals"].json["details"]["formErrors"]
    assert message.startswith("The definition of web vitals has changed since, from 1 to 2")
    # What was asked is cited on, so that web vitals of the same page are refused, too.
    assert found["overview"].headers["Footfall-Positions"] == earlier


async def test_an_instant_is_answered_by_the_definitions_of_today(world, adapter):
    if adapter == "postgres":
        pytest.skip("the clock of the server tells the minutes there: see the contract of past reports")
    await _visit(world)
    world.clock.advance(timedelta(minutes=2))

    found = await ask(world, "web-vitals", {"as_of": world.clock.now().isoformat()})

    assert found.status_code == 200
    assert found.headers["Footfall-Positions"].endswith(", vitals=2")


async def test_positions_from_before_sessions_were_formed_by_time_are_refused_where_sessions_count(visited):
    earlier = _before("sessions", (await ask(visited, "overview")).headers["Footfall-Positions"])
    filtered = {"filters": json.dumps([{"parameter": "country", "type": "not_equals", "value": ["DE"]}])}

    found = {path: await ask(visited, path, {"as_of": earlier}) for path in CITED}
    vitals = await ask(visited, "web-vitals", {"as_of": earlier, **filtered})

    answered = [path for path, one in found.items() if one.status_code == 200]
    assert answered == ["web-vitals"]
    assert {one.status_code for path, one in found.items() if path not in answered} == {410}
    [message] = found["overview"].json["details"]["formErrors"]
    assert message.startswith("The definition of sessions has changed since, from 1 to 2")
    assert vitals.status_code == 410


def _before(definition, positions):
    """Return positions as versions named them before a definition had changed."""
    return ", ".join(one for one in positions.split(", ") if not one.startswith(f"{definition}="))


async def test_filters_by_name_are_refused_by_earlier_positions_and_others_are_not(world):
    await _visit(world)
    positions = (await ask(world, "overview")).headers["Footfall-Positions"]
    earlier = positions.replace(", comparisons=2, filters=2", "")

    found = {
        name: await ask(
            world,
            "overview",
            {
                "as_of": earlier,
                "filters": json.dumps([{"parameter": name, "type": "not_equals", "value": ["x"]}]),
            },
        )
        for name in ("event_name", "pathname")
    }

    assert {name: one.status_code for name, one in found.items()} == {"event_name": 410, "pathname": 200}
    assert "filters by event_name has changed" in found["event_name"].json["details"]["formErrors"][0]
