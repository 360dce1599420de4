"""A store that lives through everything that changes what it counts, beside a log in memory that is changed alike."""

import contextlib
import random
from itertools import count

from attrs import define, evolve, field
from hypothesis import strategies as st

from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec
from footfall.application.ports.imports import LedgerKey
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.domain.periods.quarter_hour import QUARTER
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import visits
from footfall.domain.visits.subject import own_visits
from tests import histories
from tests.conditions import EVERY_RULE
from tests.failing import failing
from tests.histories import INSTANTS, OTHER_SITE, SITE, START
from tests.stores.stored import catch_up, erase_visitor

# Visitors of an import are its own.
AHEAD = 1_000
# A limit of rows that some erasures reach.
FEW = 3


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


class Named:
    """A source in name only."""

    key, description = "", "access.log"

    def __init__(self, number):
        self.format = f"access-log-{number}"


def lives(*, expiring):
    """Return a strategy of what a store lives through, step by step: its hits, and what happens to them."""
    sizes = {"min_size": 12, "max_size": 40}
    logs = failing(
        histories.histories(**sizes)
        | histories.dense_histories(**sizes)
        | histories.nightly_histories(**sizes)
    )
    steps = {
        "append": st.integers(4, 40),
        "project": st.integers(4, 20),
        "die": st.integers(0, 25),
        "define": EVERY_RULE,
        "redefine": EVERY_RULE,
        "delete": st.none(),
        "resolve": st.tuples(st.sampled_from(histories.MESSAGES), INSTANTS),
        "close": st.integers(0, 1000),
        "bring": logs,
        "undo": st.none(),
        "erase": st.none(),
        "leave": histories.subjects(),
        "look": st.none(),
    }
    often = ["append", "append", "project", "close", "look", "bring", "undo"]
    if expiring:
        steps["expire"] = st.integers(-8, 400).map(lambda quarters: START + quarters * QUARTER)
        often += ["expire", "expire"]
    one = st.sampled_from([*steps, *often]).flatmap(lambda name: st.tuples(st.just(name), steps[name]))
    return st.tuples(logs, st.lists(one, max_size=14))


@define
class Lived:
    """A node over a store, the hits that are still to come, and the goals, those of former rules apart."""

    node: object
    log: list
    goals: dict = field(factory=dict, init=False)
    former: list = field(factory=list, init=False)
    _versions: dict = field(factory=dict, init=False)
    _imports: list = field(factory=list, init=False)
    _numbers: object = field(factory=lambda: count(1), init=False)
    _shift: int = field(default=0, init=False)

    @property
    def stored(self):
        """The store, and the log in memory."""
        return self.node.stored

    async def append(self, size):
        """Append the next hits."""
        hits, self.log = self.log[:size], self.log[size:]
        await self.stored.append([evolve(one, position=one.position + self._shift) for one in hits])

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
        self.goals[goal_id], self._versions[goal_id] = asked, 1

    async def redefine(self, rule):
        """Give the oldest goal another rule, or the same."""
        for goal_id in list(self.goals)[:1]:
            self.former.append(self.goals[goal_id])
            self.goals[goal_id] = await self.stored.redefine(goal_id, rule, expected=self._versions[goal_id])
            self._versions[goal_id] += 1

    async def delete(self, _):
        """Delete the oldest goal."""
        for goal_id in list(self.goals)[:1]:
            await self.stored.delete(goal_id, expected=self._versions[goal_id])
            self.former.append(self.goals.pop(goal_id))

    async def resolve(self, decision):
        """Mark an error as resolved."""
        await self.stored.resolve(*decision)

    async def close(self, seed):
        """Close all days, and make files of some of them."""
        await self.node.make(random.Random(seed))

    async def bring(self, log):
        """Import hits."""
        number = next(self._numbers)
        hits = [
            evolve(one.hit, visitor_id=number * AHEAD + place, site_id=SITE) for place, one in _places(log)
        ]
        counts = {}
        for one in hits:
            key = LedgerKey(str(one.occurred_at.date()), str(one.type), "")
            counts[key] = counts.get(key, 0) + 1
        imports = PostgresImports(self.stored.connections)
        record = await imports.begin(SITE, Named(number), now=START)
        record = await imports.store(record, hits, mark="m", counts=counts, now=START)
        positions = await self._positions(record)
        self.stored.log.hits += [RecordedHit(*one) for one in zip(positions, hits, strict=True)]
        self._imports.append((record, set(positions)))
        self._shift += len(hits)

    async def undo(self, _):
        """Take the latest import back."""
        if self._imports:
            record, positions = self._imports.pop()
            await PostgresImports(self.stored.connections, FEW).undo(
                record, project=self.stored.projector.catch_up, advance=lambda _: None
            )
            self._forget(lambda one: one.position in positions)

    async def expire(self, before):
        """Erase the sessions that ended before a time."""
        await catch_up(self.stored.projector)
        cutoff = RetentionCutoff(SITE, before)
        async with PostgresRetentionStore(self.stored.connections, self.stored.url).lock() as locked:
            await locked.drop_months([cutoff])
            while await locked.erase_some(cutoff, FEW) is not None:
                pass
        expired = {
            one.position
            for visit in visits(self.stored.log.hits)
            if visit.session.site_id == SITE and visit.session.end < before
            for one in visit.hits
        }
        self._forget(lambda one: one.position in expired)

    async def leave(self, subject):
        """Erase a visitor."""
        await catch_up(self.stored.projector)
        gone = own_visits(self.stored.log.hits_of(SITE), subject)
        await erase_visitor(self.stored, subject, FEW)
        positions = {one.position for visit in gone for one in visit.hits}
        self._forget(lambda one: one.position in positions)

    async def erase(self, _):
        """Erase the other site, which gets no more hits."""
        async with self.stored.connections.connection() as connection:
            await connection.execute(
                "insert into erasure (deleted_site, deleted_at, due_at) values (%s, %s, %s) on conflict do nothing",
                (OTHER_SITE, START, START),
            )
        async with PostgresErasures(self.stored.connections, self.stored.url).lock() as locked:
            await locked.next_due(START)
            while await locked.erase_some(OTHER_SITE, FEW):
                pass
        self._forget(lambda one: one.hit.site_id == OTHER_SITE)
        self.log = [one for one in self.log if one.hit.site_id != OTHER_SITE]

    async def end(self):
        """Append all hits that are left, and project them and the past of all goals."""
        await self.append(len(self.log))
        await catch_up(self.stored.projector)

    def _forget(self, is_gone):
        self.stored.log.hits = [one for one in self.stored.log.hits if not is_gone(one)]

    async def _positions(self, record):
        query = "select position from hit where import_id = %s order by position"
        async with self.stored.connections.connection() as connection:
            cursor = await connection.execute(query, (record.import_id,))
            return [row["position"] for row in await cursor.fetchall()]


def _places(log):
    """Return each hit with a number of its visitor."""
    numbers = {}
    return [(numbers.setdefault(one.hit.visitor_id, len(numbers)), one) for one in log]
