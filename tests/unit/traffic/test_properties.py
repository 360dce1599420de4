"""Numbers of properties at their limits."""

from datetime import UTC
from decimal import Decimal
from zoneinfo import ZoneInfo

from footfall.domain.goals.goal import EventRule
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.report_period import local_days
from footfall.domain.traffic.properties import property_series, property_values
from tests.histories import event, record

LONG = "999999999999999999.123456789"
ORDER = EventRule("order")


def test_sums_of_long_numbers_are_exact():
    log = record(*(event("order", visitor_id=number, properties={"amount": LONG}) for number in range(30)))
    days = {one.hit.occurred_at.astimezone(UTC).date() for one in log}
    period = local_days(min(days), max(days), ZoneInfo("UTC")).period

    found = property_values(ORDER, "amount", log, period).numbers
    [*_, point] = property_series(ORDER, "amount", log, period, BucketSize.MONTH, ZoneInfo("UTC"))

    assert found.sum == point.sum == Decimal("29999999999999999973.703703670")
    assert found.median == Decimal(LONG)
