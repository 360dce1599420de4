"""The projector: whatever happens while it works, the read models are those of the logs."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from tests import histories
from tests.generated import examples
from tests.histories import RULES, SITE
from tests.stores.stored import catch_up

ALL = Page(1, 200)


class Died(Exception):
    """The process is gone."""


class Mortal(Projector):
    """A projector that dies after some statements."""

    def __init__(self, url, *, statements, size):
        super().__init__(url, GoalVersions(EventCodec()), size=size)
        self._left = statements

    async def _run(self, connection, name, values=None):
        if not self._left:
            raise Died
        self._left -= 1
        return await super()._run(connection, name, values)


STEPS = st.one_of(
    st.tuples(st.just("append"), st.integers(1, 20)),
    st.tuples(st.just("project"), st.integers(1, 20)),
    st.tuples(st.just("die"), st.integers(0, 25)),
    st.tuples(st.just("define"), RULES),
    st.tuples(st.just("redefine"), RULES),
    st.tuples(st.just("delete"), st.none()),
)


@examples(60)
@given(
    log=histories.histories(max_size=60),
    steps=st.lists(STEPS, max_size=20),
    period=histories.periods(),
    rules=st.lists(RULES, max_size=3),
)
async def test_goals_may_come_and_change_and_projectors_may_die_at_any_time(
    stored, log, steps, period, rules
):
    await stored.empty()
    world = World(stored, log)
    for rule in rules:
        await world.define(rule)

    for name, value in steps:
        await getattr(world, name)(value)
        await world.check(period)
    await world.append(len(log))
    await catch_up(stored.projector)

    await world.check(period)
    assert await stored.read_models() == await world.replayed()


class World:
    """A store, hits that are still to come, and its goals."""

    def __init__(self, stored, log):
        self.stored = stored
        self.log = list(log)
        self.goals = {}
        self.versions = {}

    async def append(self, size):
        """Append the next hits."""
        self.log, hits = self.log[size:], self.log[:size]
        await self.stored.append(hits)

    async def project(self, size):
        """Project one slice, and a piece of a goal's past."""
        projector = self.stored.new_projector(size=size)
        await projector.catch_up()
        await projector.close()

    async def die(self, statements):
        """Begin to project, and leave off in the middle."""
        mortal = Mortal(self.stored.url, statements=statements, size=10)
        with contextlib.suppress(Died):
            await mortal.catch_up()
        await mortal.close()
        # Until its server process has noticed, it is still at work, and others leave it alone.
        async with self.stored.connections.connection() as connection:
            await connection.execute("select from projection_checkpoint for update")

    async def define(self, rule):
        """Define a goal."""
        goal_id, asked = await self.stored.define(rule)
        self.goals[goal_id], self.versions[goal_id] = asked, 1

    async def redefine(self, rule):
        """Give the oldest goal another rule, or the same."""
        for goal_id in list(self.goals)[:1]:
            self.goals[goal_id] = await self.stored.redefine(goal_id, rule, expected=self.versions[goal_id])
            self.versions[goal_id] += 1

    async def delete(self, _):
        """Delete the oldest goal."""
        for goal_id in list(self.goals)[:1]:
            await self.stored.delete(goal_id, expected=self.versions[goal_id])
            del self.goals[goal_id]

    async def check(self, period):
        """Compare the answers with those of the domain, as far as the log has been projected."""
        position = await self.stored.position()
        oracle = self.stored.oracle_up_to(position)
        goals = list(self.goals.values())

        counted = await self.stored.goals.count_conversions(SITE, goals, period)
        assert counted == await oracle.count_conversions(SITE, goals, period)
        page = await self.stored.reports.breakdowns.break_down(SITE, "pathname", period, ALL)
        assert page == await MemoryBreakdowns(self.stored.log_up_to(position)).break_down(
            SITE, "pathname", period, ALL
        )
        for goal in goals[:1]:
            found = await self.stored.goals.converted_sessions(SITE, goal, period, ALL)
            assert found == await oracle.converted_sessions(SITE, GoalQuery(goal.rule), period, ALL)

    async def replayed(self):
        """Return the read models of a projector that begins anew."""
        await self.stored.forget_read_models()
        await catch_up(self.stored.projector)
        return await self.stored.read_models()
