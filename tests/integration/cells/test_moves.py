"""`footfall cell move`: the store of a cell at another place, with everything in it and nothing twice."""

import json

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.postgres.projections.read_models import READ_MODELS, STATES
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.application.alerts.address_sealing import sealed_address
from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.application.ports.alerts.webhooks import TargetAddress
from footfall.domain.cells.cell import CellRefused
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import AdmissionOutcome, PendingHit
from footfall.domain.tracking.idempotency import IdempotencyKey
from footfall.entrypoints.composition.commands.command_stores import (
    open_journal,
    read_unopened_links,
    read_unopened_targets,
)
from tests.histories import hit
from tests.integration.cells.moving import LOGS, SITE, STORED, TABLES, contents
from tests.stores.cells import add_cells, as_url

# How the tables are copied whose changes are not noted.
WAYS = {
    "by positions": ["hit"],
    "projected at the new place": [*READ_MODELS, *STATES],
    "changed by jobs that wait": ["hit_erasure", "retained", "session_mark"],
    "of the place": ["cell_mark", "changed_row", "column_node", "column_sweep", "schema_migration"],
    "of the store of the journal alone": [
        "alert_request",
        "alert_target",
        "alert_watch",
        "former_proof",
        "invitation_address",
        "key_use",
        "link_use",
        "linked_identity",
        "mail",
        "mail_unsubscription",
        "one_time_token",
        "passkey",
        "person",
        "rate_window",
        "report_recipient",
        "sign_in_attempt",
        "sign_in_use",
        "source_map",
        "visitor_salt",
        "visitor_span_salt",
    ],
}


async def test_everything_is_at_the_new_place_and_the_old_one_is_kept_under_another_name(installation):
    named = evolve(STORED, idempotency=IdempotencyKey(SITE, "once", b"same"), monthly_limit=100)
    extreme = evolve(hit(NOON.replace(year=2019)), hostname="e", page_title="\u202eא\\\t\n" * 99, lcp=1e308)
    await installation.store(installation.old, named, STORED, PendingHit(extreme))

    await installation.move()

    before = installation.left(only=LOGS)
    assert installation.there(only=LOGS) == before
    assert len(before[0]["hit"]) == 3
    assert await installation.place() == "harbour"
    assert await installation.store(installation.new, named, STORED, mark=await installation.mark()) == (
        AdmissionOutcome.REPLAYED,
        AdmissionOutcome.STORED,
    )


async def test_links_and_addresses_that_were_sealed_are_opened_after_a_move(installation):
    secret, context = b"secret of the server", CommandContext()
    async with open_journal(installation.url) as journal:
        user = await journal.commands.people.register(context, name=None, address=None)
        organization = await journal.commands.organizations.register(name="A", owner=user, context=context)
        site = await journal.commands.sites.register(
            organization, name="S", domain="example.com", created_by=user, context=context, cell="west"
        )
        links = LinkKeys(
            journal.commands.sites, SystemRandomness(), SecretSealing(secret), journal.commands.links
        )
        key = await links.generate(site, context)
    address = sealed_address(SecretSealing(secret), TargetAddress("https://example.com/", "shared"))
    with psycopg.connect(installation.url) as connection:
        connection.execute(
            "insert into alert_target (site_id, target, url, secret) values (%s, 1, %s, %s)",
            (site, address.url, address.secret),
        )

    await installation.move()

    assert await read_unopened_links(installation.url, secret) == []
    assert await read_unopened_targets(installation.url, secret) == []
    async with open_journal(installation.url) as journal:
        links = LinkKeys(
            journal.commands.sites, SystemRandomness(), SecretSealing(secret), journal.commands.links
        )
        assert links.key_of(journal.directory.readable_site(str(site)).site) == key


