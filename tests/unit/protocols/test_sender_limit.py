"""The limit of senders without a key."""

from datetime import UTC, datetime, timedelta

from footfall.adapters.memory.clock import ManualClock
from footfall.application.ingestion.sender_limit import SenderLimit
from footfall.domain.tracking.rate_limit import RateLimit


def test_each_address_has_a_count_for_each_site_and_window():
    clock = ManualClock(datetime(2026, 3, 14, 12, 4, tzinfo=UTC))
    limit = SenderLimit(RateLimit(2, 600), clock)

    taken = [limit.take(1, "192.0.2.1") for _ in range(3)]
    others = limit.take(1, "192.0.2.2"), limit.take(2, "192.0.2.1")
    clock.advance(timedelta(minutes=6))

    assert taken == [0, 0, 360]
    assert others == (0, 0)
    assert limit.take(1, "192.0.2.1") == 0


def test_a_network_of_ipv6_is_one_sender():
    limit = SenderLimit(RateLimit(1, 600), ManualClock(datetime(2026, 3, 14, tzinfo=UTC)))

    waits = [
        limit.take(1, address) for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "unknown")
    ]

    assert [wait > 0 for wait in waits] == [False, True, False, False]


def test_senders_without_a_count_of_their_own_share_one():
    clock = ManualClock(datetime(2026, 3, 14, tzinfo=UTC))
    limit = SenderLimit(RateLimit(1, 600), clock, most_senders=2)

    waits = [limit.take(1, f"192.0.2.{number}") for number in (1, 2, 3, 4, 1)]

    assert [wait > 0 for wait in waits] == [False, False, False, True, True]


def test_without_a_limit_nothing_waits():
    limit = SenderLimit(None, ManualClock(datetime(2026, 3, 14, tzinfo=UTC)))

    assert {limit.take(1, "192.0.2.1") for _ in range(1_000)} == {0}
