"""Rules whose worker dies between the journal and the watch, while late hits change what their windows show."""

import pytest

from tests.unit.alerts.conftest import HOUR, dying


@pytest.fixture
async def first(world):
    """The first window of a rule; it meets the condition."""
    first = world.clock.now()
    world.course.by_hour = {first: 900}
    await world.define()
    await world.evaluation.work()
    return first


async def watch_of(world):
    return (await world.service.alerts.watches.of_site(1))[1]


def spans(world, first):
    """The hours in which firings began and were over, the first one first."""
    newest_first = world.journal.directory.firings(1, 1).newest_first()
    return [((one.start - first) / HOUR, (one.over_at - first) / HOUR) for one in reversed(newest_first)]


async def test_a_firing_whose_window_looks_otherwise_after_a_crash_goes_on_until_it_is_over(world, first):
    before = await watch_of(world)
    await world.pass_time(2)
    opened = world.told
    world.evaluation = world.another_worker()
    await world.service.alerts.watches.save([before])

    world.course.by_hour = {first + 6 * HOUR: 900}
    await world.pass_time(12)

    assert opened == ["alert-1-1-1-opened-1"]
    assert spans(world, first) == [(0, 3), (6, 9)]
    assert len(world.told) == 4


async def test_a_firing_that_is_over_stays_so_when_its_last_window_looks_otherwise_after_a_crash(
    world, first
):
    await world.pass_time(3)
    before = await watch_of(world)
    await world.pass_time(1)
    told = world.told
    world.evaluation = world.another_worker()
    await world.service.alerts.watches.save([before])

    world.course.by_hour = {first: 900, first + 2 * HOUR: 900, first + 4 * HOUR: 900}
    await world.pass_time(8)

    assert told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]
    assert spans(world, first) == [(0, 3), (4, 7)]
    assert len(world.told) == 4


@pytest.mark.usefixtures("first")
async def test_what_a_worker_recorded_and_did_not_tell_is_told_after_a_crash(world):
    with dying(world):
        await world.pass_time(2)

    world.course.by_hour = {}
    await world.pass_time(1)

    assert world.told == ["alert-1-1-1-opened-1"]


async def test_all_windows_that_the_journal_knows_stay_as_they_were_judged(world, first):
    before = await watch_of(world)
    await world.pass_time(4)
    world.evaluation = world.another_worker()
    await world.service.alerts.watches.save([before])

    world.course.by_hour = {first + 1 * HOUR: 900, first + 4 * HOUR: 900}
    await world.pass_time(8)

    assert spans(world, first) == [(0, 3), (4, 7)]
    assert len(world.told) == 4
