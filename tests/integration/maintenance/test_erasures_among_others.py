"""Erasures of visitors beside each other, and beside others that erase, copy and delete."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from attrs import evolve

from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.visitor_erasures import ErasureStep
from footfall.domain.mail.mail import Mail, MailContent, MailKind
from footfall.domain.visits.subject import Subject
from footfall.entrypoints.composition.commands.visitor_commands import SiteDeletedMeanwhile, present
from tests.histories import SITE, START, after, hit, record
from tests.stores.erasing import USER, Killed, erasing_world, one_by_one

OLD, NEW = 4, 3
LOG = record(
    *(hit(after(hours=number), user_id="anna") for number in range(OLD)),
    *(hit(after(days=60, hours=number), user_id="anna") for number in range(NEW)),
    hit(after(days=60), visitor_id=2),
)


@pytest.fixture
async def world(stored):
    async with erasing_world(stored, LOG, erasing=one_by_one) as world:
        yield world


async def positions(world):
    return [row["position"] for row in await world.execute("select position from hit order by position")]


async def test_hits_that_retention_erased_meanwhile_hide_no_others(world):
    await world.ask()
    async with PostgresRetentionStore(world.stored.connections, world.stored.url).lock() as locked:
        await world.eraser().work()
        assert (await world.present()).step is ErasureStep.ERASING
        while await locked.erase_some(RetentionCutoff(SITE, after(days=50)), 100) is not None:
            pass

    await world.eraser().work()

    done = await world.present()
    assert await positions(world) == [OLD + NEW + 1]
    assert await world.execute("select from visitor_erasure_hit") == []
    assert (done.step, done.hits, done.visits) == (ErasureStep.FINISHED, NEW, NEW)
    assert (done.certificate["left"], done.certificate["proven"]) == (0, True)


async def test_two_erasures_of_the_same_hits_leave_none_of_both(world):
    await world.ask()
    await world.ask(Subject(frozenset({"anna"}), frozenset({1, 2})), at=START + timedelta(seconds=1))
    async with holding_lock(AdvisoryLock.RETENTION, world.stored.url):
        await world.eraser().work()

    await world.eraser().work()

    assert await positions(world) == []
    assert [(one.step, one.hits) for one in await world.erasures.of_site(SITE)] == [
        (ErasureStep.FINISHED, 1),
        (ErasureStep.FINISHED, OLD + NEW),
    ]
    assert all(one.certificate["proven"] for one in await world.erasures.of_site(SITE))


async def test_hits_without_a_visit_are_no_end_of_an_erasure(world):
    await world.ask()
    async with holding_lock(AdvisoryLock.RETENTION, world.stored.url):
        await world.eraser().work()
    await world.execute("delete from session")

    with pytest.raises(StoreUnavailable, match="in no visit"):
        await world.eraser().work()

    assert (await world.present()).step is ErasureStep.ERASING


async def test_an_erasure_that_waits_for_a_rebuild_keeps_no_other_waiting(world):
    await world.ask()
    await world.ask(Subject(visitors=frozenset({2})), at=START + timedelta(seconds=1))
    async with holding_lock(AdvisoryLock.RETENTION, world.stored.url):
        await world.eraser().work()
    await world.execute("delete from session where visitor_id = 1")

    with pytest.raises(StoreUnavailable, match="in no visit"):
        await world.eraser().work()

    other, waiting = await world.erasures.of_site(SITE)
    assert (waiting.step, waiting.hits) == (ErasureStep.ERASING, 0)
    assert (other.step, other.hits) == (ErasureStep.FINISHED, 1)


async def test_a_hit_that_was_not_erased_makes_a_certificate_that_is_not_proven(world):
    class Forgetful(Erasing):
        async def run(self):
            await world.execute("delete from visitor_erasure_hit where position = %s", OLD)
            return await super().run()

    await world.ask()

    await evolve(world, erasing=Forgetful).eraser().work()

    certificate = (await world.present()).certificate
    assert await positions(world) == [OLD, OLD + NEW + 1]
    assert (certificate["proven"], certificate["left"], certificate["stays"]["unchanged"]) == (
        False,
        1,
        False,
    )


async def test_a_read_model_that_a_replay_does_not_make_is_named_in_the_certificate(world):
    await world.execute("update traffic_bucket set sessions = sessions + 1 where bucket > %s", after(days=59))
    await world.ask()

    await world.eraser().work()

    certificate = (await world.present()).certificate
    assert certificate["proven"] is False
    assert set(certificate["replay"]["differences"]) == {"traffic_bucket"}


async def test_a_copy_that_is_made_before_the_last_hit_goes_is_stale(world):
    nodes = PostgresColumnNodes(world.stored.connections)
    await nodes.note_export(SITE, "host", "/before")
    # The clock of the machine that asks may be behind that of the database.
    await world.ask(at=START)
    async with holding_lock(AdvisoryLock.RETENTION, world.stored.url):
        await world.eraser().work()
        await nodes.note_export(SITE, "host", "/meanwhile")
    await nodes.register(node := uuid4())
    await world.eraser().work()
    await nodes.note_export(SITE, "host", "/after")
    await nodes.acknowledge_removals(node, await nodes.due_removals(node))

    await world.eraser().work()

    copies = (await world.present()).certificate["staleCopies"]
    assert [copy["directory"] for copy in copies] == ["/before", "/meanwhile"]


async def test_an_erasure_of_a_deleted_site_ends_without_a_replay(world):
    asked = await world.ask()
    await world.journal.commands.sites.delete(SITE, USER)

    await world.eraser().work()

    assert await world.erasures.of_site(SITE) == []
    assert await world.execute("select from visitor_erasure_hit") == []
    assert world.replays == []
    with pytest.raises(SiteDeletedMeanwhile, match="the site was deleted"):
        await present(world.erasures, asked)


async def test_a_replay_is_not_repeated_while_the_history_of_the_site_is_away(world):
    class Away:
        async def require(self, _site_id):
            pass

        async def tell(self, *_):
            raise StoreUnavailable("away")

    await world.ask()
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await world.eraser(history=Away()).work()
    assert (await world.present()).step is ErasureStep.TELLING

    await world.eraser().work()

    assert (await world.present()).certificate["proven"] is True
    assert world.replays == [1]


async def test_what_is_left_has_no_sums_of_what_went(world):
    await world.ask()
    await world.eraser().work()

    [row] = await world.execute(
        "select users, visitors, before, after, measured_up_to, found_up_to from visitor_erasure"
    )
    assert set(row.values()) == {None}


async def test_files_count_without_what_has_gone_until_the_last_batch_revokes_their_days(world):
    await world.stored.close_days()
    closed = "select day, version from column_day where state = 'closed' order by day"
    versions = await world.execute(closed)
    async with holding_lock(AdvisoryLock.RETENTION, world.stored.url):
        await world.ask()
        await world.eraser().work()
        erasure = (await world.present()).erasure
    async with world.stored.connections.connection() as connection:
        erasing = Erasing(connection, SITE, erasure, 1)
        assert await erasing.run()

        assert versions
        assert await world.execute(closed) == versions
        assert await world.execute("select count(*)::integer from column_change") == [{"count": 1}]
        while await erasing.run():
            pass

    assert await world.execute(closed) == []
    assert await world.execute("select from column_change") == []


async def test_what_can_bring_the_visitor_again_is_named(world):
    await world.execute(
        "insert into site_import (site_id, format, source_key, source, state, started_at, changed_at)"
        " select %s, format, '', '/home/logs', state, now(), now()"
        " from (values ('matomo', 'running'), ('ga4', 'complete'), ('umami', 'undoing')) as made (format, state)",
        SITE,
    )
    await world.execute("insert into hit_import values (%s, 'abc', 7), (%s, 'never', 0)", SITE, SITE)
    await world.ask()

    await world.eraser().work()

    sources = (await world.present()).certificate["openSources"]
    assert sources == ["import 1 from matomo, running", "archive of the site abc"]


async def test_a_report_that_is_made_meanwhile_is_taken_from_the_queue(world):
    outbox = PostgresOutbox(world.stored.connections, world.stored.url)
    content = MailContent(subject="s", text="t", html="h")
    report = Mail(
        mail_id="report-1-1-weekly-2026-03-23",
        kind=MailKind.REPORT,
        recipient="a@b.example",
        content=content,
        unsubscribe_url="https://x",
    )
    await world.ask()
    async with holding_lock(AdvisoryLock.REPORTS, world.stored.url):
        await world.eraser().work()
        assert (await world.present()).step is ErasureStep.SWEEPING
        await outbox.enqueue(report, at=START)

    await world.eraser().work()

    done = await world.present()
    assert (done.step, done.mails) == (ErasureStep.FINISHED, 1)
    assert await world.execute("select from mail") == []


async def test_the_nodes_that_are_waited_for_are_known(world):
    await PostgresColumnNodes(world.stored.connections).register(node := uuid4())
    asked = await world.ask()
    assert await world.erasures.awaited_nodes(asked) == []

    await world.eraser().work()

    assert [one.node for one in await world.erasures.awaited_nodes(await world.present())] == [node]


async def test_a_process_that_is_killed_after_a_commit_leaves_no_note_unfinished(world):
    class Dying(Erasing):
        async def _own(self, name, **values):
            if name == "erasing/finish_notes":
                raise Killed
            return await super()._own(name, **values)

    await world.ask()
    dying = evolve(world, erasing=partial(one_by_one, erasing=Dying))
    for _ in range(OLD + NEW):
        with pytest.raises(Killed):
            await dying.eraser().work()
    assert await positions(world) == [OLD + NEW + 1]
    assert await world.execute("select from hit_erasure where finished_at is null") != []

    await world.eraser().work()

    assert await world.execute("select from hit_erasure where finished_at is null") == []
    done = await world.present()
    assert (done.hits, done.visits, done.certificate["proven"]) == (OLD + NEW, OLD + NEW, True)
