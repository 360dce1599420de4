"""API keys."""

from datetime import timedelta

import pytest

from footfall.domain.accounts import api_key
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.event_stream import fold
from footfall.domain.examples import NOON
from footfall.domain.exceptions import ApiKeyNotFound, Invalid

KEY = "ff_" + "a" * 43


def issued(**arguments):
    events = api_key.issue(1, user_id="u", name="k", key=KEY, now=NOON, **arguments)
    return fold(api_key.apply, events)


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


def test_a_revoked_key_is_gone():
    revoked = api_key.revoke(issued(), user_id="u")

    assert fold(api_key.apply, revoked, issued()) is None


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"expires_in_days": 0}, "expiresInDays"),
        ({"expires_in_days": 3651}, "expiresInDays"),
    ],
)
def test_an_invalid_value_is_reported_by_its_field(arguments, field):
    with pytest.raises(Invalid) as caught:
        api_key.issue(1, **{"user_id": "u", "name": "k", "key": KEY, "now": NOON, **arguments})

    assert list(caught.value.field_errors) == [field]


@pytest.mark.parametrize("state", [None, issued()])
def test_only_the_own_key_can_be_revoked(state):
    with pytest.raises(ApiKeyNotFound):
        api_key.revoke(state, user_id="another user")
