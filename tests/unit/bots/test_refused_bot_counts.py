"""What is counted of refused bots: the page, the day, and the others when there are too many."""

from datetime import UTC, date, datetime

import pytest

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.bots.refused_bot_counts import (
    MAX_PAGE,
    MOST_PAGES_A_DAY,
    OTHER_PAGES,
    RefusedBot,
    count_apart,
    page_of,
    refused_bot,
)
from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.site import Site
from footfall.domain.tracking.hit import BotVerification

DAY = date(2026, 3, 29)


def refused(bot="GPTBot", page="example.com/", **known):
    return RefusedBot(**{"site_id": 1, "day": DAY, "bot": bot, "verified": None, "page": page, **known})


@pytest.mark.parametrize(
    ("hostname", "pathname", "page"),
    [
        ("example.com", "/a", "example.com/a"),
        ("www.Example.com", "/a b", "example.com/a b"),
        # Paths are decoded before, once: an escape of an escape is a page of its own.
        ("example.com", "/%41", "example.com/%41"),
        ("example.com", "/a?b=c", "example.com/a"),
        ("shop.example.com:8443", None, "shop.example.com/"),
        ("example.com", "/" + "x" * 3000, ("example.com/" + "x" * 3000)[:MAX_PAGE]),
        ("example.com.evil.org", "/buy", OTHER_PAGES),
        ("no host", "/a", OTHER_PAGES),
        (None, "/a", OTHER_PAGES),
    ],
)
def test_a_page_is_one_of_the_site_or_among_the_others(hostname, pathname, page):
    assert page_of(hostname, pathname, "example.com") == page


@pytest.mark.parametrize(("zone", "day"), [("UTC", 28), ("Europe/Berlin", 29), ("Pacific/Kiritimati", 29)])
def test_a_day_is_one_of_the_time_zone_of_the_site(zone, day):
    site = Site(
        site_id=1,
        public_id="abc",
        organization_id="1",
        name="Example",
        domain="example.com",
        created_by="1",
        config=SiteConfig(time_zone=zone),
    )

    counted = refused_bot(site, datetime(2026, 3, 28, 23, 30, tzinfo=UTC), "GPTBot", None, "example.com/")

    assert counted == refused(day=date(2026, 3, day))


def test_names_and_pages_beyond_the_limit_of_a_day_are_counted_together():
    first = count_apart({}, {refused(page=f"example.com/{number}"): 1 for number in range(MOST_PAGES_A_DAY)})
    more = {
        refused(page="example.com/0"): 5,
        refused(page="example.com/new"): 2,
        refused(page="example.com/new", verified=BotVerification.VERIFIED): 3,
        refused("forged-1", "example.com/a"): 4,
        refused("forged-2", "example.com/b"): 6,
        refused(page="example.com/new", day=date(2026, 3, 30)): 7,
        refused(page="example.com/new", site_id=2): 8,
    }

    counts = count_apart(first, more)

    assert {counted: counts[counted] for counted in counts if counts[counted] > 1} == {
        refused(page="example.com/0"): 6,
        refused(page=OTHER_PAGES): 2,
        refused(page=OTHER_PAGES, verified=BotVerification.VERIFIED): 3,
        refused("other", OTHER_PAGES): 10,
        refused(page="example.com/new", day=date(2026, 3, 30)): 7,
        refused(page="example.com/new", site_id=2): 8,
    }
    assert sum(counts.values()) == MOST_PAGES_A_DAY + 35


def test_the_most_frequent_of_those_that_come_together_are_counted_apart():
    full = count_apart(
        {}, {refused(page=f"example.com/{number}"): 1 for number in range(MOST_PAGES_A_DAY - 1)}
    )

    counts = count_apart(full, {refused(page="example.com/rare"): 1, refused(page="example.com/often"): 2})

    assert counts[refused(page="example.com/often")] == 2
    assert counts[refused(page=OTHER_PAGES)] == 1


async def test_counts_that_wait_for_the_store_are_limited_for_each_site():
    log = MemoryTrafficLog()
    outcomes = OutcomeCounter(log)
    for number in range(3 * MOST_PAGES_A_DAY):
        outcomes.count_bot(refused(page=f"example.com/{number}"))
    outcomes.count_bot(refused(site_id=2))
    outcomes.count(OutcomeKey(1, "bot"), datetime(2026, 3, 29, tzinfo=UTC))

    await outcomes.flush()

    assert len(log.refused_bots) == MOST_PAGES_A_DAY + 1
    assert log.refused_bots[refused(page=OTHER_PAGES)] == 2 * MOST_PAGES_A_DAY + 1
    assert log.refused_bots[refused(site_id=2)] == 1
