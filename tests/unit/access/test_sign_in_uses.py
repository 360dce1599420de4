"""The uses of sign-ins that a worker remembers."""

from datetime import timedelta

import pytest

from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.application.access.authorization import PresentedSignIn
from footfall.application.access.sign_in_uses import SignInTracker
from footfall.application.ports.enrichment import Device
from footfall.domain.accounts.user import handle_of
from footfall.domain.examples import NOON

HOUR = timedelta(hours=1)


class CountingUserAgents:
    """Knows no browser, and counts how often it is asked."""

    asked = 0

    def parse(self, _user_agent):
        self.asked += 1
        return Device()


@pytest.fixture
def user_agents():
    return CountingUserAgents()


async def test_sign_ins_of_earlier_hours_are_not_kept_in_memory(user_agents):
    uses = MemorySignInUses()
    tracker = SignInTracker(uses, user_agents)
    handles = [handle_of(f"s{number}") for number in range(100)]

    for number in range(100):
        tracker.note(PresentedSignIn("1", f"s{number}"), "", NOON + number * HOUR)
        await tracker.unwritten.flush()
    stored = await tracker.of(handles)
    await uses.forget_user("1")
    remembered = await tracker.of(handles)

    assert len(stored) == 100
    assert list(remembered) == handles[-1:]


async def test_a_use_is_described_once_an_hour(user_agents):
    tracker = SignInTracker(MemorySignInUses(), user_agents)

    for minute in range(0, 120, 10):
        tracker.note(PresentedSignIn("1", "s"), "", NOON + timedelta(minutes=minute))

    assert user_agents.asked == 2


async def test_a_use_of_the_last_hour_is_known_before_it_is_stored(user_agents):
    tracker = SignInTracker(MemorySignInUses(), user_agents)
    tracker.note(PresentedSignIn("1", "s"), "", NOON)
    tracker.note(PresentedSignIn("1", "t"), "", NOON + HOUR)

    found = await tracker.of([handle_of("s")])

    assert found[handle_of("s")].last_used_at == NOON
