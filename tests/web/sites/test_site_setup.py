"""Setting a site up: the first event, and the log of events."""

import re
from datetime import timedelta

from footfall.application.ports.traffic_log import OutcomeKey


async def test_first_event_is_reported_once_it_arrives(world):
    browser = await world.browser("member")

    before = (await browser.get("/sites/1/first-event")).json
    await world.hit()

    assert (before, (await browser.get("/sites/1/first-event")).json) == (
        {"arrived": False, "refused": ""},
        {"arrived": True, "refused": ""},
    )


async def test_the_page_that_waits_learns_of_each_refused_event(world):
    browser = await world.browser("member")
    marks = []

    for key in (OutcomeKey(1, "bot"), OutcomeKey(1, "domain"), OutcomeKey(2, "bot")):
        world.outcomes.count(key, world.clock.now())
        marks.append((await browser.get("/sites/1/first-event")).json["refused"])

    assert marks == [f"2026-03-14T12:00:00+00:00 {events}" for events in (1, 2, 2)]
    assert f'data-refused="{marks[-1]}"' in (await browser.get("/sites/1/install")).text


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

    shown = re.sub(r"(<[^>]+>|\s)+", " ", (await browser.get("/sites/1/install")).text)

    assert "In the quarter of an hour from 14 Mar 2026, 12:00 UTC:" in shown
    told = re.findall(
        r"(Wrong domain|Excluded|Rate limited|Bot traffic|Duplicate) (\(\w+\))?, (\d+ events?)\.", shown
    )
    assert told == [("Wrong domain", "", "2 events"), ("Excluded", "(country)", "1 event")]


async def test_the_install_page_of_a_site_without_refused_events_says_nothing(world):
    world.outcomes.count(OutcomeKey(1, "replayed"), world.clock.now())
    world.outcomes.count(OutcomeKey(1, "bot"), world.clock.now() - timedelta(days=8))

    shown = (await (await world.browser("member")).get("/sites/1/install")).text

    assert "Last refused events" not in shown


async def test_event_log_shows_outcome_and_reason_of_rejected_events(world):
    world.outcomes.count(OutcomeKey(1, "bot"), world.clock.now())
    world.outcomes.count(OutcomeKey(1, "excluded", "country"), world.clock.now())

    shown = (await (await world.browser("member")).get("/sites/1/ingestion")).text

    assert "Rejected as bot traffic" in shown
    assert "country: 1" in shown
