"""Numbers of properties at their limits."""

from datetime import UTC
from decimal import Decimal
from zoneinfo import ZoneInfo

from footfall.domain.goals.goal import EventRule
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.report_period import local_days
from footfall.domain.traffic.properties import Sum, property_series, property_values, sums_by_value
from tests.histories import START, after, event, hit, record

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


def test_the_money_of_a_session_counts_for_each_of_its_values():
    log = record(
        hit(START, visitor_id=1, pathname="/a", country="DE"),
        hit(after(minutes=1), visitor_id=1, pathname="/b", country="DE"),
        event("order", after(minutes=2), visitor_id=1, properties={"amount": LONG}),
        event("order", after(minutes=3), visitor_id=1, properties={"amount": "-0.123456789"}),
        event("refund", after(minutes=4), visitor_id=1, properties={"amount": 7}),
        hit(START, visitor_id=2, pathname="/a", country="FR"),
        event("order", after(minutes=1), visitor_id=2, properties={"amount": "none"}),
        event("order", visitor_id=3, properties={"amount": 5}),
    )
    day = log[0].hit.occurred_at.astimezone(UTC).date()
    period = local_days(day, day, ZoneInfo("UTC")).period

    def asked(by, *among):
        sums = sums_by_value(ORDER, ["amount", "never"], by, among, log, period)
        assert {key for _, key in sums} <= {"amount"}
        return {value: found for (value, _), found in sums.items()}

    whole = Sum(2, Decimal(999999999999999999))
    assert asked("pathname", "/a", "/b", "/never") == {"/a": whole, "/b": whole}
    assert asked("country", "DE", "FR", "") == {"DE": whole, "": Sum(1, Decimal(5))}
    assert asked("country", "FR") == {}
    assert asked("event_name", "order") == {"order": Sum(3, Decimal(1000000000000000004))}
