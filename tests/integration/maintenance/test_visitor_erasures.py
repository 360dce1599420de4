"""An erasure of a visitor goes on after each interruption, and ends once, when every node has removed its files."""

import asyncio
import shutil
from datetime import timedelta
from uuid import uuid4

import pytest
from attrs import evolve

from footfall.adapters.columns.files.sweeper import Sweeper
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.erasure_list import read_list
from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.visitor_erasures import ErasureStep
from footfall.application.visitors.selectors import Selectors
from footfall.domain.citations.past_refusals import ErasedSince
from footfall.domain.mail.mail import Mail, MailContent, MailKind
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.visits.subject import Subject
from footfall.entrypoints.composition.commands.visitor_erasing import VisitorErasing
from tests.contract.reports.test_past_reports import _question
from tests.histories import SITE, START, after, error, event, hit, record
from tests.stores.erasing import SECRET, Fate, Killed, erasing_world, one_by_one
from tests.stores.stored import catch_up

# Three visits of anna among others, one of them shared, and one over midnight that falls apart without her.
LOG = record(
    hit(user_id="anna", properties={"plan": "pro"}),
    hit(after(minutes=20), user_id="bob"),
    error("x", after(minutes=25), user_id="anna"),
    error("x", after(hours=1), visitor_id=2),
    hit(after(hours=3, minutes=50), visitor_id=3, user_id="bob"),
    event("order", after(hours=4, minutes=10), visitor_id=3, user_id="anna"),
    hit(after(hours=4, minutes=30), visitor_id=3, user_id="bob"),
    hit(after(days=9), visitor_id=2, user_id="anna"),
    hit(after(days=20), visitor_id=2),
)


@pytest.fixture
async def world(stored):
    async with erasing_world(stored, LOG) as world:
        yield world


async def test_an_erasure_that_is_killed_at_every_step_ends_once(world):
    world = evolve(world, erasing=one_by_one)
    await world.ask()

    killed = 0
    while (await world.present()).step is not ErasureStep.FINISHED:
        # One call further than the last process, which had fewer to make.
        for at in range(1, 60):
            try:
                await world.eraser(Fate(at)).work()
            except Killed:
                killed += 1
            if (await world.present()).step is ErasureStep.FINISHED:
                break

    done = await world.present()
    assert killed > 15
    assert done.certificate["proven"] is True
    assert (done.visits, done.hits, done.errors, done.subject) == (3, 4, 1, None)
    assert await world.told() == ["1"]
    assert [row["position"] for row in await world.execute("select position from hit order by position")] == [
        2,
        4,
        5,
        7,
        9,
    ]
    await world.eraser().work()
    assert await world.told() == ["1"]


async def test_erasing_waits_for_retention_and_for_hits_that_are_not_projected(world):
    await world.ask()
    await world.stored.append(record(hit(after(days=21), user_id="anna"), first=10))
    await world.eraser().work()
    assert (await world.present()).step is ErasureStep.FINDING

    await catch_up(world.stored.projector)
    async with holding_lock(AdvisoryLock.RETENTION, world.stored.url):
        await world.eraser().work()
        assert (await world.present()).step is ErasureStep.ERASING

    await world.eraser().work()
    assert ((await world.present()).step, (await world.present()).hits) == (ErasureStep.FINISHED, 5)


async def test_an_erasure_is_begun_beside_traffic_though_the_projector_is_always_behind(world):
    asked = await world.ask()
    await world.stored.append(record(hit(after(days=21), user_id="anna"), first=10))

    async def project_later():
        await asyncio.sleep(0.3)
        await catch_up(world.stored.projector)

    async with world.erasures.lock() as locked:
        _, is_found = await asyncio.gather(project_later(), locked.find(asked))

    assert is_found
    assert (await world.present()).step is ErasureStep.ERASING


async def test_hits_that_come_meanwhile_stay_and_leave_the_proof_as_it_is(world):
    class Interrupted(Erasing):
        async def run(self):
            late = record(hit(after(minutes=21), visitor_id=1, user_id="bob"), first=20)
            if await world.execute("select from hit where position = 20") == []:
                await world.stored.append(late)
            return await super().run()

    await world.ask()

    await evolve(world, erasing=Interrupted).eraser().work()

    done = await world.present()
    assert done.certificate["proven"] is True
    assert await world.execute("select from hit where position = 20") != []


