"""Aggregation of the reported exceptions of a site."""

from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.error_tracking.aggregation import (
    bucket_errors,
    list_occurrences,
    new_errors,
    summarize_errors,
)
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails, error_message
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import Filter, FilterType
from tests.conditions import filters
from tests.histories import START, after, days, error, histories, hit, periods, record

DAY = days("2026-03-28", "2026-03-28")


def local_day(day, zone):
    return Period.local_days(date.fromisoformat(day), date.fromisoformat(day), parse_zone(zone))


def test_a_message_is_counted_by_occurrences_and_by_sessions():
    log = record(error("a"), error("a"), error("a", visitor_id=2), error("b"), hit(visitor_id=3))

    a, b = summarize_errors(log, DAY)

    assert (a.message, a.count, a.session_count, a.percentage) == ("a", 3, 2, 75.0)
    assert (b.message, b.count, b.session_count, b.percentage) == ("b", 1, 1, 25.0)


def test_the_most_frequent_comes_first_and_ties_go_by_message():
    log = record(*(error(message) for message in ["é", "z", "Z", "\N{GRINNING FACE}", "\ufb01", "b", "b"]))

    assert [one.message for one in summarize_errors(log, DAY)] == [
        "b",
        "Z",
        "z",
        "é",
        "\ufb01",
        "\N{GRINNING FACE}",
    ]


def test_messages_are_grouped_exactly():
    log = record(*(error(message) for message in ["a", "A", "a ", "á", "a\u0301"]))

    assert len(summarize_errors(log, DAY)) == 5


def test_the_class_is_that_of_the_latest_occurrence():
    log = record(
        error("m", after(minutes=2), "New"), error("m", name="Late"), error("m", after(days=9), "Newest")
    )

    [summary] = summarize_errors(log, DAY)

    assert summary.error_name == "Newest"
    assert (summary.first_seen, summary.last_seen, summary.count) == (START, after(days=9), 2)


def test_filters_choose_sessions_and_the_history_stays_whole():
    german = [Filter("country", FilterType.EQUALS, ("DE",))]
    log = record(error("m", country="NP", visitor_id=2), error("m", after(minutes=1), country="DE"))

    [summary] = summarize_errors(log, DAY, filters=german)

    assert (summary.count, summary.total, summary.first_seen) == (1, 1, START)


def test_error_is_new_when_its_first_occurrence_is_in_the_period():
    old, new = error("old", after(days=-9)), error("new", after(minutes=1))
    log = record(old, error("old"), new, error("newer", after(minutes=2)), error("also", after(minutes=2)))

    found = new_errors(summarize_errors(log, DAY), DAY)

    assert [one.message for one in found] == ["also", "newer", "new"]


def test_the_cause_of_a_message_is_that_of_its_latest_occurrence():
    log = record(error("m", after(minutes=2), "Late"), error("m", name="Early"), error("other", name="Early"))

    causes = {one.message: one.fingerprint for one in summarize_errors(log, DAY)}

    assert causes["m"] == fingerprint("Late", ErrorDetails(message="m"))
    assert causes["other"] == fingerprint("Early", ErrorDetails(message="other"))


def test_occurrences_are_listed_newest_first_and_ties_by_position():
    log = record(error("m"), error("m", after(minutes=1)), error("other"), error("m"))

    found = list_occurrences(log, "m", DAY)

    assert [one.position for one in found] == [2, 4, 1]


@pytest.mark.parametrize(
    ("zone", "day", "shown", "occurrences"),
    [
        ("Europe/Berlin", "2026-10-25", 25, ["2026-10-25T00:30+00:00", "2026-10-25T01:30+00:00"]),
        ("Europe/Berlin", "2026-03-29", 23, ["2026-03-29T00:30+00:00", "2026-03-29T01:30+00:00"]),
        ("America/New_York", "2026-11-01", 25, ["2026-11-01T05:30+00:00", "2026-11-01T06:30+00:00"]),
        ("America/New_York", "2026-03-08", 23, ["2026-03-08T06:30+00:00", "2026-03-08T07:30+00:00"]),
        ("Australia/Lord_Howe", "2026-04-05", 25, ["2026-04-04T14:45+00:00", "2026-04-04T15:15+00:00"]),
        ("Australia/Lord_Howe", "2026-10-04", 24, ["2026-10-03T15:15+00:00", "2026-10-03T15:45+00:00"]),
        ("Asia/Kathmandu", "2026-03-29", 24, ["2026-03-28T18:20+00:00", "2026-03-28T19:20+00:00"]),
    ],
)
def test_an_hour_that_is_repeated_is_two_and_one_that_is_skipped_is_none(zone, day, shown, occurrences):
    instants = [START.fromisoformat(text) for text in occurrences]
    log = record(*(error("m", at) for at in instants))

    buckets = bucket_errors(log, local_day(day, zone), BucketSize.HOUR, parse_zone(zone))

    assert len(buckets) == shown
    # One instant before the clock changes, one behind it: in two neighbouring buckets.
    filled = [index for index, bucket in enumerate(buckets) if bucket.count]
    assert filled == [filled[0], filled[0] + 1]
    assert [buckets[index].time for index in filled] == sorted(buckets[index].time for index in filled)


def test_a_day_is_one_bucket_however_long_it_is():
    zone = parse_zone("Australia/Lord_Howe")
    log = record(error("m", START.fromisoformat("2026-04-05T13:29+00:00")))

    [bucket] = bucket_errors(log, local_day("2026-04-05", "Australia/Lord_Howe"), BucketSize.DAY, zone)

    assert (bucket.time.isoformat(), bucket.count) == ("2026-04-04T13:00:00+00:00", 1)


def test_buckets_are_of_one_message_or_of_all():
    log = record(error("a"), error("b"), hit())

    everything = bucket_errors(log, DAY, BucketSize.DAY, parse_zone("UTC"))
    only_a = bucket_errors(log, DAY, BucketSize.DAY, parse_zone("UTC"), message="a")

    assert [one.count for one in everything + only_a] == [2, 1]


def test_too_many_buckets_are_refused():
    with pytest.raises(Invalid, match="2,000"):
        bucket_errors([], days("2026-03-01", "2026-03-02"), BucketSize.MINUTE, parse_zone("UTC"))


@given(
    log=histories(),
    period=periods(),
    chosen=st.lists(filters(), max_size=1),
    size=st.sampled_from([BucketSize.DAY, BucketSize.MONTH]),
)
def test_summaries_occurrences_and_buckets_count_the_same(log, period, chosen, size):
    summaries = summarize_errors(log, period, filters=chosen)
    listed = {one.message: list_occurrences(log, one.message, period, filters=chosen) for one in summaries}
    buckets = bucket_errors(log, period, size, parse_zone("UTC"), filters=chosen)

    total = sum(one.count for one in summaries)
    assert {one.message: one.count for one in summaries} == {name: len(all_) for name, all_ in listed.items()}
    assert sum(bucket.count for bucket in buckets) == total
    assert all(one.total == total and one.session_count <= one.count for one in summaries)
    if not chosen:
        inside = (one.hit for one in log if one.hit.type is HitType.ERROR and one.hit.occurred_at in period)
        assert Counter(map(error_message, inside)) == {one.message: one.count for one in summaries}
