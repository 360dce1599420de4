"""Which of the listed files a snapshot reads: those with its versions, each day once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from footfall.application.ports.columns import ColumnFiles, DayVersion, current_files

DAYS = [datetime(2026, 3, 28, tzinfo=UTC) + timedelta(days=number) for number in range(3)]


def files(*days, name="files"):
    """Return files of new versions of days."""
    versions = tuple(DayVersion(1, day, uuid4()) for day in days)
    return ColumnFiles(versions, Path(name) / "sessions", Path(name) / "hits")


def versions_of(*several):
    """Return the versions of files, by day."""
    return {day.day: day.version for one in several for day in one.days}


def test_files_come_by_their_first_day():
    late, early = files(DAYS[1]), files(DAYS[0])

    assert current_files([late, early], versions_of(late, early)) == [early, late]


def test_later_files_of_a_set_that_is_not_in_use_hide_none_of_the_one_that_is():
    coming, used = files(*DAYS, name="coming"), files(*DAYS, name="used")

    assert current_files([coming, used], versions_of(used)) == [used]
    assert current_files([coming, used], versions_of(coming)) == [coming]


def test_of_two_files_with_a_day_the_first_one_counts():
    versions = files(DAYS[0]).days
    later, earlier = (ColumnFiles(versions, Path(name), Path(name)) for name in ("later", "earlier"))

    assert current_files([later, earlier], versions_of(later)) == [later]


def test_files_count_when_one_of_their_days_has_its_version():
    gathered = files(*DAYS)
    current = {**versions_of(gathered), DAYS[1]: uuid4(), DAYS[2]: None}

    assert current_files([gathered], current) == [gathered]
    assert current_files([gathered], dict.fromkeys(DAYS, uuid4())) == []
