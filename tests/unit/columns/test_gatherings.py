"""Which directories of files are gathered into one."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from footfall.adapters.columns.files.manifest import FileFacts, Manifest
from footfall.adapters.columns.files.plan import (
    FEW,
    MOST_HITS,
    MOST_HITS_OF_MONTHS,
    SETTLED_AGE,
    gatherings,
    missing,
    together,
)
from footfall.application.ports.columns import DayVersion

FIRST = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_days_of_a_month_that_is_over_are_gathered_apart_from_other_months_and_sites():
    many = MOST_HITS_OF_MONTHS // 30
    months = [
        directories(FIRST, 31, hits=many),
        directories(FIRST + 31 * DAY, 2, hits=many),
        directories(FIRST, 2, site_id=2),
    ]

    found = gatherings({**months[0], **months[1], **months[2]}, FIRST + 80 * DAY)

    assert found == months


def test_days_of_the_current_month_are_gathered_when_they_are_several_and_settled():
    few, enough = directories(FIRST, FEW - 1), directories(FIRST, FEW)
    now = FIRST + (FEW - 1) * DAY + SETTLED_AGE

    assert gatherings(few, now + DAY) == []
    assert gatherings(enough, now) == []
    assert gatherings(enough, now + timedelta(seconds=1)) == [enough]


def test_a_directory_is_not_gathered_alone():
    assert gatherings(directories(FIRST, 1), FIRST + 80 * DAY) == []


def test_no_more_hits_are_gathered_than_are_soon_made_anew():
    busy = directories(FIRST, 5, hits=MOST_HITS // 2)
    parts = list(busy.items())

    assert gatherings(busy, FIRST + 80 * DAY) == [dict(parts[:2]), dict(parts[2:4])]
    assert gatherings(directories(FIRST, 5, hits=MOST_HITS), FIRST + 80 * DAY) == []


def test_months_of_a_year_that_have_few_hits_are_gathered():
    parts = {}
    for month in range(1, 13):
        parts |= directories(FIRST.replace(month=month), 1, hits=MOST_HITS_OF_MONTHS // 5)
    few = list(parts.items())
    next_year = directories(FIRST.replace(year=2027, month=1), 1)

    found = gatherings({**parts, **next_year}, FIRST + 700 * DAY)

    assert found == [dict(few[:5]), dict(few[5:10]), dict(few[10:])]


def test_a_month_grows_within_a_directory_of_earlier_months():
    earlier = manifest([DayVersion(1, FIRST - number * DAY, uuid4()) for number in (40, 10)], 2000)
    days = directories(FIRST, FEW - 1)
    now = FIRST + (FEW - 2) * DAY + SETTLED_AGE + timedelta(seconds=1)

    assert gatherings({Path("earlier"): earlier, **days}, now) == [{Path("earlier"): earlier, **days}]
    assert gatherings({Path("earlier"): earlier, **dict(list(days.items())[1:])}, now) == []


def test_days_that_were_gathered_with_one_that_has_changed_are_made_anew():
    first, changed, last = [DayVersion(1, FIRST + number * DAY, uuid4()) for number in range(3)]
    gathered = manifest([first, changed, last], 30)
    days = [first, DayVersion(1, changed.day, uuid4()), last]

    assert missing(days, [gathered]) == [last, days[1], first]
    assert missing([first, changed, last], [gathered]) == []


def test_settled_days_of_a_month_are_made_together_up_to_so_many_hits():
    days = [DayVersion(1, FIRST + number * DAY, uuid4()) for number in range(6)]
    other = DayVersion(2, FIRST, uuid4())
    hits = {**dict.fromkeys(days, MOST_HITS // 2), other: 1}
    now = FIRST + 4 * DAY + SETTLED_AGE

    found = together([*reversed(days), other], hits, now)

    assert found == [(days[5],), (days[4],), tuple(days[2:4]), tuple(days[:2]), (other,)]


def test_days_that_are_made_together_are_of_one_month_or_have_few_hits():
    last, first = [DayVersion(1, FIRST + number * DAY, uuid4()) for number in (-1, 0)]
    now = FIRST + 80 * DAY

    assert together([first, last], {first: 1, last: MOST_HITS_OF_MONTHS}, now) == [(first,), (last,)]
    assert together([first, last], {first: 1, last: 1}, now) == [(last, first)]


def test_days_that_were_made_together_are_not_gathered():
    days = [DayVersion(1, FIRST + number * DAY, uuid4()) for number in range(31)]
    sizes = dict.fromkeys(days, MOST_HITS // 7)
    now = FIRST + 80 * DAY

    made = {
        Path(str(place)): manifest(group, len(group) * MOST_HITS // 7)
        for place, group in enumerate(together(days, sizes, now))
    }

    assert len(made) == 5
    assert gatherings(made, now) == []


def directories(first, count, *, hits=1000, site_id=1):
    return {
        Path(str(site_id), str(first + number * DAY)): manifest(
            [DayVersion(site_id, first + number * DAY, uuid4())], hits
        )
        for number in range(count)
    }


def manifest(days, hits):
    return Manifest(
        days=tuple(days),
        sessions=FileFacts(rows=1, bytes=1, digest=""),
        hits=FileFacts(rows=hits, bytes=1, digest=""),
        made_at=FIRST,
        duckdb="2.0.0",
    )
