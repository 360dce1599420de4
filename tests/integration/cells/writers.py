"""All that writes to a cell while it moves, each write repeated until it is known to be done."""

import asyncio
from collections import Counter
from contextlib import suppress
from itertools import count

from attrs import define, evolve, field

from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.application.commands.context import CommandContext
from footfall.application.ports.imports import ImportUnderWay, LedgerKey
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey, Submission
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import PathRule
from footfall.domain.tracking.admission import AdmissionOutcome, PendingHit
from footfall.domain.tracking.idempotency import IdempotencyKey
from tests.histories import error, event, hit
from tests.integration.cells.moving import SITE
from tests.stores.cells import CellsLog

REST_SECONDS = 0.06
BATCH = 20
PIECE = 10
LIMIT = 10_000_000
BOT = OutcomeKey(SITE, "dropped", "bot")


class Source:
    """What an import reads."""

    format = "access-log"
    key = ""
    description = "access.log"


@define(eq=False)
class Writers:
    """Writers of each kind, which count what is done."""

    log: CellsLog
    commands: object
    done: Counter = field(factory=Counter)
    # The events that were acknowledged, under their names.
    stored: dict[str, PendingHit] = field(factory=dict)
    wrong: Counter = field(factory=Counter)
    refused: Counter = field(factory=Counter)
    _stopping: bool = False

    @property
    def jobs(self):
        """The writers by kind; each ends with the write that it has begun."""
        return {
            "singles": self._singles,
            "batches": self._batches,
            "retries": self._retries,
            "counts": self._counts,
            "goals": self._goals,
            "imports": self._imports,
            "other sites": self._other_sites,
        }

    async def more(self, number=3):
        """Wait until each of them has written more."""
        before = Counter(self.done)
        async with asyncio.timeout(60):
            while any(self.done[kind] < before[kind] + number for kind in self.jobs):
                await asyncio.sleep(0.01)

    def stop(self):
        """Let each writer end with what it does."""
        self._stopping = True

    async def _repeat(self, kind, write):
        """Do one write after the other; one that is refused is done again."""
        for number in count():
            if self._stopping:
                return
            while not await self._try(write, number):
                self.refused[kind] += 1
                await asyncio.sleep(0.02)
            self.done[kind] += 1
            await asyncio.sleep(REST_SECONDS)

    async def _try(self, write, number):
        with suppress(StoreUnavailable):
            await write(number)
            return True
        return False

    async def _singles(self):
        await self._repeat("singles", lambda number: self._send([named(f"single {number}", hit(NOON))]))

    async def _batches(self):
        def batch(number):
            kinds = (hit(NOON, visitor_id=number), error("x is not defined", NOON), event("signup", NOON))
            return [named(f"batch {number} {one}", kinds[one % len(kinds)]) for one in range(BATCH)]

        await self._repeat("batches", lambda number: self._send(batch(number)))

    async def _send(self, pending):
        outcomes = (await self.log.submit(Submission(tuple(pending)))).outcomes
        if not set(outcomes) <= {AdmissionOutcome.STORED, AdmissionOutcome.REPLAYED}:
            raise StoreUnavailable(str(outcomes))
        self.stored |= {one.idempotency.key: one for one in pending}

    async def _retries(self):
        """Send again what is stored: no answer says that it is stored for the first time."""

        async def again(number):
            names = list(self.stored)
            if names:
                pending = self.stored[names[number * 7919 % len(names)]]
                [outcome] = (await self.log.submit(Submission((pending,)))).outcomes
                if outcome is AdmissionOutcome.UNAVAILABLE:
                    raise StoreUnavailable(outcome)
                self.wrong[outcome] += outcome is not AdmissionOutcome.REPLAYED

        await self._repeat("retries", again)

    async def _counts(self):
        async def add(number):
            ledger = self.log.cells.ledger_of("west")
            await ledger.add({(BOT, NOON): 1}, source="a", number=number + 1)

        await self._repeat("counts", add)

    async def _goals(self):
        """Define a goal, change it, and delete it."""
        goals, context, defined = self.commands.goals, CommandContext(), []

        async def change(number):
            rule = PathRule(f"/{number}/*")
            if number % 3 == 0:
                defined.append(await goals.define(SITE, name=None, rule=PathRule("/"), context=context))
            elif number % 3 == 1:
                await goals.redefine(SITE, defined[-1], name="changed", rule=rule, context=context)
            elif len(defined) > 1:
                await goals.delete(SITE, defined.pop(0), context)
            await asyncio.sleep(0.05)

        await self._repeat("goals", change)

    async def _imports(self):
        async def store(number):
            imports = PostgresImports(self.log.cells.stores["west"].connections)
            record = await imports.begin(SITE, Source, now=NOON)
            if record.mark == str(number):
                return
            hits = [hit(NOON, visitor_id=1000 + number)] * PIECE
            counts = {LedgerKey(str(NOON.date()), "pageview", ""): PIECE}
            with suppress(ImportUnderWay):
                await imports.store(record, hits, mark=str(number), counts=counts, now=NOON)

        await self._repeat("imports", store)

    async def _other_sites(self):
        other = PendingHit(evolve(hit(NOON), site_id=2))
        await self._repeat("other sites", lambda _number: self.log.submit(Submission((other,))))


def named(name, one):
    """Return a hit under a name, with a monthly limit that it does not reach."""
    return PendingHit(one, IdempotencyKey(SITE, name, b"same"), LIMIT)
