"""Files of a version that did not know an attribute yet: they stay in use, and it is unknown for their sessions."""

from itertools import product

import duckdb
import pytest
from attrs import evolve

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.manifest import HITS, SESSIONS, facts_of, write_manifest
from footfall.adapters.columns.files.plan import chosen_directories, usable_directories
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.system import SystemClock
from footfall.domain.pagination import Page
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests.histories import SITE, after, days, hit, record
from tests.stores.columns import FileColumns
from tests.stores.stored import catch_up

PERIOD = days("2026-03-25", "2026-04-03")
NEWER = "language"
LOG = record(
    *(hit(after(days=day), visitor_id=visitor) for day in range(2) for visitor in (1, 2, 3)),
    *(
        hit(after(days=day), visitor_id=visitor, language=language)
        for day in range(2, 4)
        for visitor, language in enumerate(("de", "fr", None), start=1)
    ),
)
# Days whose sessions do not know the attribute.
FORMER = after(days=2).date()
FILTERS = [
    (),
    (Filter(NEWER, FilterType.EQUALS, ("de",)),),
    (Filter(NEWER, FilterType.NOT_EQUALS, ("de", "fr")),),
    (Filter(NEWER, FilterType.CONTAINS, ("",)),),
]


def strip(directory):
    """Write the files of a directory without the attribute."""
    for name, column in ((SESSIONS, NEWER), (HITS, f"session_{NEWER}")):
        file, written = directory / name, directory / "written"
        with duckdb.connect() as connection:
            connection.execute("set TimeZone = 'UTC'")
            connection.execute(
                f"copy (select * exclude ({column}) from read_parquet('{file}')) to '{written}' (format parquet)"
            )
        written.replace(file)


@pytest.fixture(params=["former files first", "former files last"])
async def covered(stored, tmp_path, request):
    """A node with files of every day, of which those of the first days lack the attribute."""
    await stored.empty()
    await stored.append(LOG)
    await catch_up(stored.projector)
    node = FileColumns(stored, tmp_path)
    await node.cover_all()
    for files in node.listed:
        if files.days[0].day.date() < FORMER:
            strip(files.sessions.parent)
    node.listed.sort(key=lambda one: one.days[0].day, reverse=request.param == "former files last")
    yield node
    await node.engine.close()


async def test_reports_read_files_with_and_without_an_attribute_together(covered):
    for by, filters in product((NEWER, "pathname"), FILTERS):
        asked = (SITE, by, ReportQuery(PERIOD, filters), Page(1, 50))

        found = await covered.breakdowns.break_down(*asked, visitors=True)

        assert found == await MemoryBreakdowns(covered.stored.log).break_down(*asked, visitors=True), asked
    covered.expect_no_failure()


async def test_reports_read_files_of_which_none_has_an_attribute(covered):
    covered.listed = [one for one in covered.listed if one.days[0].day.date() < FORMER]
    asked = (SITE, NEWER, ReportQuery(days("2026-03-28", "2026-03-29")), Page(1, 50))

    found = await covered.breakdowns.break_down(*asked)

    assert found == await MemoryBreakdowns(covered.stored.log).break_down(*asked)
    covered.expect_no_failure()


async def test_files_with_and_without_an_attribute_are_gathered(node):
    await node.store(LOG)
    store = node.stored.column_store()
    maker = Maker(node.layout, store, SystemClock())
    await store.close_due()
    for day in await store.closed_days():
        await maker.make([day])
    parts = chosen_directories(usable_directories(node.layout), await store.closed_days())
    for directory, manifest in parts.items():
        if manifest.first.date() < FORMER:
            strip(directory)
            facts = {
                "sessions": facts_of(directory / SESSIONS, manifest.sessions.rows),
                "hits": facts_of(directory / HITS, manifest.hits.rows),
            }
            parts[directory] = evolve(manifest, **facts)
            write_manifest(directory, parts[directory])

    gathered = maker.gather(parts)

    with duckdb.connect() as connection:
        languages = connection.execute(
            f"select {NEWER}, count(*) from read_parquet('{gathered / SESSIONS}') group by all order by all"
        )
        assert languages.fetchall() == [("de", 2), ("fr", 2), (None, 8)]
