"""Traffic of a site, as a whole and over time."""

from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.overview import Traffic, overview, timeseries
from footfall.domain.traffic.session import sessionize
from tests.conditions import filters
from tests.histories import after, days, error, event, histories, hit, periods, record
from tests.zones import ZONES

DAY = days("2026-03-28", "2026-03-28")
EVER = days("2020-01-01", "2030-12-31")


def test_a_day_is_summed_up():
    log = record(
        hit(visitor_id=1),
        event("signup", after(minutes=10), visitor_id=1),
        hit(visitor_id=2),
        hit(after(minutes=40), visitor_id=2),
        hit(after(minutes=40), HitType.PERFORMANCE, visitor_id=3),
        error("x", after(minutes=40), visitor_id=3),
    )

    traffic = overview(log, DAY)

    assert traffic == Traffic(
        sessions=4, visitors=3, pageviews=3, events=1, sessions_with_pageviews=3, bounces=2, seconds=600
    )
    assert (traffic.bounce_rate, traffic.average_session_duration) == (2 / 3, 150)


def test_session_without_a_pageview_does_not_count_in_the_bounce_rate():
    log = record(error("x", visitor_id=1), event("signup", visitor_id=2))

    traffic = overview(log, DAY)

    assert (traffic.sessions, traffic.sessions_with_pageviews, traffic.bounce_rate) == (2, 0, 0)


def test_a_bounce_counts_in_every_bucket_of_its_session():
    log = record(hit(after(minutes=50)), hit(after(minutes=70), HitType.PERFORMANCE))
    period = Period(after(hours=0), after(hours=2))

    points = timeseries(log, period, BucketSize.HOUR, parse_zone("UTC"))

    assert [point.traffic.bounces for point in points] == [1, 1]
    assert [point.traffic.bounce_rate for point in points] == [1, 1]


def test_an_overview_without_sessions_is_zero():
    traffic = overview([], DAY)

    assert traffic == Traffic()
    assert (traffic.bounce_rate, traffic.average_session_duration) == (0, 0)


def test_hits_count_where_they_happen_and_sessions_as_a_whole():
    log = record(hit(after(hours=3, minutes=50)), hit(after(hours=4, minutes=10)))

    before = overview(log, DAY)

    assert before == Traffic(sessions=1, visitors=1, pageviews=1, sessions_with_pageviews=1, seconds=1200)


def test_filters_choose_the_sessions():
    log = record(hit(visitor_id=1, country="NP"), hit(visitor_id=2), event("signup", visitor_id=2))

    traffic = overview(log, DAY, [Filter("event_name", FilterType.EQUALS, ("signup",))])

    assert traffic == Traffic(sessions=1, visitors=1, pageviews=1, events=1, sessions_with_pageviews=1)


def test_a_session_is_in_every_bucket_that_it_has_a_hit_in():
    utc = parse_zone("UTC")
    log = record(hit(after(minutes=50)), hit(after(minutes=70)), hit(after(minutes=75)))
    period = Period(after(hours=0), after(hours=3))

    points = timeseries(log, period, BucketSize.HOUR, utc)

    assert [point.time for point in points] == [after(hours=hour) for hour in range(3)]
    assert [point.traffic.sessions for point in points] == [1, 1, 0]
    assert [point.traffic.pageviews for point in points] == [1, 2, 0]
    assert [point.traffic.seconds for point in points] == [1500, 1500, 0]


def test_the_hour_repeated_at_a_clock_change_has_its_own_point():
    berlin = parse_zone("Europe/Berlin")
    twice = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]
    log = record(*(hit(at, visitor_id=number) for number, at in enumerate(twice)))
    day = Period.local_days(date(2026, 10, 25), date(2026, 10, 25), berlin)

    points = timeseries(log, day, BucketSize.HOUR, berlin)

    assert [point.traffic.sessions for point in points] == [0, 0, 1, 1, *[0] * 21]


@given(log=histories(), period=periods(), chosen=st.lists(filters(), max_size=2))
def test_one_year_is_summed_up_like_its_period(log, period, chosen):
    utc = parse_zone("UTC")

    points = timeseries(log, period, BucketSize.YEAR, utc, chosen)

    total = overview(log, period, chosen)
    assert sum(point.traffic.pageviews for point in points) == total.pageviews
    assert sum(point.traffic.events for point in points) == total.events
    assert max([point.traffic.sessions for point in points], default=0) <= total.sessions


@given(log=histories(), zone=st.sampled_from(ZONES))
def test_each_point_is_the_overview_of_its_bucket(log, zone):
    period = Period(after(hours=0), after(hours=30))

    points = timeseries(log, period, BucketSize.HOUR, parse_zone(zone))

    ends = [*(point.time for point in points[1:]), period.end]
    stretches = [Period(max(point.time, period.start), end) for point, end in zip(points, ends, strict=True)]
    assert [point.traffic for point in points] == [overview(log, stretch) for stretch in stretches]


@given(log=histories())
def test_over_all_time_every_session_and_every_hit_is_counted(log):
    traffic = overview(log, EVER)

    sessions = sessionize(log)
    assert traffic.sessions == len(sessions)
    assert traffic.visitors == len({session.counted_visitor for session in sessions})
    assert traffic.pageviews == sum(session.pageviews for session in sessions)
    assert traffic.sessions_with_pageviews == sum(session.pageviews > 0 for session in sessions)
    assert traffic.bounces <= traffic.sessions_with_pageviews <= traffic.sessions
