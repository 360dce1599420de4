"""The engine: what its DuckDB may read, how long a query may take, and what a failure is called."""

import asyncio
import sys
import time

import duckdb
import pytest

from footfall.adapters.columns.queries import ColumnsFailed, Reason
from footfall.adapters.columns.reader.engine import PARSED, Engine, Limits
from tests.waiting import LONG, until

# Hours of work, none of it in memory.
ENDLESS = "select count(*) from range(9000000000000) as one where range % $seven = 7"


@pytest.fixture
async def engine(tmp_path):
    engine = Engine(tmp_path, Limits(query_seconds=60))
    yield engine
    await engine.close()


async def refused(engine, text, **parameters):
    """Return why a query is refused."""
    with pytest.raises(ColumnsFailed) as failure:
        await engine.query(text, parameters)
    return failure.value.reason


async def threads_of(engine):
    """Return the threads of the instance."""
    [(threads,)] = await engine.query("select current_setting('threads')", {})
    return threads


async def until_equal(value, find):
    """Wait until something found is equal to a value."""
    async with asyncio.timeout(LONG):
        while await find() != value:
            await asyncio.sleep(0.01)


async def test_a_query_answers_from_files_of_the_directory(engine, tmp_path):
    with duckdb.connect() as connection:
        connection.execute(f"copy (select 7 as number) to '{tmp_path}/numbers.parquet' (format parquet)")

    rows = await engine.query(
        "select number from read_parquet($files)", {"files": [str(tmp_path / "numbers.parquet")]}
    )

    assert rows == [(7,)]


async def test_files_outside_of_the_directory_are_refused(engine):
    assert await refused(engine, "select * from read_text($file)", file="/etc/hostname") is Reason.OTHER


@pytest.mark.parametrize("content", [b"", b"no parquet at all" * 100])
async def test_an_unreadable_file_is_named_as_the_reason(engine, tmp_path, content):
    (tmp_path / "damaged.parquet").write_bytes(content)

    for name in ("damaged.parquet", "missing.parquet"):
        reason = await refused(engine, "select * from read_parquet($files)", files=[str(tmp_path / name)])
        assert reason is Reason.FILE


async def test_a_directory_that_has_vanished_is_made_anew(tmp_path):
    engine = Engine(tmp_path / "nowhere" / "columns")

    assert await engine.query("select 1", {}) == [(1,)]

    await engine.close()


async def test_a_directory_that_cannot_be_made_is_a_missing_file(tmp_path):
    (tmp_path / "file").write_text("")
    engine = Engine(tmp_path / "file" / "columns")

    assert await refused(engine, "select 1") is Reason.FILE

    await engine.close()


async def test_a_query_ends_when_its_time_is_over(tmp_path):
    engine = Engine(tmp_path, Limits(query_seconds=1))
    began = time.monotonic()

    reason = await refused(engine, ENDLESS, seven=7)

    assert reason is Reason.TIME
    assert time.monotonic() - began < LONG
    await engine.close()


async def test_a_query_that_nothing_waits_for_is_ended(tmp_path):
    engine = Engine(tmp_path, Limits(query_seconds=60))
    asked = asyncio.create_task(engine.query(ENDLESS, {"seven": 7}))
    await until(lambda: engine.is_open)

    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked

    assert await engine.query("select 1", {}) == [(1,)]
    await engine.close()


async def test_queries_run_beside_each_other_with_a_thread_each(engine):
    assert await threads_of(engine) == 2
    endless = [asyncio.create_task(engine.query(ENDLESS, {"seven": 7})) for _ in range(2)]

    await until_equal(1, lambda: threads_of(engine))

    assert engine.idle_seconds == 0.0
    for one in endless:
        one.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one
    await until_equal(2, lambda: threads_of(engine))


async def test_a_query_that_all_threads_work_for_keeps_no_other_waiting(engine):
    endless = asyncio.create_task(engine.query(ENDLESS, {"seven": 7}))
    # Time for a thread to help with it.
    await asyncio.sleep(0.3)
    another = asyncio.create_task(engine.query(ENDLESS, {"seven": 7}))
    await asyncio.sleep(0.1)

    async with asyncio.timeout(LONG):
        assert await engine.query("select 7", {}) == [(7,)]
    await until_equal(1, lambda: threads_of(engine))

    assert not endless.done()
    for one in (endless, another):
        one.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one


async def test_threads_share_what_is_parsed(engine):
    interval = sys.getswitchinterval()
    # Threads take turns after a few instructions each.
    sys.setswitchinterval(1e-6)
    try:
        found = await asyncio.gather(
            *(
                engine.query(f"select {number % (PARSED + 8)} + $one", {"one": number})
                for number in range(3_000)
            )
        )
    finally:
        sys.setswitchinterval(interval)

    assert found == [[(number % (PARSED + 8) + number,)] for number in range(3_000)]


async def test_what_is_parsed_is_run_only_as_what_it_is(engine):
    text = "create table one as select 1"

    kept = await engine.keep(text, {})

    assert kept == 1
    assert await refused(engine, text) is Reason.OTHER


async def test_another_instance_has_the_functions_and_runs_what_was_parsed_before(engine):
    text = "select property_text({kind: 'string', decimal: null, text: $given})"

    def fail(_connection):
        raise duckdb.FatalException("the instance answers nothing any more")

    before = await engine.query(text, {"given": "pro"})
    with pytest.raises(ColumnsFailed):
        await engine.work(fail)

    assert await engine.query(text, {"given": "pro"}) == before == [("pro",)]
    assert engine.instances == 2


async def test_an_interrupted_query_leaves_others_alone(engine):
    queries = [asyncio.create_task(engine.query(ENDLESS, {"seven": 7})) for _ in range(2)]
    other = asyncio.create_task(
        engine.query("select count(*) from range(300000000) as one where range % $seven = 0", {"seven": 7})
    )
    await asyncio.sleep(0.2)

    for one in queries:
        one.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one

    [(found,)] = await other
    assert found == 42857143


@pytest.mark.parametrize(
    "text",
    [
        "set threads = 8",
        "pragma threads = 8",
        "select 1; select 2",
        "attach ':memory:' as other",
        "copy (select 1) to '/tmp/never'",
        "create table one as select 1",
        "",
    ],
)
async def test_only_single_statements_that_read_are_run(engine, text):
    assert await refused(engine, text) is Reason.OTHER


async def test_a_query_that_needs_more_memory_is_refused(tmp_path):
    engine = Engine(tmp_path, Limits(memory=32, spill=1))

    reason = await refused(engine, "select list(i) from range($count) as one (i)", count=30_000_000)

    assert reason is Reason.MEMORY
    await engine.close()


async def test_an_expression_that_duckdb_does_not_accept_is_named_as_the_reason(engine):
    with pytest.raises(ColumnsFailed) as failure:
        await engine.query(
            "select regexp_matches('a', $one)", {"one": "(a{255}){255}"}, expressions=["(a{255}){255}"]
        )

    assert failure.value.reason is Reason.EXPRESSION


async def test_a_failure_names_no_value(engine):
    with pytest.raises(ColumnsFailed) as failure:
        await engine.query("select cast($text as integer)", {"text": "secret"})

    assert "secret" not in str(failure.value)
    assert failure.value.__cause__ is None


async def test_the_memory_of_the_instance_is_known(engine):
    await engine.query("select 1", {})

    assert 0 <= await engine.memory_bytes() < 10_000_000
