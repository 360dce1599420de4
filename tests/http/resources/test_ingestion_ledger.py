"""The outcome of every event."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.ingestion.outcomes import KEPT, kept_since

CRAWLER = {"User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)"}


async def ledger(world, query="", key="member"):
    return await world.request("GET", "/api/sites/1/ingestion", key=key, query_string=query)


async def test_received_equals_the_sum_of_outcomes(world):
    sent = [
        await world.track(),
        await world.track(key="member", event_id="a"),
        await world.track(key="member", event_id="a"),
        await world.track(key="member", event_id="a", pathname="/b"),
        await world.track(headers=CRAWLER),
        await world.track(hostname="elsewhere.org"),
        await world.track(type="click"),
        await world.track(key="stranger"),
        await world.request(
            "POST",
            "/api/track/batch",
            key="member",
            json={"events": [{"site_id": "1"}, {"site_id": 1, "type": 5}]},
        ),
    ]
    await world.commands.sites.limit_pageviews(1, 1, CommandContext())
    await world.directory.catch_up()
    sent.append(await world.track())

    data = (await ledger(world)).json["data"]

    assert data["received"] == len(sent) + 1
    assert data["received"] == sum(outcome["events"] for outcome in data["outcomes"].values())
    assert {name: outcome["events"] for name, outcome in data["outcomes"].items()} == {
        "stored": 3,
        "replayed": 1,
        "bot": 1,
        "domain": 1,
        "denied": 1,
        "invalid": 3,
        "over_limit": 1,
    }
    assert data["outcomes"]["invalid"]["reasons"] == {"idempotency_key_reused": 1, "payload": 2}


async def test_an_event_with_a_key_that_does_not_count_is_counted_where_it_should_have_gone(world):
    events = [{"site_id": "1"}, {"site_id": "1"}, {"site_id": "99"}, "none"]
    await world.track(key="ff_unknown")
    await world.request("POST", "/api/track/batch", key="ff_unknown", json={"events": events})

    data = (await ledger(world)).json["data"]

    assert data["outcomes"] == {"denied": {"events": 3, "reasons": {"invalid_key": 3}}}
    assert world.metrics.events == {("denied", "invalid_key"): 5}


async def test_every_event_of_a_batch_that_the_rate_limit_refuses_is_counted(world):
    await world.spend("member", 500)
    for _ in range(2):  # the first is refused by the store, the second by what it said
        await world.request(
            "POST", "/api/track/batch", key="member", json={"events": [{"site_id": "1"}, {"site_id": "99"}]}
        )

    data = (await ledger(world)).json["data"]

    assert data["outcomes"] == {"rate_limited": {"events": 2, "reasons": {}}}
    assert world.metrics.events == {("rate_limited", ""): 4}


async def test_an_event_that_could_not_be_stored_is_counted_as_such(world):
    await world.log.drain()
    await world.track()
    await world.request("POST", "/api/track/batch", key="member", json={"events": [{"site_id": "1"}] * 2})

    data = (await ledger(world)).json["data"]

    assert data["outcomes"] == {"unavailable": {"events": 3, "reasons": {}}}


async def test_only_the_events_of_the_period_are_counted(world):
    await world.track()
    world.clock.advance(timedelta(minutes=65))
    await world.track()
    world.clock.advance(timedelta(seconds=1))

    data = (await ledger(world, "past_minutes_start=30&past_minutes_end=0")).json["data"]

    assert data["received"] == 1
    assert (data["from"], data["to"]) == ("2026-03-14T12:30:00.000Z", "2026-03-14T13:15:00.000Z")


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("stranger", 403), ("member", 200)])
async def test_only_members_see_the_ingestion_ledger(world, key, status):
    assert (await ledger(world, key=key)).status_code == status


async def test_a_bad_parameter_is_refused(world):
    assert (await ledger(world, "start_date=yesterday")).status_code == 400


async def test_a_period_that_begins_before_the_kept_counts_is_counted_from_these_on(world):
    await world.track()
    world.clock.advance(KEPT)
    at_its_end = (await ledger(world, "start_date=2000-01-01&end_date=2100-01-01")).json["data"]
    world.clock.advance(timedelta(minutes=15))
    await world.track()

    long = (await ledger(world, "start_date=2000-01-01&end_date=2100-01-01")).json["data"]
    before = (await ledger(world, "start_date=2000-01-01&end_date=2000-01-02")).json["data"]

    first = kept_since(world.clock.now())
    assert at_its_end["received"] == 1
    assert (long["received"], long["from"]) == (1, f"{first:%Y-%m-%dT%H:%M}:00.000Z")
    assert (before["received"], before["outcomes"], before["from"]) == (0, {}, before["to"])
