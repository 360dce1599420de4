"""Answers: the directory and the reports are of one position of the journal."""

from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.citations.answers import Answers
from footfall.application.journal.directory import Directory
from footfall.application.journal.stream_names import site_stream
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import Invalid
from footfall.domain.goals import goal
from footfall.domain.goals.goal import PathRule
from footfall.domain.periods.period import Period
from footfall.domain.sites import site
from tests.histories import SITE, START
from tests.stores.stored import METADATA

DAY = Period(START, START + timedelta(days=1))


class DefiningSnapshots:
    """Snapshots before each of which another worker defines goals, as many as it is told."""

    def __init__(self, log, journal, *, goals):
        self.snapshots, self.journal, self.goals = MemoryReportSnapshots(log, journal), journal, goals

    @asynccontextmanager
    async def present(self, site_id, span):
        for goal_id in range(1, self.goals + 1):
            events = goal.define(goal_id, site_id=SITE, name=None, rule=PathRule("/"))
            await self.journal.append(f"goal-{goal_id}", events, expected=0, metadata=METADATA)
        async with self.snapshots.present(site_id, span) as snapshot:
            yield snapshot


async def test_goals_that_another_worker_defines_meanwhile_are_in_the_answer_and_its_positions():
    answers = await _answers(goals=2)

    async with answers.present(SITE, DAY, now=START) as answer:
        known = answer.directory.goals_of(SITE)

    assert answer.positions.journal == 3
    assert len(known) == 2
    assert answers.directory.goals_of(SITE) == []


async def test_an_answer_keeps_its_directory_when_the_journal_grows():
    answers = await _answers(goals=0)

    async with answers.present(SITE, DAY, now=START) as answer:
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
        await answers.resolve(str(named), SITE, now=START)

    assert "lies in the future" in refusal.value.field_errors["as_of"][0]
    assert await answers.resolve(str(named), SITE, now=named.at - timedelta(seconds=5)) == named


async def _answers(*, goals):
    log, journal = MemoryTrafficLog(), MemoryEventStore()
    events = site.register(
        SITE, public_id="a", organization_id="1", name="A", domain="example.com", created_by="1"
    )
    await journal.append(site_stream(SITE), events, expected=0, metadata=METADATA)
    directory = Directory(journal)
    await directory.catch_up()
    return Answers(
        snapshots=DefiningSnapshots(log, journal, goals=goals),
        freshness=MemoryReports(log),
        directory=directory,
        events=journal,
    )
