"""Users of the dashboard: one-time links and sign-ins."""

from datetime import timedelta

import pytest

from footfall.domain.accounts import api_key, user
from footfall.domain.accounts.user import LINK_LIFETIME, SIGN_IN_LIFETIME, User
from footfall.domain.event_stream import fold
from footfall.domain.examples import NOON
from footfall.domain.exceptions import SignInNotFound, SignInRefused, UserNotFound


def with_link(token="t"):
    return fold(user.apply, user.issue_link(None, token=token, now=NOON))


def signed_in(state=None, *, sign_in_id="s", token="t"):
    state = state or with_link(token)
    events = user.sign_in_by_link(state, token=token, sign_in_id=sign_in_id, now=NOON)
    return fold(user.apply, events, state)


def key(**arguments):
    events = api_key.issue(5, user_id="1", name="k", key="ff_x", now=NOON, **arguments)
    return fold(api_key.apply, events)


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
    [event] = user.issue_link(None, token="secret-token", now=NOON)

    assert "secret-token" not in f"{event!r} {event.digest}"


def test_a_key_signs_in_and_is_remembered():
    [event] = user.sign_in_by_key(None, key=key(), sign_in_id="s", now=NOON)

    assert event.key_id == 5


def test_an_unknown_key_is_refused():
    with pytest.raises(SignInRefused):
        user.sign_in_by_key(None, key=None, sign_in_id="s", now=NOON)


def test_an_expired_key_is_refused():
    with pytest.raises(SignInRefused):
        user.sign_in_by_key(None, key=key(expires_in_days=1), sign_in_id="s", now=NOON + timedelta(days=1))


def test_signing_out_ends_one_sign_in():
    both = signed_in(
        fold(user.apply, user.issue_link(None, token="u", now=NOON), signed_in()), sign_in_id="2", token="u"
    )

    left = fold(user.apply, user.sign_out(both, "s"), both)

    assert list(left.sign_ins) == ["2"]


def test_signing_out_twice_is_nothing_new():
    once = fold(user.apply, user.sign_out(signed_in(), "s"), signed_in())

    assert user.sign_out(once, "s") == []
    assert user.sign_out(None, "s") == []


def test_signing_out_everywhere_ends_all_sign_ins_and_unused_links():
    state = fold(user.apply, user.issue_link(None, token="unused", now=NOON), signed_in())

    assert fold(user.apply, user.sign_out_everywhere(state), state) == User()
    assert user.sign_out_everywhere(User()) == []
    assert user.sign_out_everywhere(None) == []


def test_no_link_signs_a_user_without_any_in():
    with pytest.raises(SignInRefused):
        user.sign_in_by_link(None, token="t", sign_in_id="s", now=NOON)


def test_one_sign_in_is_ended_by_its_handle_and_another_handle_is_not_found():
    state = signed_in()

    assert fold(user.apply, user.end_sign_in(state, user.handle_of("s")), state).sign_ins == {}
    for missing, handle in ((state, "s"), (None, user.handle_of("s"))):
        with pytest.raises(SignInNotFound):
            user.end_sign_in(missing, handle)


def test_a_sign_in_by_another_proof_lasts_thirty_days():
    [event] = user.sign_in(None, sign_in_id="s", now=NOON)

    assert (event.expires_at, event.link, event.key_id) == (NOON + SIGN_IN_LIFETIME, None, None)


def test_a_forgotten_user_has_no_link_no_sign_in_and_gets_none():
    state = fold(user.apply, user.forget(signed_in()), signed_in())

    assert (state.links, state.sign_ins) == ({}, {})
    assert user.forget(state) == []
    with pytest.raises(UserNotFound):
        user.issue_link(state, token="t", now=NOON)
    with pytest.raises(UserNotFound):
        user.change_person(state, name=True, address=False)
    with pytest.raises(UserNotFound):
        user.verify_address(state)
    with pytest.raises(SignInRefused):
        user.sign_in(state, sign_in_id="s", now=NOON)
    with pytest.raises(SignInRefused):
        user.sign_in_by_key(state, key=key(), sign_in_id="s", now=NOON)


def test_a_user_stays_registered_when_all_browsers_are_signed_out():
    state = fold(user.apply, [*user.register(), *user.issue_link(None, token="t", now=NOON)])

    assert fold(user.apply, user.sign_out_everywhere(state), state) == User(registered=True)
