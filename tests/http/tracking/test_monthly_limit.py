"""The monthly limit of a site, over HTTP."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext


async def test_a_site_over_its_monthly_limit_refuses_events_until_the_next_month(world):
    await world.commands.sites.limit_pageviews(1, 2, CommandContext())
    await world.directory.catch_up()

    answers = [await world.track() for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 403, 403]
    assert answers[2].json == answers[3].json
    assert answers[2].json["error"] == "Site over monthly limit"
    [message] = answers[2].json["details"]["formErrors"]
    assert "2 pageviews" in message
    assert "2026-04-01" in message


async def test_events_are_stored_again_after_the_monthly_limit_is_raised(world):
    await world.commands.sites.limit_pageviews(1, 0, CommandContext())
    await world.directory.catch_up()
    assert (await world.track()).status_code == 403

    await world.commands.sites.limit_pageviews(1, 1, CommandContext())
    await world.directory.catch_up()

    assert [(await world.track()).status_code for _ in range(2)] == [200, 403]


@pytest.mark.parametrize("key", [None, "member"])
async def test_an_event_stored_before_the_monthly_limit_is_acknowledged_again_after_it(world, key):
    await world.commands.sites.limit_pageviews(1, 1, CommandContext())
    await world.directory.catch_up()
    await world.track(key=key, event_id="last")
    assert (await world.track(key=key)).status_code == 403

    again = await world.track(key=key, event_id="last")
    other = await world.track(key=key, event_id="last", pathname="/other")
    new = await world.track(key=key, event_id="new")

    assert [one.status_code for one in (again, other, new)] == [200, 409, 403]
    assert again.headers["idempotent-replay"] == "true"
    assert len(await world.hits()) == 1


async def test_a_site_known_to_be_over_its_monthly_limit_is_refused_without_asking_the_store(world):
    await world.commands.sites.limit_pageviews(1, 0, CommandContext())
    await world.directory.catch_up()
    await world.track()
    await world.log.drain()

    known = await world.track()
    world.clock.advance(timedelta(days=18))
    new_month = await world.track()

    assert (known.status_code, new_month.status_code) == (403, 503)


async def test_a_batch_is_stored_up_to_the_monthly_limit(world):
    await world.commands.sites.limit_pageviews(1, 2, CommandContext())
    await world.directory.catch_up()
    page, other = {"site_id": "1"}, {"site_id": "1", "type": "custom_event", "event_name": "e"}

    response = await world.batch([page, other, page, page, other])

    assert [one.get("error") for one in response.json["results"]] == [None] * 3 + [
        "Site over monthly limit"
    ] * 2
    assert response.json["results"][3]["details"]["formErrors"]
    assert len(await world.hits()) == 3
