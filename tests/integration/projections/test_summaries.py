"""Days that have been counted: what is asked of them stays right whatever comes, and when it comes."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.postgres.projections.checkpoint import ProjectionVersionMismatch
from footfall.adapters.postgres.projections.daily_summaries import QUIET, DayCounter, Summaries
from footfall.domain.pagination import Page
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import BreakdownRow
from tests.histories import SITE, after, days, hit, record
from tests.stores.stored import catch_up

ALL = Page(1, 200)
MINUTE = timedelta(minutes=1)
MARCH = days("2026-03-01", "2026-04-30")
LOG = record(*(hit(after(hours=n), visitor_id=n % 7, pathname=f"/{n % 5}") for n in range(96)))


@pytest.fixture
async def stored(stored):
    await stored.append(LOG)
    await catch_up(stored.projector)
    return stored


@pytest.fixture
def states(stored):
    def states():
        """Return the states of all days, in their order."""
        with psycopg.connect(stored.url) as connection:
            return [
                row[0] for row in connection.execute("select state::text from day_summary_state order by day")
            ]

    return states


LONG_AGO = "update day_summary_state set day = day - interval '10 years' where day <= %s"


async def answers(stored):
    """Return a breakdown by path as PostgreSQL and as the domain answer it."""
    return [
        await adapter.break_down(SITE, "pathname", MARCH, ALL)
        for adapter in (stored.reports.breakdowns, MemoryBreakdowns(stored.log))
    ]


async def arrive(stored, *hits):
    """Store further hits and project them."""
    await stored.append(record(*hits, first=stored.log.hits[-1].position + 1))
    await catch_up(stored.projector)


async def test_a_counted_day_is_answered_from_its_summary(stored, states):
    await stored.count_days()
    with psycopg.connect(stored.url, autocommit=True) as connection:
        connection.execute("update breakdown_day set value = 'from the summary' where value = '/0'")

    found, _ = await answers(stored)

    assert states() == ["counted"] * 5
    assert "from the summary" in [row.value for row in found.rows]


async def test_a_late_hit_is_counted_and_its_day_is_to_be_counted_again(stored, states):
    await stored.count_days()

    await arrive(stored, hit(after(hours=20), visitor_id=99, pathname="/late"))

    assert states() == ["counted", "changed", "counted", "counted", "counted"]
    found, expected = await answers(stored)
    assert found == expected


async def test_visitors_of_a_counted_day_are_looked_up(stored):
    await stored.count_days()
    with psycopg.connect(stored.url, autocommit=True) as connection:
        connection.execute("update visitors_day set arrivals = arrivals + 1000 where day = '2026-03-30'")

    traffic = await stored.traffic.overview(SITE, days("2026-03-30", "2026-03-30"))

    assert traffic.visitors == 1007


async def test_a_late_hit_touches_the_day_on_which_its_visitor_comes_next(stored, states):
    await arrive(stored, hit(after(hours=80), visitor_id=99), hit(after(hours=95), visitor_id=99))
    await stored.count_days()

    await arrive(stored, hit(after(hours=20), visitor_id=99))

    assert states() == ["counted", "changed", "counted", "counted", "changed"]
    period = days("2026-03-29", "2026-04-01")
    assert await stored.traffic.overview(SITE, period) == await stored.oracle.overview(SITE, period)


async def test_a_late_hit_touches_a_day_that_is_being_counted(stored, states):
    await arrive(stored, hit(after(hours=80), visitor_id=99))
    async with DayCounter.begun(stored.url, small=0) as counter:
        day = await counter.claim()
        await counter.count(day)

        await arrive(stored, hit(after(hours=20), visitor_id=99))

        await counter.write(day)
    assert states() == ["changed"] * 5


async def test_a_day_counter_of_another_version_counts_nothing(stored, states):
    async with DayCounter.begun(stored.url, small=0) as counter:
        day = await counter.claim()
        await counter.count(day)
        with psycopg.connect(stored.url, autocommit=True) as connection:
            connection.execute("update projection_checkpoint set projection_version = projection_version + 1")

        with pytest.raises(ProjectionVersionMismatch):
            await counter.write(day)
        with pytest.raises(ProjectionVersionMismatch):
            await counter.count_next()

    assert states() == ["changed"] * 4 + ["counting"]


async def test_a_session_over_midnight_touches_both_days(stored, states):
    await stored.count_days()

    await arrive(
        stored,
        hit(after(hours=27, minutes=45), visitor_id=99),
        hit(after(hours=28, minutes=5), visitor_id=99),
    )

    assert states()[:3] == ["counted", "changed", "changed"]


async def test_a_session_open_at_the_start_of_a_counted_day_is_one_of_its_sessions(stored):
    midnight = after(hours=28)
    here = {"visitor_id": 99, "channel": "Carried"}
    await arrive(stored, hit(midnight - MINUTE, **here), hit(midnight + MINUTE, **here))
    await stored.count_days()
    postgres, memory = stored.reports.breakdowns, MemoryBreakdowns(stored.log)

    for period in (
        days("2026-03-29", "2026-03-29"),
        days("2026-03-30", "2026-03-30"),
        days("2026-03-29", "2026-03-30"),
    ):
        found = await postgres.break_down(SITE, "channel", period, ALL)
        assert BreakdownRow("Carried", 1) in found.rows
        assert found == await memory.break_down(SITE, "channel", period, ALL)


async def test_a_day_that_changes_while_it_is_counted_is_counted_again(stored, states):
    async with DayCounter.begun(stored.url, small=0) as counter:
        day = await counter.claim()
        await counter.count(day)
        await arrive(stored, hit(after(hours=90), visitor_id=99, pathname="/meanwhile"))
        await counter.write(day)
        between = states()
        while await counter.count_next():
            pass

    found, expected = await answers(stored)
    assert (between[-1], states()[-1]) == ("changed", "counted")
    assert found == expected


async def test_a_day_is_counted_when_it_has_ended_and_is_quiet(stored, states):
    await arrive(stored, hit(datetime.now(UTC) + timedelta(minutes=5), visitor_id=99))
    async with DayCounter.begun(stored.url, quiet=QUIET, small=0) as counter:
        restless = await counter.count_next()
        with psycopg.connect(stored.url, autocommit=True) as connection:
            connection.execute("update day_summary_state set changed_at = changed_at - interval '1 hour'")
            connection.execute(LONG_AGO, (LOG[-1].hit.occurred_at,))
        while await counter.count_next():
            pass

    assert not restless
    assert states() == ["counted"] * 5 + ["changed"]


async def test_days_with_few_hits_are_left_to_the_rows(stored, states):
    await stored.count_days(small=24)

    assert states() == ["small", "counted", "counted", "counted", "small"]
    found, expected = await answers(stored)
    assert found == expected


async def test_pages_with_many_classes_are_answered_from_digits(stored):
    loads = [("/many", 1.0), ("/many", 20.0), ("/many", 20.0), ("/many", 40_000.0), ("/few", 1.0)]
    await arrive(
        stored,
        *(
            hit(
                after(hours=30 + 24 * n),
                HitType.PERFORMANCE,
                visitor_id=90 + n,
                pathname=path,
                lcp=lcp,
                ttfb=1e9,
            )
            for n, (path, lcp) in enumerate(loads[:3])
        ),
        *(
            hit(after(hours=30), HitType.PERFORMANCE, visitor_id=80 + n, pathname=path, lcp=lcp)
            for n, (path, lcp) in enumerate(loads)
        ),
    )

    await stored.count_days(many=2)

    with psycopg.connect(stored.url, autocommit=True) as connection:
        emptied = connection.execute(
            "update vitals_day set classes = '{}', counts = '{}' where lcp is not null returning pathname"
        ).fetchall()
    found = await stored.reports.breakdowns.web_vitals(SITE, MARCH, ALL)
    assert {path for (path,) in emptied} == {None, "/many"}
    assert found == await MemoryBreakdowns(stored.log).web_vitals(SITE, MARCH, ALL)


async def test_only_one_counter_counts_at_a_time(stored):
    async with DayCounter.begun(stored.url) as first, DayCounter.begun(stored.url) as second:
        assert first is not None
        assert second is None


async def test_the_background_counts_days_that_are_due(stored, states):
    with psycopg.connect(stored.url, autocommit=True) as connection:
        connection.execute(
            "update day_summary_state set changed_at = '-infinity', day = day - interval '10 years';"
            " update traffic_bucket set bucket = bucket - interval '10 years', pageviews = 1000"
        )

    await Summaries(stored.connections, stored.url).work()

    assert states() == ["counted"] * 5


async def test_values_may_be_as_long_as_they_are_accepted(stored):
    url = "https://elsewhere.example/" + "ü" * 8_000
    at = after(hours=30)
    click = hit(at, HitType.OUTBOUND, visitor_id=99, properties={"url": url})
    await arrive(stored, click, hit(at, visitor_id=98, pathname="/" + "ü" * 2_047, page_title=""))
    await arrive(
        stored, hit(at + timedelta(seconds=1), HitType.PERFORMANCE, pathname="/" + "ü" * 2_047, lcp=1.0)
    )

    await stored.count_days()

    postgres, memory = stored.reports.breakdowns, MemoryBreakdowns(stored.log)
    for by in ("outbound", "pathname", "page_title"):
        assert await postgres.break_down(SITE, by, MARCH, ALL) == await memory.break_down(
            SITE, by, MARCH, ALL
        )
    assert await postgres.web_vitals(SITE, MARCH, ALL) == await memory.web_vitals(SITE, MARCH, ALL)
