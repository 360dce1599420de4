"""The projector counts days of errors piece by piece, and reads the sums of no other days."""

import re
from datetime import timedelta

import pytest

from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import statement
from tests.histories import SITE, after, error, record


async def test_the_projector_goes_on_between_days_that_take_long(stored):
    await stored.append(record(*(error("x", after(days=day)) for day in range(4))))
    await stored.projector.catch_up()
    slow = """
        create function take_long() returns trigger language plpgsql as $$
        begin
            perform pg_sleep(0.3);
            return null;
        end
        $$;
        create trigger takes_long after insert on error_day for each row execute function take_long()
    """
    counted, more = [], True
    async with stored.connections.connection() as connection:
        await connection.execute(slow)
    try:
        while more:
            more = await stored.projector.catch_up()
            counted.append(await counted_days(stored))
    finally:
        async with stored.connections.connection() as connection:
            await connection.execute("drop trigger takes_long on error_day; drop function take_long")

    # At last a day without errors is looked at.
    assert counted == [1, 2, 3, 4, 4]


@pytest.mark.parametrize(("days_ago", "most"), [(0, 1), (3, 2_000)], ids=["of today", "late"])
async def test_errors_read_the_sums_of_their_days_alone(stored, days_ago, most):
    days = """
        insert into error_day (site_id, day, fingerprint, occurrences, sessions, continued)
        select %s, day_of(now()) - number * interval '24 hours', md5(cause::text), 1, 1, 0
        from generate_series(2, 20) as number
        cross join generate_series(1, 1000) as cause
    """
    errors = (
        "insert into new_errors (site_id, occurred_at) select %s, now() - %s from generate_series(1, 1000)"
    )
    async with await connect(stored.url) as connection, connection.transaction(force_rollback=True):
        await connection.execute(days, (SITE,))
        await connection.execute("analyze error_day")
        for name in ("slice_table", "new_errors_table"):
            await connection.execute(statement(f"projections/working_tables/{name}"))
        await connection.execute(errors, (SITE, timedelta(days=days_ago)))
        await avoid_nested_loops(connection)
        explained = b"explain analyze " + statement("projections/error_days/forget_touched")
        plan = [row["QUERY PLAN"] for row in await (await connection.execute(explained)).fetchall()]

    [scan] = [line for line in plan if "Scan" in line and " on error_day " in line]
    assert "Index" in scan
    # Of 19,000: the planner may look whether there is one.
    assert sum(map(float, re.findall(r"actual .*rows=([\d.]+)", scan))) <= most


async def counted_days(stored):
    """Return how many days have sums."""
    async with stored.connections.connection() as connection:
        cursor = await connection.execute("select count(distinct day) as days from error_day")
        [row] = await cursor.fetchall()
    return row["days"]
