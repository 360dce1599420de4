"""An erasure beside rebuilds of the projections, imports and arriving hits, in generated orders and at once."""

import asyncio
from contextlib import nullcontext, suppress
from datetime import timedelta
from functools import partial
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.mail import MemoryOutbox
from footfall.adapters.postgres.intake.hit_rows import recorded_hit
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.adapters.postgres.projections.rebuild import RebuildUnderWay
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.ports.imports import LedgerKey
from footfall.application.ports.visitor_erasures import ErasureStep, VisitorErasure
from footfall.application.visitors.erasing import VisitorEraser
from footfall.domain.visits.subject import Subject, own_visits
from footfall.entrypoints.composition.commands.visitor_erasing import replayed as differences
from footfall.entrypoints.composition.projectors import rebuilding
from tests import histories
from tests.contract.test_retention import by_message, positions, replayed
from tests.contract.test_visitor_erasures import Told
from tests.generated import examples
from tests.histories import SITE, START, after, error, hit, record
from tests.stores.erasing import DyingQueue, Fate, Killed
from tests.stores.stored import catch_up

LOGS = histories.histories(max_size=40) | histories.dense_histories()
ANNA = Subject(frozenset({"anna"}))
# What happens beside the erasure, and processes of it that are killed at one of their calls.
ACTIONS = st.sampled_from(["project", "rebuild", "verify", "import", "undo", "arrive"]) | st.integers(1, 40)


class Source:
    """An import of some service."""

    format = "umami"
    key = "k"
    description = "/home/umami"


class Scene:
    """A store in which a visitor is erased, and what has come into it and gone out of it."""

    def __init__(self, stored, subject, limit, *, rest=0.0):
        self.stored, self.subject, self.rest = stored, subject, rest
        self.erasures = PostgresVisitorErasures(
            stored.connections, stored.url, lambda *erasure: Erasing(*erasure, limit)
        )
        self.imports = PostgresImports(stored.connections)
        self.erasure = uuid4()
        self.record = None
        self.gone = None
        self.pieces = 0
        self.taken_back = set()

    async def ask(self):
        asked = VisitorErasure(erasure=self.erasure, site_id=SITE, requested_at=START, subject=self.subject)
        await self.erasures.request(SITE, asked)

    async def present(self):
        [present] = [one for one in await self.erasures.of_site(SITE) if one.erasure == self.erasure]
        return present

    async def work(self, at=0):
        """Let a process erase, which is killed at one of its calls; what it has found is what goes."""
        eraser = VisitorEraser(
            erasures=DyingQueue(self.erasures, Fate(at)),
            outbox=MemoryOutbox(),
            reports=lambda: nullcontext(1),
            history=Told(),
            replay=partial(differences, self.stored.url),
            tidy=lambda: None,
            secret=b"secret",
            clock=ManualClock(after(days=1)),
            rest=self.rest,
        )
        was_finding = (await self.present()).step is ErasureStep.FINDING
        logged = await self.logged()
        with suppress(Killed):
            await eraser.work()
        if was_finding and (await self.present()).step is not ErasureStep.FINDING:
            self.gone = {one.position for visit in own_visits(logged, self.subject) for one in visit.hits}

    async def logged(self):
        async with self.stored.connections.connection() as connection:
            rows = await (await connection.execute("select * from hit order by position")).fetchall()
        return [recorded_hit(row) for row in rows]

    async def do(self, action):
        if isinstance(action, int):
            await self.work(action)
        else:
            await getattr(self, f"do_{action}")()

    async def do_project(self):
        await catch_up(self.stored.projector)

    async def do_rebuild(self):
        async with rebuilding(self.stored.url) as rebuilt:
            await rebuilt.replay(lambda _position, _target: None)
            await rebuilt.exchange()

    async def do_verify(self):
        assert not any((await differences(self.stored.url)).values())

    async def do_import(self):
        self.record = self.record or await self.imports.begin(SITE, Source, now=START)
        self.pieces += 1
        at = after(minutes=7 * self.pieces)
        # Imports have salts of their own: their visitors have no live hits.
        hits = [
            hit(at, visitor_id=101, user_id="anna"),
            error("x", at + timedelta(minutes=1), visitor_id=102, user_id="anna"),
            hit(at + timedelta(minutes=2), visitor_id=102),
        ]
        counts = {
            LedgerKey(str(START.date()), "pageview", ""): 2,
            LedgerKey(str(START.date()), "error", ""): 1,
        }
        self.record = await self.imports.store(
            self.record, hits, mark=str(self.pieces), counts=counts, now=START
        )

    async def do_undo(self):
        if self.record is not None:
            before = set(await positions(self.stored))
            await self.imports.undo(
                self.record, project=self.stored.projector.catch_up, advance=lambda _days: None
            )
            self.taken_back |= before - set(await positions(self.stored))
            self.record = None

    async def do_arrive(self):
        async with self.stored.connections.connection() as connection:
            [row] = await (await connection.execute("select nextval('hit_position') as next")).fetchall()
        late = [hit(after(minutes=row["next"] % 90), user_id="anna"), hit(after(minutes=20), visitor_id=3)]
        await self.stored.append(record(*late, first=row["next"]))


@examples(60)
@given(
    log=LOGS, subject=histories.subjects(), actions=st.lists(ACTIONS, max_size=10), limit=st.integers(1, 3)
)
async def test_an_erasure_ends_with_the_log_without_the_visitor_whatever_is_done_between_its_steps(
    stored, log, subject, actions, limit
):
    await stored.empty()
    await stored.append(log)
    await stored.projector.catch_up()
    scene, seen = Scene(stored, subject, limit), set(await positions(stored))
    await scene.ask()

    for action in actions:
        await scene.do(action)
        seen |= set(await positions(stored))
    while (await scene.present()).step is not ErasureStep.FINISHED:
        await catch_up(stored.projector)
        await scene.work()

    assert set(await positions(stored)) == seen - scene.gone - scene.taken_back
    certificate = (await scene.present()).certificate
    assert (certificate["proven"], certificate["left"]) == (True, 0)
    await catch_up(stored.projector)
    await scene.do_verify()
    assert by_message(await stored.read_models()) == by_message(await replayed(stored))


async def test_an_erasure_a_rebuild_and_an_import_come_to_their_ends_at_once(stored):
    number, ended = 120, asyncio.Event()
    log = [
        hit(after(minutes=19 * at), visitor_id=at % 5, user_id="anna" if at % 3 == 0 else None)
        for at in range(number)
    ]
    await stored.append(record(*log))
    await catch_up(stored.projector)
    scene = Scene(stored, ANNA, 9, rest=1.0)
    await scene.ask()

    async def erase():
        while (await scene.present()).step is not ErasureStep.FINISHED:
            with suppress(RebuildUnderWay):
                await scene.work()
            await asyncio.sleep(0.1)
        ended.set()

    async def rebuild():
        for _ in range(2):
            with suppress(RebuildUnderWay):
                await scene.do_rebuild()

    async def bring():
        for _ in range(20):
            await scene.do_import()
            await asyncio.sleep(0.05)

    async def project():
        projector = stored.new_projector()
        while not ended.is_set():
            await projector.catch_up()
            await asyncio.sleep(0.01)
        await projector.close()

    await asyncio.gather(erase(), rebuild(), bring(), project())

    done = await scene.present()
    assert (done.certificate["proven"], done.certificate["left"]) == (True, 0)
    assert scene.pieces > 0
    await catch_up(stored.projector)
    await scene.do_verify()
    left = {one.position for one in await scene.logged() if one.hit.user_id == "anna"}
    assert not left & {at + 1 for at in range(number)}
