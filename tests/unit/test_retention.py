"""Which past of which site is too old."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from footfall.domain.retention import kept_since


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
