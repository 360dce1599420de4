"""Rules that are changed while they fire: what they told is ended, and they keep no other rule waiting."""

import json

import pytest
from attrs import evolve, frozen

from footfall.application.commands.alerts import AlertCommands
from footfall.application.ports.journal import Actor, ConcurrencyConflict, Metadata, RecordedEvent
from footfall.domain.alerts.firings import OverReason
from footfall.domain.alerts.plan import AlertMetric
from footfall.domain.event_stream import UnknownEvent, Unreadable
from tests.unit.alerts.conftest import die_before_telling, dying, firing, redefine


async def break_firings(world, number, event):
    """Let the stream of the firings of a rule hold an event that this version cannot read."""
    stream, events = f"firings-1-{number}", world.stores.ports.event_store.events
    version = sum(recorded.stream == stream for recorded in events) + 1
    events.append(
        RecordedEvent(len(events) + 1, stream, version, event, Metadata(Actor(), world.clock.now()))
    )
    await world.journal.directory.catch_up()


@pytest.mark.parametrize("change", [{"value": 2}, {"active": False}])
@pytest.mark.parametrize(
    ("event", "obstacle"),
    [
        (Unreadable("broken"), "the store does not answer"),
        (
            UnknownEvent("of-a-newer-version"),
            "A newer version of Footfall has changed this: try again when the update is complete",
        ),
    ],
)
async def test_a_changed_rule_whose_firings_cannot_be_read_waits_and_keeps_no_other_waiting(
    world, event, obstacle, change
):
    await firing(world)
    await break_firings(world, 1, event)
    other = await world.define(value=1)

    await redefine(world, **change)
    await world.pass_time(3)

    watches = await world.service.alerts.watches.of_site(1)
    assert (watches[1].obstacle, watches[other].obstacle) == (obstacle, None)
    assert world.journal.directory.firings(1, other).running is not None


async def test_a_changed_rule_that_had_to_wait_ends_its_firing_once_it_can(world):
    class Refusing(AlertCommands):
        async def end(self, *_values):
            raise ConcurrencyConflict("firings-1-1")

    await firing(world)
    await redefine(world, value=1e6)
    follower = world.evaluation.follower
    commands = Refusing(streams=follower.commands.streams)
    world.evaluation.follower = evolve(follower, commands=commands)
    await world.pass_time(1)
    world.evaluation.follower = follower
    waiting = world.told
    await world.pass_time(1)

    assert waiting == ["alert-1-1-1-opened-1"]
    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]
    assert (await world.service.alerts.watches.of_site(1))[1].obstacle is None


@frozen
class Erased:
    """Watches of which the first one is erased once their revisions were read."""

    of: object

    def __getattr__(self, name):
        return getattr(self.of, name)

    async def revisions(self):
        found = await self.of.revisions()
        await self.of.forget([(1, 1)])
        return found


async def test_a_rule_whose_watch_is_erased_while_it_is_changed_keeps_no_other_waiting(world):
    await firing(world)
    other = await world.define(value=1)
    watches = world.evaluation.watches
    await redefine(world, value=1e6)
    world.evaluation.watches = Erased(watches)
    await world.evaluation.work()
    world.evaluation.watches = watches
    await world.pass_time(3)

    assert world.journal.directory.firings(1, other).running is not None


@pytest.fixture
async def end_untold(world):
    """The worker died after it had recorded the end of the first firing, before it told of it."""
    await firing(world)
    world.course.by_hour = {}
    await world.pass_time(1)
    with dying(world):
        await world.pass_time(1)
    await world.journal.directory.catch_up()
    assert world.journal.directory.firings(1, 1).latest[1].over_reason is OverReason.CALM
    assert world.told == ["alert-1-1-1-opened-1"]


@pytest.mark.usefixtures("end_untold")
@pytest.mark.parametrize("change", [{"metric": AlertMetric.PAGEVIEWS, "value": 1e6}, {"active": False}])
async def test_an_end_that_was_recorded_and_not_told_is_told_when_the_rule_is_changed(world, change):
    await redefine(world, **change)
    await world.pass_time(2)

    over = json.loads(world.queue.requests["alert-1-1-1-over-1"].body)["text"]
    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]
    assert "Back to normal" in over
    assert "pageviews" not in over


async def test_a_beginning_that_is_told_when_the_rule_is_changed_names_no_unit_of_its_new_metric(world):
    await die_before_telling(world)
    await world.journal.directory.catch_up()

    await redefine(world, metric=AlertMetric.PAGEVIEWS, value=1e6)
    await world.pass_time(1)

    opened = json.loads(world.queue.requests["alert-1-1-1-opened-1"].body)["text"]
    assert "visitors" not in opened
    assert "pageviews" not in opened
