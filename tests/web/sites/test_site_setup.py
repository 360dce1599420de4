"""Setting a site up: the first event, and the log of events."""

import re
from datetime import timedelta

from footfall.application.access.own_visits import OwnVisits
from footfall.application.ports.traffic_log import OutcomeKey
from tests.application import SECRET


def _told(markup):
    """Return outcomes, reasons and numbers of refused events as a page shows them."""
    words = re.sub(r"(<[^>]+>|\s)+", " ", markup)
    return re.findall(
        r"(Wrong domain|Excluded|Rate limited|Bot traffic|Duplicate) (\(\w+\))?, (\d+ events?)\.", words
    )


async def test_first_event_is_reported_once_it_arrives(world):
    browser = await world.browser("member")

    before = (await browser.get("/sites/1/first-event")).json
    await world.hit()

    assert (before, (await browser.get("/sites/1/first-event")).json) == (
        {"arrived": False, "refused": None},
        {"arrived": True, "refused": None},
    )


async def test_the_page_that_waits_learns_of_each_refused_event(world):
    browser = await world.browser("member")
    marks = []

    for key in (OutcomeKey(1, "bot"), OutcomeKey(1, "domain"), OutcomeKey(2, "bot")):
        world.outcomes.count(key, world.clock.now())
        await world.outcomes.flush()
        told = (await browser.get("/sites/1/first-event")).json["refused"]
        marks.append(told["mark"])

    assert marks == [f"2026-03-14T12:00:00+00:00 {events}" for events in (1, 2, 2)]
    page = (await browser.get("/sites/1/install")).text
    assert f'data-refused="{marks[-1]}"' in page
    assert told["shown"] in page
    assert _told(told["shown"]) == [("Bot traffic", "", "1 event"), ("Wrong domain", "", "1 event")]


async def test_a_page_that_waits_writes_nothing(world):
    browser, now = await world.browser("member"), world.clock.now()
    world.outcomes.count(OutcomeKey(1, "bot"), now)

    await browser.get("/sites/1/first-event")
    await browser.get("/sites/1/install")

    ledger = world.ports.outcome_ledger
    assert not await ledger.read_counts(1, start=now - timedelta(days=1), end=now + timedelta(days=1))


async def test_a_page_that_waits_learns_of_the_last_hour(world):
    browser, now = await world.browser("member"), world.clock.now()
    world.outcomes.count(OutcomeKey(1, "bot"), now - timedelta(hours=2))
    await world.outcomes.flush()

    assert (await browser.get("/sites/1/first-event")).json["refused"] is None
    assert "Last refused events" in (await browser.get("/sites/1/install")).text


async def test_the_install_page_says_when_and_why_events_were_refused_last(world):
    browser = await world.browser("member")
    earlier = world.clock.now() - timedelta(hours=1)
    for at, key, events in [
        (earlier, OutcomeKey(1, "rate_limited"), 9),
        (world.clock.now(), OutcomeKey(1, "excluded", "country"), 1),
        (world.clock.now(), OutcomeKey(1, "domain"), 2),
        (world.clock.now(), OutcomeKey(2, "bot"), 1),
        (world.clock.now(), OutcomeKey(1, "replayed"), 5),
    ]:
        for _ in range(events):
            world.outcomes.count(key, at)
    await world.outcomes.flush()

    shown = (await browser.get("/sites/1/install")).text

    assert "In the quarter of an hour from 14 Mar 2026, 12:00 UTC:" in shown
    assert _told(shown) == [("Wrong domain", "", "2 events"), ("Excluded", "(country)", "1 event")]


async def test_the_install_page_of_a_site_without_refused_events_says_nothing(world):
    world.outcomes.count(OutcomeKey(1, "replayed"), world.clock.now())
    world.outcomes.count(OutcomeKey(1, "bot"), world.clock.now() - timedelta(days=8))
    await world.outcomes.flush()

    shown = (await (await world.browser("member")).get("/sites/1/install")).text

    assert "Last refused events" not in shown


async def test_the_install_page_gives_members_the_addresses_that_leave_their_visits_out(world):
    token = OwnVisits(SECRET).token(1)

    shown = (await (await world.browser("member")).get("/sites/1/install")).text

    assert f"https://example.com/?footfall=ignore.{token}" in shown
    assert f"https://example.com/?footfall=count.{token}" in shown
    [bookmarklet] = re.findall(r'href="(javascript:[^"]+)"', shown)
    assert token in bookmarklet
    assert OwnVisits(SECRET).token(2) not in shown


async def test_the_event_log_shows_what_is_counted_beside_events_also_without_any(world):
    world.outcomes.note(OutcomeKey(1, "ignored", "engagement"), world.clock.now())

    shown = await (await world.browser("member")).get("/sites/1/ingestion")

    assert shown.status_code == 200
    assert "engagement: 1" in shown.text


async def test_event_log_shows_outcome_and_reason_of_rejected_events(world):
    world.outcomes.count(OutcomeKey(1, "bot"), world.clock.now())
    world.outcomes.count(OutcomeKey(1, "excluded", "country"), world.clock.now())

    shown = (await (await world.browser("member")).get("/sites/1/ingestion")).text

    assert "Rejected as bot traffic" in shown
    assert "country: 1" in shown
