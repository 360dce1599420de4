"""The traffic of the demonstration: as much of it, and as unevenly spread, as a real site has."""

from collections import Counter
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from footfall.domain.examples import NOON
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.web_vitals import METRICS, THRESHOLDS
from footfall.entrypoints.demo.demonstration import traffic
from footfall.entrypoints.demo.errors import REGRESSIONS, RELEASE_DAYS, deploys
from footfall.entrypoints.demo.shop import ORDER

DAYS = 60


@pytest.fixture(scope="module")
def hits():
    return [recorded.hit for recorded in traffic(1, until=NOON, days=DAYS, seed=1)]


def of(hits, kind):
    return [hit for hit in hits if hit.type is kind]


def measured(hits, metric):
    return sorted(
        value for hit in of(hits, HitType.PERFORMANCE) if (value := getattr(hit, metric)) is not None
    )


def percentile(values, share):
    return values[int(len(values) * share)]


def test_thirty_days_can_be_compared_with_the_thirty_before(hits):
    days = Counter(hit.occurred_at.date() for hit in of(hits, HitType.PAGEVIEW))

    assert len(days) == DAYS + 1
    assert min(days.values()) > 100


def test_traffic_up_to_a_later_hour_holds_the_same_earlier_hits():
    early = list(traffic(1, until=NOON, days=3, seed=1))
    late = list(traffic(1, until=NOON.replace(hour=23), days=2, seed=1))

    assert {one.position: one for one in early}.items() >= {
        one.position: one for one in late if one.hit.occurred_at < NOON
    }.items()
    assert [one.position for one in early] == sorted({one.position for one in early})


def test_no_hit_of_the_demonstration_is_in_the_future(hits):
    assert max(hit.occurred_at for hit in hits) < NOON


@pytest.mark.parametrize("metric", METRICS)
def test_most_pages_are_good_and_some_are_poor(hits, metric):
    good, poor = THRESHOLDS[metric]
    values = measured(hits, metric)

    assert len(values) > 5000
    assert percentile(values, 0.5) <= good
    assert 0.7 <= sum(value <= good for value in values) / len(values) <= 0.97
    assert 0.002 <= sum(value > poor for value in values) / len(values) <= 0.12


def test_nothing_is_painted_before_the_first_byte(hits):
    assert all(0 < hit.ttfb <= hit.fcp <= hit.lcp for hit in of(hits, HitType.PERFORMANCE))


def test_pages_differ_in_how_fast_they_are(hits):
    slowest, fastest = (
        percentile(measured([hit for hit in hits if hit.pathname == path], "lcp"), 0.75)
        for path in ("/blog/a-walk-through-the-alps", "/pricing")
    )

    assert slowest > 1.25 * fastest


def test_errors_have_a_long_tail_of_messages(hits):
    messages = Counter(hit.properties["message"] for hit in of(hits, HitType.ERROR)).most_common()
    total = sum(count for _, count in messages)

    assert len(messages) >= 30
    assert 0.1 < messages[0][1] / total < 0.4
    assert sum(count for _, count in messages[10:]) / total > 0.2


def test_an_error_of_a_release_ends_with_the_next_release(hits):
    brought = {fault.message for fault in REGRESSIONS}
    seen = {}
    for hit in of(hits, HitType.ERROR):
        if (message := hit.properties["message"]) in brought:
            seen.setdefault(message, []).append(hit)

    assert len(seen) >= 3
    for occurrences in seen.values():
        times = [hit.occurred_at for hit in occurrences]
        assert max(times) - min(times) < timedelta(days=RELEASE_DAYS)
        assert len({hit.properties["fileName"] for hit in occurrences}) == 1


def test_each_deploy_in_the_days_is_marked_when_its_first_hits_come(hits):
    first = {}
    for hit in hits:
        first.setdefault(hit.release, hit.occurred_at)

    marked = {release: at for at, release in deploys(NOON, DAYS)}

    # The release of the first days was deployed before them.
    assert len(marked) >= 6
    assert set(list(first)[1:]) <= set(marked) <= set(first)
    assert all(first[release].date() == at.date() for release, at in marked.items())


def test_orders_have_totals():
    hits = [recorded.hit for recorded in traffic(1, until=NOON, days=10, seed=2)]

    totals = [hit.properties["total"] for hit in hits if hit.event_name == ORDER]

    assert len(totals) > 50
    assert min(totals) == 99.5


def test_fewer_visitors_order_after_an_error_on_the_page_before(hits):
    views = Counter(hit.visitor_id for hit in of(hits, HitType.PAGEVIEW) if hit.pathname == "/checkout")

    def visitors(kind, path):
        found = {hit.visitor_id for hit in of(hits, kind) if hit.pathname == path}
        return {visitor for visitor in found if views[visitor] == 1}

    def rate(among):
        return len(among & visitors(HitType.CUSTOM_EVENT, "/checkout/thanks")) / len(among)

    troubled = visitors(HitType.ERROR, "/checkout")

    assert rate(troubled) < 0.75 * rate(visitors(HitType.PAGEVIEW, "/checkout") - troubled)


def test_error_messages_match_the_engine_of_the_browser(hits):
    browsers = {
        hit.browser
        for hit in of(hits, HitType.ERROR)
        if hit.properties["message"].startswith("undefined is not an object")
    }

    assert browsers == {"Safari", "Mobile Safari"}


def test_referrers_are_a_few_large_ones_and_many_small_ones(hits):
    hosts = Counter(urlsplit(hit.referrer).hostname for hit in hits if hit.referrer).most_common()
    total = sum(count for _, count in hosts)

    assert len(hosts) > 60
    assert hosts[0][0] == "www.google.com"
    assert sum(count < total / 200 for _, count in hosts) > 40


def test_every_common_channel_has_visits(hits):
    shares = Counter(hit.channel for hit in hits)

    assert shares.keys() >= {
        "Direct",
        "Organic Search",
        "Paid Search",
        "Organic Social",
        "Paid Social",
        "Organic Video",
        "Email",
        "Referral",
        "AI",
    }
    assert min(shares.values()) > len(hits) / 500
