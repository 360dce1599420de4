"""An installation with a site, in which visitors are erased by processes that can be killed at each of their calls."""

from contextlib import asynccontextmanager
from uuid import uuid4

from attrs import define, field, frozen

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.system import SystemClock
from footfall.application.commands.context import CommandContext
from footfall.application.ports.visitor_erasures import Requester, VisitorErasure
from footfall.application.visitors.erasing import VisitorEraser
from footfall.domain.visits.subject import Subject
from footfall.entrypoints.composition.commands.command_stores import open_journal
from footfall.entrypoints.composition.commands.visitor_erasing import replayed
from tests.histories import SITE, START
from tests.stores.stored import catch_up

SECRET = b"secret"
ANNA = Subject(frozenset({"anna"}))
USER = CommandContext()


class Killed(BaseException):
    """The end of a process that cannot be caught."""


def one_by_one(*erasure, erasing=Erasing):
    """Erase one hit at a time."""
    return erasing(*erasure, 1)


@define
class Fate:
    """Kills at one of the calls of a process."""

    at: int
    calls: int = 0

    def call(self):
        self.calls += 1
        if self.calls == self.at:
            raise Killed


@frozen
class Dying:
    """Something whose process is killed before or after one of the calls of its methods."""

    of: object
    fate: Fate

    def __getattr__(self, name):
        method = getattr(self.of, name)
        if name in {"alone", "lock"}:
            return method

        async def call(*arguments, **named):
            self.fate.call()
            result = await method(*arguments, **named)
            self.fate.call()
            return result

        return call


@frozen
class DyingQueue:
    """The queue of a process that is killed at one of its calls."""

    of: PostgresVisitorErasures
    fate: Fate

    async def is_waiting(self):
        return await self.of.is_waiting()

    @asynccontextmanager
    async def lock(self):
        async with self.of.lock() as locked:
            yield None if locked is None else Dying(locked, self.fate)


@frozen
class World:
    """The installation, and how often what processes have was called."""

    stored: object
    journal: object
    tidied: list = field(factory=list)
    replays: list = field(factory=list)
    # What erases some hits of a visitor.
    erasing: object = Erasing

    @property
    def erasures(self):
        return PostgresVisitorErasures(self.stored.connections, self.stored.url, self.erasing)

    def eraser(self, fate=None, *, history=None):
        """Return what a process has, which is killed at one of its calls if it has a fate."""
        outbox = PostgresOutbox(self.stored.connections, self.stored.url)
        history = history or self.journal.commands.visitor_erasures
        fate = fate or Fate(at=0)

        async def replay():
            fate.call()
            self.replays.append(1)
            return await replayed(self.stored.url)

        return VisitorEraser(
            erasures=DyingQueue(self.erasures, fate),
            outbox=Dying(outbox, fate),
            reports=lambda: holding_lock(AdvisoryLock.REPORTS, self.stored.url),
            history=Dying(history, fate),
            replay=replay,
            tidy=lambda: self.tidied.append(1),
            secret=SECRET,
            clock=SystemClock(),
        )

    async def ask(self, subject=ANNA, *, at=START):
        requester = Requester(user_id="1", request_id="r")
        asked = VisitorErasure(
            erasure=uuid4(), site_id=SITE, requested_at=at, requester=requester, subject=subject
        )
        await self.erasures.request(SITE, asked)
        return asked

    async def present(self):
        return (await self.erasures.of_site(SITE))[0]

    async def told(self):
        return [
            recorded.metadata.actor.user_id
            for recorded in await self.journal.commands.visitor_erasures.streams.store.load(f"site-{SITE}")
            if type(recorded.event).__name__ == "VisitorErased"
        ]

    async def execute(self, query, *values):
        async with self.stored.connections.connection() as connection:
            cursor = await connection.execute(query, values or None)
            return await cursor.fetchall() if cursor.description is not None else []


@asynccontextmanager
async def erasing_world(stored, log, **options):
    """Lend an installation whose only site has a log."""
    async with open_journal(stored.url) as journal:
        user = await journal.commands.people.register(USER, name="Ann")
        organization = await journal.commands.organizations.register(name="Acme", owner=user, context=USER)
        site_id = await journal.commands.sites.register(
            organization, name="Shop", domain="shop.example", created_by=user, context=USER
        )
        assert site_id == SITE
        await stored.append(log)
        await catch_up(stored.projector)
        yield World(stored, journal, **options)
