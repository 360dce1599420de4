"""Reports by mail are queued once, and what they wait for keeps no others waiting."""

import asyncio
from datetime import timedelta
from unittest.mock import AsyncMock

import pytest
from attrs import evolve

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Lag
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import path_rule
from footfall.domain.traffic.conversion import Conversions
from tests.waiting import LONG
from tests.web.accounts.mail_reports.conftest import (
    CONTEXT,
    DAY,
    MONDAY,
    lent,
    post_of,
    posted,
    subscribe,
    taken,
    visits,
)


async def test_the_same_report_is_queued_once_whichever_worker_looks(world, ann):
    await subscribe(ann)

    await posted(world)
    await posted(world, MONDAY + timedelta(hours=1))

    assert len(world.ports.outbox.waiting_mails) == 1
    assert len(await posted(world, MONDAY + 7 * DAY)) == 2


async def test_a_worker_without_the_lock_and_one_that_is_behind_queue_nothing(world, ann):
    await subscribe(ann)

    class Behind:
        async def lag(self, _site_id):
            return Lag(1_000, 3_600.0)

    assert await posted(world, lock=taken) == []
    assert await posted(world, freshness=Behind()) == []
    assert len(await posted(world)) == 1


async def test_a_report_that_was_due_before_the_subscription_or_two_days_ago_is_left_out(world, ann):
    world.clock.advance(MONDAY + timedelta(hours=1) - world.clock.now())
    await subscribe(ann)

    assert await posted(world, MONDAY + timedelta(hours=2)) == []
    assert await posted(world, MONDAY + 10 * DAY) == []


async def test_a_store_that_is_away_delays_a_report(world, ann):
    await subscribe(ann)

    class Away:
        async def lag(self, _site_id):
            raise StoreUnavailable

    assert await posted(world, freshness=Away()) == []
    assert len(await posted(world)) == 1


class LagOfSites:
    """Freshness whose lag a test sets for each site: seconds, a failure, or None for one that never answers."""

    def __init__(self, lags):
        self.lags, self.asked = lags, []

    async def lag(self, site_id):
        self.asked.append(site_id)
        lag = self.lags.get(site_id, 0.0)
        if isinstance(lag, Exception):
            raise lag
        if lag is None:
            await asyncio.Event().wait()
        return Lag(1, lag)


@pytest.mark.parametrize("lag", [3_600.0, StoreUnavailable(), None], ids=["is behind", "refuses", "hangs"])
async def test_a_cell_delays_only_the_reports_on_its_sites_and_is_asked_once_for_all(world, ann, lag):
    await world.commands.cells.add("west", "mark", CONTEXT)
    other = await world.commands.sites.register(
        "1", name="Other", domain="other.example", created_by="1", context=CONTEXT, cell="west"
    )
    for interval in ("weekly", "monthly"):
        await subscribe(ann, site=str(other), interval=interval)
    await subscribe(ann, site="all")
    await subscribe(ann)
    # The first of June is a Monday.
    monday = NOON.replace(month=6, day=1, hour=7)
    world.clock.advance(monday - world.clock.now())
    await world.directory.catch_up()
    freshness = LagOfSites({other: lag})
    post = post_of(world, freshness=freshness)
    post.store_seconds = 0.05

    await asyncio.wait_for(post.work(), LONG)

    assert [mail.content.subject.partition(":")[0] for mail in world.ports.outbox.waiting_mails] == [
        "Example"
    ]
    assert sorted(freshness.asked) == [1, other]
    freshness.lags = {}
    await post.work()
    assert len(world.ports.outbox.waiting_mails) == 4


@pytest.mark.parametrize("failure", ["away", "slow"])
async def test_a_report_whose_figures_are_not_to_be_had_waits_and_keeps_no_other_waiting(world, ann, failure):
    other = await world.commands.sites.register(
        "1", name="Other", domain="other.example", created_by="1", context=CONTEXT
    )
    await subscribe(ann)
    await subscribe(ann, site=str(other))
    figures, is_away = world.service.mail_reports.figures, asyncio.Event()

    class Away:
        async def catch_up(self, site_id):
            if site_id == 1 and failure == "slow":
                await is_away.wait()
            if site_id == 1 and not is_away.is_set():
                raise StoreUnavailable

    post = post_of(world)
    post.limit_seconds = 0.1
    post.reports = evolve(world.service.mail_reports, figures=evolve(figures, freshness=Away()))
    world.clock.advance(MONDAY - world.clock.now())
    await world.directory.catch_up()

    await post.work()
    first = [mail.content.subject.partition(":")[0] for mail in world.ports.outbox.waiting_mails]
    is_away.set()
    post.limit_seconds = 60.0
    await post.work()

    assert first == ["Other"]
    assert len(world.ports.outbox.waiting_mails) == 2


@pytest.mark.parametrize(
    "failure", ["the goals take too long", "a report takes too long", "a goal is set aside"]
)
async def test_a_part_that_fails_costs_its_part_or_its_report_and_no_other(world, ann, failure, caplog):
    await world.commands.goals.define(1, name="Buy", rule=path_rule("/buy"), context=CONTEXT)
    await subscribe(ann)
    await subscribe(ann, site="all")
    figures = world.service.mail_reports.figures
    refusal = Invalid({"config.pathPattern": ["takes too long: secret pattern"]})
    failing = {
        "the goals take too long": {"goals": AsyncMock(count_conversions=AsyncMock(side_effect=refusal))},
        "a report takes too long": {"breakdowns": AsyncMock(break_down=AsyncMock(side_effect=refusal))},
        "a goal is set aside": {
            "goals": AsyncMock(count_conversions=AsyncMock(return_value=[Conversions(0, 0, "reason")]))
        },
    }[failure]
    reports = evolve(
        world.service.mail_reports, figures=evolve(figures, reports=evolve(figures.reports, **failing))
    )
    world.clock.advance(MONDAY - world.clock.now())
    await world.directory.catch_up()
    post = post_of(world)
    post.reports = reports

    await post.work()

    texts = [mail.content.text for mail in world.ports.outbox.waiting_mails]
    shown = {
        "the goals take too long": "the pattern of a goal takes too long",
        "a goal is set aside": "not counted",
    }
    assert len(texts) == (0 if failure == "a report takes too long" else 2)
    assert failure not in shown or any(shown[failure] in text for text in texts)
    assert "secret pattern" not in caplog.text


async def test_the_job_goes_on_after_a_failure(world, ann):
    await subscribe(ann)
    world.clock.advance(MONDAY - world.clock.now())
    await world.directory.catch_up()
    failures = [StoreUnavailable()]

    def flaky():
        if failures:
            raise failures.pop()
        return lent()

    running = asyncio.create_task(evolve(post_of(world, lock=flaky), poll_seconds=0.01).run())
    async with asyncio.timeout(LONG):
        while not world.ports.outbox.waiting_mails:
            await asyncio.sleep(0.01)
    running.cancel()


async def test_a_report_that_was_taken_from_the_queue_is_made_anew_within_the_hour(world, ann):
    await subscribe(ann)
    await visits(world, 3)
    post = post_of(world)
    world.clock.advance(MONDAY - world.clock.now())
    await world.directory.catch_up()
    await post.work()
    [before] = world.ports.outbox.waiting_mails
    world.log.hits.pop()

    assert await world.ports.outbox.take_reports(1) == 1
    await post.work()
    at_once = world.ports.outbox.waiting_mails
    world.clock.advance(timedelta(hours=1))
    await post.work()

    [after] = world.ports.outbox.waiting_mails
    assert at_once == []
    assert after.mail_id == before.mail_id
    assert after.content != before.content
