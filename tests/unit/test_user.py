"""Users of the dashboard: one-time links and sign-ins."""

from datetime import timedelta

import pytest

from footfall.domain import api_key, user
from footfall.domain.api_key import ApiKey
from footfall.domain.errors import SignInRefused
from footfall.domain.examples import NOON
from footfall.domain.stream import fold
from footfall.domain.user import LINK_LIFETIME, SIGN_IN_LIFETIME, User


def with_link(token="t"):
    return fold(user.apply, user.issue_link(token=token, now=NOON), User())


def signed_in(state=None, *, sign_in_id="s", token="t"):
    state = state or with_link(token)
    events = user.sign_in_by_link(state, token=token, sign_in_id=sign_in_id, now=NOON)
    return fold(user.apply, events, state)


def key(**arguments):
    events = api_key.issue(5, user_id="1", name="k", key="ff_x", now=NOON, **arguments)
    return fold(api_key.apply, events, ApiKey())


def test_a_link_signs_in_for_thirty_days():
    state = signed_in()

    assert state.sign_ins["s"].expires_at == NOON + SIGN_IN_LIFETIME


def test_a_link_works_once():
    with pytest.raises(SignInRefused, match="used before"):
        user.sign_in_by_link(signed_in(), token="t", sign_in_id="again", now=NOON)


def test_a_link_is_void_after_an_hour():
    with pytest.raises(SignInRefused, match="too old"):
        user.sign_in_by_link(with_link(), token="t", sign_in_id="s", now=NOON + LINK_LIFETIME)


def test_a_guessed_link_is_refused():
    with pytest.raises(SignInRefused):
        user.sign_in_by_link(with_link(), token="T", sign_in_id="s", now=NOON)


def test_the_token_of_a_link_is_in_no_event():
    [event] = user.issue_link(token="secret-token", now=NOON)

    assert "secret-token" not in f"{event!r} {event.digest}"


def test_a_key_signs_in_and_is_remembered():
    [event] = user.sign_in_by_key(key(), sign_in_id="s", now=NOON)

    assert event.key_id == 5


@pytest.mark.parametrize("presented", [None, ApiKey()])
def test_an_unknown_key_is_refused(presented):
    with pytest.raises(SignInRefused):
        user.sign_in_by_key(presented, sign_in_id="s", now=NOON)


def test_an_expired_key_is_refused():
    with pytest.raises(SignInRefused):
        user.sign_in_by_key(key(expires_in_days=1), sign_in_id="s", now=NOON + timedelta(days=1))


def test_signing_out_ends_one_sign_in():
    both = signed_in(
        fold(user.apply, user.issue_link(token="u", now=NOON), signed_in()), sign_in_id="2", token="u"
    )

    left = fold(user.apply, user.sign_out(both, "s"), both)

    assert list(left.sign_ins) == ["2"]


def test_signing_out_twice_is_nothing_new():
    assert user.sign_out(User(), "s") == []


def test_signing_out_everywhere_ends_all_sign_ins_and_unused_links():
    state = fold(user.apply, user.issue_link(token="unused", now=NOON), signed_in())

    assert fold(user.apply, user.sign_out_everywhere(state), state) == User()
    assert user.sign_out_everywhere(User()) == []
