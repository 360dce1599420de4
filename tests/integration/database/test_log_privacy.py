"""No payload is in the logs, whatever fails: a value that failures quote is looked for in each line."""

import asyncio
import gc
import io
import json
import logging
from contextlib import redirect_stderr

import psycopg
import pytest

from footfall.adapters.postgres.database.connections import Connections, connect
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import a_hit
from footfall.entrypoints.composition.background import Background
from footfall.entrypoints.server.logs import configure_logs
from footfall.entrypoints.settings import read_settings
from tests.background import in_background
from tests.submissions import one

POISON = "jane-doe-4711"
REFUSE = """
    create function quote() returns trigger language plpgsql as $$
    begin
        raise exception 'no %', new.page_title using detail = new.page_title;
    end
    $$
"""


@pytest.fixture(params=["text", "json"])
def lines(request, tmp_path):
    """The lines that the service writes to standard error."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers[:], root.level
    variables = {
        "FOOTFALL_LOG_FORMAT": request.param,
        "FOOTFALL_LOG_LEVEL": "debug",
        "FOOTFALL_DATA_DIR": str(tmp_path),
    }
    with redirect_stderr(stream):
        configure_logs(read_settings(variables))
        yield stream.getvalue
    root.handlers[:], root.level = handlers, level


async def database_failure(url):
    connection = await connect(url)
    try:
        await connection.execute("create temporary table visit (name jsonb, number double precision)")
        with CopyIn(connection) as copy_in:
            await copy_in.copy(b"copy visit from stdin (format csv)", f'{{,"{POISON}"\n'.encode())
    finally:
        await connection.close()


async def test_a_failure_of_the_database_is_logged_by_kind_and_place(lines, database_url):
    async def job():
        await database_failure(database_url)

    background = Background({POISON.upper(): job, "job": job})
    background.start()
    while "job" not in lines() or "SQLSTATE" not in lines():
        await asyncio.sleep(0.01)
    await background.stop()

    assert POISON not in lines()
    assert "psycopg.errors.InvalidTextRepresentation (SQLSTATE 22P02)" in lines()
    assert "libpq_copy.py" in lines()


class Quoting:
    """A value that is none of those that events have, and says what it holds where it is used."""

    def __getattr__(self, name):
        raise RuntimeError(POISON)


async def test_a_batch_that_fails_is_logged_without_what_is_in_it(lines, database_url):
    intake = PostgresIntake(database_url)
    async with in_background(intake=intake.run):
        with pytest.raises(StoreUnavailable):
            await intake.submit(one(a_hit(page_title=Quoting())))

    assert "a batch of hits failed" in lines()
    assert POISON not in lines()


async def test_a_row_that_the_table_refuses_is_not_logged(lines, database_url):
    connections = Connections(database_url)
    await connections.open()
    async with connections.connection() as connection:
        await connection.execute(REFUSE)
        await connection.execute(
            "create trigger hit_refused before insert on hit for each row execute function quote()"
        )
    intake = PostgresIntake(database_url)
    async with in_background(intake=intake.run):
        with pytest.raises(StoreUnavailable):
            await intake.submit(one(a_hit(page_title=POISON)))
    await connections.close()

    assert "RaiseException" in lines()
    assert POISON not in lines()


async def test_causes_exception_groups_and_lost_tasks_are_logged_without_content(lines):
    async def lost():
        raise ValueError(POISON)

    task = asyncio.ensure_future(lost())
    await asyncio.wait([task])
    del task
    gc.collect()
    try:
        try:
            raise KeyError(POISON)  # noqa: TRY301 - its cause is the point
        except KeyError as cause:
            raise ExceptionGroup(POISON, [psycopg.DataError(POISON)]) from cause
    except ExceptionGroup as group:
        logging.getLogger("gunicorn.error").exception("Exception in worker process")
        logging.getLogger("footfall").error("failed: %s", group)  # noqa: TRY400 - without a traceback
        logging.getLogger("footfall").error(group)  # noqa: TRY400 - without a traceback

    assert "Task exception was never retrieved" in lines()
    assert "KeyError" in lines()
    assert "with psycopg.DataError" in lines()
    assert POISON not in lines()


def test_a_line_of_json_keeps_where_it_failed(lines):
    try:
        json.loads(POISON)
    except ValueError:
        logging.getLogger("footfall").exception("failed")

    assert "decoder.py" in lines()
    assert "json.decoder.JSONDecodeError" in lines()
    assert POISON not in lines()
