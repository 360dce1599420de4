"""Cutoffs of retention, and cutoffs that no longer apply."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest

from footfall.adapters.memory.clock import ManualClock
from footfall.application.maintenance.retention import Retention
from footfall.domain.examples import NOON
from footfall.domain.sites.retention import kept_since


@pytest.mark.parametrize(
    ("now", "days", "since"),
    [
        (datetime(2026, 3, 14, 0, 0, tzinfo=UTC), 1, datetime(2026, 3, 13, tzinfo=UTC)),
        (datetime(2026, 3, 14, 23, 59, tzinfo=UTC), 30, datetime(2026, 2, 12, tzinfo=UTC)),
        (
            datetime(2026, 3, 14, 1, 0, tzinfo=timezone(timedelta(hours=2))),
            1,
            datetime(2026, 3, 12, tzinfo=UTC),
        ),
    ],
)
def test_whole_utc_days_are_kept(now, days, since):
    assert kept_since(now, days) == since


class Endless:
    """Old rows without end unless a limit is given; a callback runs after each slice."""

    def __init__(self, *after_slices):
        self.after_slices = list(after_slices)

    @asynccontextmanager
    async def lock(self):
        yield self

    async def drop_months(self, _pasts):
        return 0

    async def erase_some(self, _past, _limit):
        if not self.after_slices:
            return None
        self.after_slices.pop(0)()
        return 1


def keeping(days):
    return SimpleNamespace(site=SimpleNamespace(site_id=1, retention_days=days, cell=None))


def erasing(past, sites):
    directory = SimpleNamespace(sites=lambda: sites, site=lambda _reference: sites[0])
    return Retention(past, directory, ManualClock(NOON), rest=0.0)


@pytest.mark.parametrize("later", [None, 11])
async def test_erasing_ends_as_soon_as_the_site_keeps_more(later):
    sites = [keeping(10)]
    past = Endless(lambda: None, lambda: sites.__setitem__(0, keeping(later)), lambda: None, lambda: None)

    erased = await erasing(past, sites).apply()

    assert (erased, len(past.after_slices)) == (2, 2)


@pytest.mark.parametrize("later", [10, 3])
async def test_erasing_goes_on_when_the_site_keeps_no_more_than_before(later):
    sites = [keeping(10)]
    past = Endless(lambda: sites.__setitem__(0, keeping(later)), lambda: None)

    assert await erasing(past, sites).apply() == 2
