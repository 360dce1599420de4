"""What is known of a pageview's engagement, from the measures that name it."""

import random
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.domain.tracking.engagement import (
    MATCHING_SPAN,
    MOST_MEASURES,
    Measure,
    pageview_key,
    with_engagement,
)
from footfall.domain.tracking.hit import Engagement, HitType
from tests.histories import OTHER_SITE, SITE, START, after, hit, hits_of, recorded

VIEW = hit(pageview_key=7)
INSTANT = timedelta(microseconds=1)


def measure(engaged_ms=None, scroll_percent=None, at=START, **known):
    values = {"site_id": SITE, "pageview_key": 7, "received_at": at, **known}
    return Measure(engaged_ms=engaged_ms, scroll_percent=scroll_percent, **values)


def known(*entries):
    """Return what is known of the first hit of a log."""
    log = recorded(*entries)
    hits = hits_of(log)
    return with_engagement(hits, [one for one in log if one not in hits])[0].engagement


def test_the_greatest_value_of_each_counts_in_every_order():
    measures = [measure(5, 10), measure(9), measure(scroll_percent=90), measure(7, 20), measure(9)]

    for _ in range(20):
        entries = [VIEW, *measures]
        random.Random(0).shuffle(entries)
        assert known(*entries) == Engagement(9, 90)


def test_without_a_measure_nothing_is_known():
    others = [measure(1, pageview_key=8), measure(1, site_id=OTHER_SITE)]

    assert known(VIEW, *others) is None
    assert known(hit(), measure(1)) is None
    assert known(VIEW, measure(0)) == Engagement(0, None)


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_measure_counts_for_pageviews_that_were_received_a_week_from_it(sign):
    times = [START + sign * (MATCHING_SPAN + more) for more in (timedelta(), INSTANT)]

    assert [known(VIEW, measure(1, at=at)) for at in times] == [Engagement(1, None), None]


def test_the_time_at_which_a_pageview_was_received_decides():
    late = evolve(VIEW, received_at=after(days=20))

    assert known(late, measure(1, at=after(days=21))) == Engagement(1, None)
    assert known(late, measure(1)) is None


def test_the_first_measures_of_a_pageview_count():
    measures = [measure(number) for number in range(MOST_MEASURES + 5)]

    assert known(VIEW, *measures) == Engagement(MOST_MEASURES - 1, None)


def test_what_is_known_of_hits_changes_no_hit():
    log = recorded(VIEW, measure(3), hit(kind=HitType.PERFORMANCE, lcp=1.0))
    hits = hits_of(log)

    found = with_engagement(hits, [log[1]])

    assert [(one.position, one.hit) for one in found] == [(one.position, one.hit) for one in hits]


def test_keys_of_names_differ_by_name_site_and_secret():
    keys = {
        pageview_key(secret, site_id=site_id, name=name)
        for secret in (b"one", b"two")
        for site_id in (1, 11)
        for name in ("a", "1 a", "é")
    }

    assert len(keys) == 12
    assert all(-(2**63) <= key < 2**63 for key in keys)
    assert pageview_key(b"x" * 200, site_id=1, name="a") == pageview_key(b"x" * 64, site_id=1, name="a")
