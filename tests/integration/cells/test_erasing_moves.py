"""A visitor is erased while the store of its site moves: at the old place, at the new one, or in parts at both."""

import asyncio
import threading
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

import pytest

from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.commands.context import CommandContext
from footfall.application.ports.visitor_erasures import ErasureStep, VisitorErasure
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.visits.subject import Subject
from footfall.entrypoints.composition.commands.command_stores import open_journal, opened
from footfall.entrypoints.composition.commands.visitor_erasing import VisitorErasing, replayed
from footfall.entrypoints.composition.projectors import build_projector
from tests.histories import error, hit
from tests.integration.cells.moving import SITE, contents
from tests.stores.erasing import DyingQueue, Fate, Killed, one_by_one
from tests.stores.stored import catch_up

VISITS = 4


def log():
    """Return visits of anna, whose first error is hers, and one of another visitor between each two."""
    for number in range(VISITS):
        at = NOON.replace(hour=2 * number)
        yield hit(at, user_id="anna")
        yield error("x", at.replace(minute=5), user_id="anna")
        yield error("x", at.replace(minute=9), visitor_id=2)


@pytest.fixture
async def erasing(installation, tmp_path):
    """Return what lets a process erase at a place, which is killed at one of its calls, and tells the state then."""
    async with open_journal(installation.url) as journal:
        context, commands = CommandContext(), journal.commands
        user = await commands.people.register(context, name=None, address=None)
        organization = await commands.organizations.register(name="A", owner=user, context=context)
        names = {"name": "S", "domain": "example.com", "created_by": user, "cell": "west"}
        assert await commands.sites.register(organization, context=context, **names) == SITE
    await installation.store(installation.old, *map(PendingHit, log()))
    await project(installation.old)

    asked = VisitorErasure(
        erasure=uuid4(), site_id=SITE, requested_at=NOON, subject=Subject(frozenset({"anna"}))
    )

    @asynccontextmanager
    async def eraser(url, at):
        async with (
            open_journal(installation.url) as journal,
            opened(installation.url, most=1) as main,
            opened(url, most=2) as pool,
        ):
            one = VisitorErasing(
                url=installation.url,
                outbox=PostgresOutbox(main, installation.url),
                history=journal.commands.visitor_erasures,
                secret=b"secret",
                data_dir=tmp_path,
            ).of(url, pool)
            erasures = PostgresVisitorErasures(pool, url, one_by_one)
            yield (
                erasures,
                type(one)(
                    **{
                        name.lstrip("_"): getattr(one, name)
                        for name in one.__slots__
                        if name != "__weakref__"
                    }
                    | {"erasures": DyingQueue(erasures, Fate(at)), "rest": 0.0}
                ),
            )

    async def work(url, at=0):
        async with eraser(url, at) as (erasures, one):
            if not await erasures.of_site(SITE):
                await erasures.request(SITE, asked)
            with suppress(Killed):
                await one.work()
            return (await erasures.of_site(SITE))[0]

    return work


async def project(url):
    projector = build_projector(url)
    try:
        await catch_up(projector)
    finally:
        await projector.close()


# The number of calls after which the process at the old place is killed: before the erasure has found anything, while
# some events have gone, before it proves, and at no call.
@pytest.mark.parametrize("at", [2, 8, 12, 16, 25])
async def test_an_erasure_that_was_begun_goes_on_at_the_new_place(installation, erasing, at):
    begun = await erasing(installation.old, at)

    await installation.move()
    done = await erasing(installation.new)

    assert (begun.step, done.step) != (ErasureStep.FINISHED, begun.step)
    certificate = done.certificate
    assert (certificate["proven"], certificate["left"]) == (True, 0)
    assert certificate["erased"]["events"] == 2 * VISITS
    assert not any((await replayed(installation.new)).values())
    rows, _ = contents(
        installation.settings.cells["harbour"], "cell_west", only=["hit", "visitor_erasure_hit"]
    )
    assert len(rows["hit"]) == VISITS
    assert rows["visitor_erasure_hit"] == []


async def test_an_erasure_that_is_asked_for_during_the_move_waits_for_its_end(installation, erasing):
    seen = []

    def report(step):
        def erase():
            seen.append((step, asyncio.run(erasing(installation.old)).step))

        if step in ("copying", "verifying"):
            other = threading.Thread(target=erase, daemon=True)
            other.start()
            other.join(60)

    await installation.move_with(report)
    done = await erasing(installation.new)

    assert seen == [("copying", ErasureStep.FINDING), ("verifying", ErasureStep.FINDING)]
    assert (done.step, done.certificate["proven"], done.hits) == (ErasureStep.FINISHED, True, 2 * VISITS)