async def test_an_erasure_waits_for_the_files_of_every_node(world, tmp_path):
    stored, layout = world.stored, FilesLayout(tmp_path / "columns")
    layout.prepare()
    nodes, forgotten = PostgresColumnNodes(stored.connections), []

    async def forget(site_id):
        forgotten.append(site_id)

    made = await stored.make_columns(layout.root)
    sweeper, other = Sweeper(layout, stored.column_store(), nodes, forget), uuid4()
    for node in (layout.node_id(), other):
        await nodes.register(node)
    damaged = layout.aside / f"{SITE}_damaged"
    damaged.mkdir()
    # Files that lay among those of another site.
    misplaced = layout.aside / "7_moved"
    shutil.copytree(made[0].hits.parent, misplaced)
    await sweeper.sweep()
    assert damaged.exists()
    assert misplaced.exists()
    await world.ask()

    await world.eraser().work()
    assert (await world.present()).step is ErasureStep.SWEEPING
    await sweeper.sweep()
    await world.eraser().work()
    assert (await world.present()).step is ErasureStep.SWEEPING
    await nodes.acknowledge_removals(other, await nodes.due_removals(other))
    await world.eraser().work()

    assert (await world.present()).step is ErasureStep.FINISHED
    left = {path.parent for path in layout.cell.rglob("*.parquet")}
    touched = {START.date(), after(days=1).date(), after(days=9).date()}
    assert left == {one.hits.parent for one in made if one.days[0].day.date() not in touched}
    assert len(left) == 1
    assert list(layout.aside.iterdir()) == []
    assert forgotten == [SITE]
    assert await world.execute("select * from visitor_sweep") == []


async def test_answers_with_the_visitor_are_not_given_again_and_others_are(world):
    touched, untouched = Period(START, after(hours=1)), Period(after(days=19), after(days=21))
    early = Period(after(days=8), after(days=10))
    async with world.stored.snapshots().past(_question(untouched, traffic=9)) as past:
        before = await past.traffic.overview(SITE, ReportQuery(untouched))
    async with world.stored.snapshots().past(_question(early, traffic=5)) as past:
        nothing = await past.traffic.overview(SITE, ReportQuery(early))
    await world.ask()

    await world.eraser().work()

    async with world.stored.snapshots().past(_question(untouched, traffic=9)) as past:
        assert await past.traffic.overview(SITE, ReportQuery(untouched)) == before
    # Before her third visit was stored its days had nothing of her.
    async with world.stored.snapshots().past(_question(early, traffic=5)) as past:
        assert await past.traffic.overview(SITE, ReportQuery(early)) == nothing
    for period in (touched, Period(after(days=9), after(days=10))):
        with pytest.raises(
            ErasedSince, match="A visitor has been erased since: this answer cannot be given again"
        ):
            async with world.stored.snapshots().past(_question(period, traffic=9)):
                pass


async def test_reports_that_wait_in_the_queue_go_and_other_mails_stay(world):
    outbox = PostgresOutbox(world.stored.connections, world.stored.url)
    for mail_id, kind in {
        "report-1-1-weekly-2026-03-23": MailKind.REPORT,
        "report-1-all-daily-2026-03-23": MailKind.REPORT,
        "report-1-11-weekly-2026-03-23": MailKind.REPORT,
        "alert-1-1-1-opened-1": MailKind.ALERT,
    }.items():
        content = MailContent(subject="s", text="t", html="h")
        mail = Mail(
            mail_id=mail_id, kind=kind, recipient="a@b.example", content=content, unsubscribe_url="https://x"
        )
        await outbox.enqueue(mail, at=START)
    await world.ask()

    await world.eraser().work()

    left = await world.execute("select mail_id from mail order by mail_id")
    assert [row["mail_id"] for row in left] == ["alert-1-1-1-opened-1", "report-1-11-weekly-2026-03-23"]
    done = await world.present()
    assert (done.mails, done.certificate["erased"]["queuedMails"], world.tidied) == (2, 2, [1])


