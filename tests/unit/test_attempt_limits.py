"""Limits of attempts: the instants under which they are counted."""

from datetime import timedelta

import pytest

from footfall.domain.attempt_limits import COUNTS_KEPT, LINKS_TO_ADDRESS
from footfall.domain.examples import NOON
from footfall.domain.sites.report_recipients import (
    REPORT_QUESTIONS_TO_ADDRESS,
    REPORT_QUESTIONS_TO_ADDRESS_OF_MONTH,
)


@pytest.mark.parametrize(
    "limit", [LINKS_TO_ADDRESS, REPORT_QUESTIONS_TO_ADDRESS, REPORT_QUESTIONS_TO_ADDRESS_OF_MONTH]
)
def test_counts_are_kept_until_their_window_ends_and_at_most_a_day_longer(limit):
    start = limit.window_at(NOON)
    end = start + limit.window
    last = end - timedelta(microseconds=1)

    assert limit.counted_at(start) == limit.counted_at(NOON) == limit.counted_at(last)
    assert end <= limit.counted_at(NOON) + COUNTS_KEPT < end + timedelta(days=1)
    assert limit.counted_at(end) == limit.counted_at(NOON) + limit.window
