"""API keys."""

from datetime import timedelta

import pytest

from footfall.domain import api_key
from footfall.domain.api_key import ApiKey, digest_of
from footfall.domain.errors import ApiKeyNotFound, Invalid
from footfall.domain.examples import NOON
from footfall.domain.stream import fold

KEY = "ff_" + "a" * 43


def issued(**arguments):
    events = api_key.issue(1, user_id="u", name="k", key=KEY, now=NOON, **arguments)
    return fold(api_key.apply, events, ApiKey())


def test_only_a_digest_and_the_first_characters_are_kept():
    [event] = api_key.issue(1, user_id="u", name="k", key=KEY, now=NOON)

    assert (event.digest, event.prefix) == (digest_of(KEY), "ff_aaaaa")
    assert KEY not in repr(event)
    assert digest_of(KEY) not in repr(event) + repr(issued())


def test_a_key_is_valid_until_it_expires():
    state = issued(expires_in_days=1)

    assert state.valid_at(NOON + timedelta(hours=23, minutes=59))
    assert not state.valid_at(NOON + timedelta(days=1))


def test_a_key_without_expiry_stays_valid():
    assert issued().valid_at(NOON + timedelta(days=100_000))


def test_a_revoked_key_is_not_valid():
    state = fold(api_key.apply, api_key.revoke(issued(), user_id="u"), issued())

    assert not state.valid_at(NOON)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"expires_in_days": 0}, "expiresInDays"),
        ({"expires_in_days": 3651}, "expiresInDays"),
    ],
)
def test_a_fault_is_named_by_its_field(arguments, field):
    with pytest.raises(Invalid) as caught:
        api_key.issue(1, **{"user_id": "u", "name": "k", "key": KEY, "now": NOON, **arguments})

    assert list(caught.value.faults) == [field]


@pytest.mark.parametrize("state", [ApiKey(), issued()])
def test_only_the_own_key_can_be_revoked(state):
    with pytest.raises(ApiKeyNotFound):
        api_key.revoke(state, user_id="somebody else")
