"""Setting a site up: the first event, and the log of events."""

from footfall.application.ports.traffic_log import OutcomeKey


async def test_first_event_is_reported_once_it_arrives(world):
    browser = await world.browser("member")

    before = (await browser.get("/sites/1/first-event")).json
    await world.hit()

    assert (before, (await browser.get("/sites/1/first-event")).json) == (
        {"arrived": False},
        {"arrived": True},
    )


async def test_event_log_shows_outcome_and_reason_of_rejected_events(world):
    world.outcomes.count(OutcomeKey(1, "bot"), world.clock.now())
    world.outcomes.count(OutcomeKey(1, "excluded", "country"), world.clock.now())

    shown = (await (await world.browser("member")).get("/sites/1/ingestion")).text

    assert "Rejected as bot traffic" in shown
    assert "country: 1" in shown
