"""Answers: the directory and the reports are of one position of the journal."""

from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.citations.answer_states import Answers
from footfall.application.journal.directory import Directory
from footfall.application.journal.stream_names import site_stream
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import Invalid, SiteNotFound
from footfall.domain.goals import goal
from footfall.domain.goals.goal import PathRule
from footfall.domain.periods.period import Period
from footfall.domain.sites import site
from footfall.domain.sites.site import SiteDeleted
from tests.histories import SITE, START
from tests.stores.stored import METADATA

DAY = Period(START, START + timedelta(days=1))


class DefiningSnapshots:
    """Snapshots before each of which another worker defines goals, as many as it is told, or deletes the site."""

    def __init__(self, log, journal, *, goals, deletes):
        self.snapshots, self.journal, self.goals = MemoryReportSnapshots(log, journal), journal, goals
        self.deletes = deletes

    @asynccontextmanager
    async def present(self, site_id, span, asker):
        if self.deletes:
            await self.journal.append(site_stream(SITE), [SiteDeleted()], expected=1, metadata=METADATA)
        for goal_id in range(1, self.goals + 1):
            events = goal.define(goal_id, site_id=SITE, name=None, rule=PathRule("/"))
            await self.journal.append(f"goal-{goal_id}", events, expected=0, metadata=METADATA)
        async with self.snapshots.present(site_id, span, asker) as snapshot:
            yield snapshot


async def test_goals_that_another_worker_defines_meanwhile_are_in_the_answer_and_its_positions():
    answers = await _answers(goals=2)

    async with answers.present(SITE, DAY, now=START, asker=None) as answer:
        known = answer.directory.goals_of(SITE)

    assert answer.positions.journal == 3
    assert len(known) == 2
    assert answers.directory.goals_of(SITE) == []


class Unloaded(MemoryEventStore):
    """A journal of which no site can be loaded as a whole."""

    load_site = None


@pytest.mark.parametrize("page", [1, 2, 3, 4])
async def test_only_the_events_that_another_worker_appended_are_read_for_an_answer(page):
    answers = await _answers(goals=3, page=page, journal=Unloaded())

    async with answers.present(SITE, DAY, now=START, asker=None) as answer:
        known = answer.directory.goals_of(SITE)

    assert len(known) == 3
    assert answer.directory.position == answer.positions.journal == 4
    assert answer.directory.state.sites == answers.directory.state.sites


@pytest.mark.parametrize("page", [1, 2, 4, 5])
async def test_a_directory_at_a_later_position_has_no_event_behind_it(page):
    answers = await _answers(goals=3, page=page)
    async with answers.snapshots.present(SITE, DAY, None):
        found = [await answers.directory.at_later(position) for position in (1, 2, 3, 4)]

    assert [len(one.goals_of(SITE)) for one in found] == [0, 1, 2, 3]
    assert [one.position for one in found] == [1, 2, 3, 4]
    assert answers.directory.position == 1


async def test_a_site_that_another_worker_deletes_meanwhile_is_not_found():
    answers = await _answers(goals=1, deletes=True)

    with pytest.raises(SiteNotFound):
        async with answers.present(SITE, DAY, now=START, asker=None):
            pass


async def test_an_answer_keeps_its_directory_when_the_journal_grows():
    answers = await _answers(goals=0)

    async with answers.present(SITE, DAY, now=START, asker=None) as answer:
        events = goal.define(9, site_id=SITE, name=None, rule=PathRule("/"))
        await answers.snapshots.journal.append("goal-9", events, expected=0, metadata=METADATA)
        await answers.directory.catch_up()

    assert len(answers.directory.goals_of(SITE)) == 1
    assert answer.directory.goals_of(SITE) == []
    assert answer.positions.journal == 1


async def test_positions_of_a_moment_that_has_not_come_are_refused():
    answers = await _answers(goals=0)
    named = Positions(SITE, START + timedelta(minutes=1), 0, 0)

    with pytest.raises(Invalid) as refusal:
        await answers.resolve(str(named), SITE, now=START, limited=False)

    assert "lies in the future" in refusal.value.field_errors["as_of"][0]
    assert (
        await answers.resolve(str(named), SITE, now=named.at - timedelta(seconds=5), limited=False) == named
    )


async def _answers(*, goals, deletes=False, journal=None, **options):
    log, journal = MemoryTrafficLog(), journal or MemoryEventStore()
    events = site.register(
        SITE, public_id="a", organization_id="1", name="A", domain="example.com", created_by="1"
    )
    await journal.append(site_stream(SITE), events, expected=0, metadata=METADATA)
    directory = Directory(journal, **options)
    await directory.catch_up()
    return Answers(
        snapshots=DefiningSnapshots(log, journal, goals=goals, deletes=deletes),
        freshness=MemoryReports(log),
        directory=directory,
        events=journal,
    )