async def test_each_table_of_a_cell_is_copied_in_one_of_the_ways(installation):
    """A new table that a cell writes to has a trigger that notes its changes, or is added here with the reason."""
    with psycopg.connect(installation.old) as connection:
        schema = "current_schema()::regnamespace"
        noted = connection.execute(
            "select tgrelid::regclass::text from pg_trigger join pg_class on pg_class.oid = tgrelid "
            f"where relnamespace = {schema} and tgfoid = 'note_changed_row'::regproc"
        ).fetchall()
        all_tables = connection.execute(TABLES.format(schema="cell_west")).fetchall()

    ways = [{name for (name,) in noted}, *WAYS.values()]

    assert sorted(name for way in ways for name in way) == sorted(name for (name,) in all_tables)


async def test_the_triggers_of_the_new_place_work(installation):
    query = (
        "select tgrelid::regclass::text, tgname, tgenabled from pg_trigger "
        "join pg_class on pg_class.oid = tgrelid "
        "where relnamespace = 'cell_west'::regnamespace and not tgisinternal order by 1, 2"
    )
    await installation.store(installation.old, STORED)
    with psycopg.connect(installation.old) as connection:
        before = connection.execute(query).fetchall()

    await installation.move()

    with psycopg.connect(installation.new) as connection:
        assert connection.execute(query).fetchall() == before


@pytest.mark.usefixtures("impatient")
async def test_a_move_does_not_wait_for_a_report_at_its_end(installation):
    await installation.store(installation.old, STORED)
    with psycopg.connect(installation.old) as report:
        report.execute("select count(*) from hit, idempotency, pageview_quota, event, cell_mark")

        await installation.move()

    assert await installation.place() == "harbour"


async def test_a_cell_moves_back_to_where_it_was(installation):
    await installation.store(installation.old, STORED)
    await installation.move()

    await installation.move("west")

    rows, _ = contents(installation.settings.cells["west"], "cell_west")
    assert (await installation.place(), len(rows["hit"])) == ("west", 1)
    assert await installation.store(installation.old, STORED, mark=await installation.mark()) == (
        AdmissionOutcome.STORED,
    )


async def test_a_place_with_another_store_is_refused_and_keeps_it(installation):
    with psycopg.connect(installation.settings.cells["harbour"], autocommit=True) as connection:
        connection.execute("create schema cell_west create table precious (one integer)")

    with pytest.raises(
        CellRefused, match="the place harbour: the schema cell_west there holds another store"
    ):
        await installation.move()

    assert list(contents(installation.settings.cells["harbour"], "cell_west")[0]) == ["precious"]
    assert await installation.place() == "west"


async def test_a_second_name_of_the_same_place_is_refused(installation):
    places = {**installation.settings.cells, "harbour": installation.settings.cells["west"]}
    installation.settings = evolve(installation.settings, cells=places)

    with pytest.raises(CellRefused, match="the place harbour: the cell west is there already"):
        await installation.move()


def test_the_command_refuses_in_one_line(database_url, tmp_path, monkeypatch):
    from click.testing import CliRunner  # noqa: PLC0415

    from footfall.entrypoints.cli import cli  # noqa: PLC0415

    away = "postgresql://user:hidden@127.0.0.1:1/nothing"
    add_cells(database_url, "west")
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", database_url)
    monkeypatch.setenv("FOOTFALL_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("FOOTFALL_CELLS", f"west={as_url(database_url)} away={away}")
    said = {
        ("north", "away"): "there is no cell north",
        ("west", "south"): "FOOTFALL_CELLS names no place south",
        ("west", "west"): "the cell west is at the place west already",
        ("west", "away"): "the place away: cannot use 127.0.0.1, database nothing",
    }

    for (cell, place), line in said.items():
        result = CliRunner().invoke(cli, ["cell", "move", cell, "--to", place, "--json"])
        last = result.stderr.splitlines()[-1]
        assert (result.exit_code, last.startswith(f"footfall: {line}"), "hidden" in result.output) == (
            1,
            True,
            False,
        ), json.dumps(result.output)