async def tables_of(world):
    """Return the rows of all tables as texts."""
    names = await world.execute(
        "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'"
    )
    return {
        row["name"]: sorted(
            [
                own["text"]
                for own in await world.execute(f"select own::text as text from {row['name']} as own")
            ]
        )
        for row in names
    }


async def test_what_is_left_is_that_of_a_store_without_the_visitor_but_for_the_note_and_the_certificate(
    world,
):
    of_others = [one for one in LOG if one.hit.user_id != "anna"]
    erasure = (await world.ask()).erasure
    await world.eraser().work()
    erased, certified = await tables_of(world), await world.execute("select * from visitor_erasure")
    notes = await world.execute("select * from hit_erasure order by since")

    await world.stored.empty()
    await world.stored.append(of_others)
    await catch_up(world.stored.projector)

    never = await tables_of(world)
    own = {
        "visitor_erasure",
        "hit_erasure",
        "event",
        "ingestion_outcome",
        "position_minute",
        "projection_checkpoint",
    }
    # Versions of days are counted on when they are revoked, days wait to be counted again, and messages have the
    # number of their first hit.
    own |= {
        "column_day",
        "column_change",
        "error_bucket",
        "error_day_due",
        "error_message",
        "error_occurrence",
        "error_session",
    }
    differing = {name for name, rows in erased.items() if rows != never[name]}
    assert differing <= own, differing - own
    for name in own & differing:
        assert not [text for text in erased[name] if "anna" in text], name
    [row] = certified
    assert {name for name, value in row.items() if value is None} >= {"users", "visitors", "before", "after"}
    days = {START.date(), after(days=1).date(), after(days=9).date()}
    assert {(note["since"].date(), note["until"] - note["since"]) for note in notes} == {
        (day, timedelta(days=1)) for day in days
    }
    assert not [note for note in notes if str(erasure) in note["reason"] or note["finished_at"] is None]


async def test_the_job_of_a_store_has_what_it_needs(world, tmp_path):
    erasing = VisitorErasing(
        url=world.stored.url,
        outbox=PostgresOutbox(world.stored.connections, world.stored.url),
        history=world.journal.commands.visitor_erasures,
        secret=SECRET,
        data_dir=tmp_path,
    )
    asked = await world.ask()

    await erasing.of(world.stored.url, world.stored.connections).work()

    assert (await world.present()).certificate["proven"] is True
    assert SECRET.decode() not in repr(erasing)
    assert timedelta(0) < (await world.present()).finished_at - START
    [(_, listed)] = read_list((tmp_path / "erasures.log").read_bytes()).erasures
    assert (listed.erasure, listed.selectors) == (
        asked.erasure,
        tuple(Selectors(SECRET).of(SITE, asked.subject)),
    )


async def test_an_erasure_that_is_asked_for_while_others_are_listed_waits_for_its_own_turn(world):
    await world.ask(at=START)
    listed = []

    async def list_and_ask():
        listed.append([one.site_id for one in await world.erasures.listed()])
        if len(listed) == 1:
            await world.ask(Subject(frozenset({"bob"})), at=after(minutes=1))

    eraser = evolve(world.eraser(), listed=list_and_ask)
    await eraser.work()

    steps = [one.step for one in await world.erasures.of_site(SITE)]
    assert steps == [ErasureStep.FINDING, ErasureStep.FINISHED]
    await eraser.work()
    assert listed == [[SITE], [SITE, SITE]]
    assert {one.step for one in await world.erasures.of_site(SITE)} == {ErasureStep.FINISHED}


async def test_nothing_is_erased_that_cannot_be_listed(world, tmp_path):
    erasing = VisitorErasing(
        url=world.stored.url,
        outbox=PostgresOutbox(world.stored.connections, world.stored.url),
        history=world.journal.commands.visitor_erasures,
        secret=SECRET,
        data_dir=tmp_path / "file",
    )
    (tmp_path / "file").write_text("in the way")
    await world.ask()

    with pytest.raises(StoreUnavailable, match="the list of erasures cannot be written: File exists"):
        await erasing.of(world.stored.url, world.stored.connections).work()

    assert (await world.present()).step is ErasureStep.FINDING
