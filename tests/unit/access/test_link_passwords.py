"""Passwords of links in the form in which they are kept."""

import pytest
from attrs import evolve

from footfall.adapters.memory.accounts.sign_in_ways import MemoryAttempts
from footfall.adapters.memory.clock import ManualClock
from footfall.application.access.link_passwords import is_password, keep_password, proof_of
from footfall.application.sign_in.attempts import AttemptLimiter, TooManyAttempts
from footfall.application.sign_in.link_password_attempts import LinkPasswords
from footfall.domain.attempt_limits import PASSWORDS_OF_CLIENT, PASSWORDS_OF_LINK
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedLink


async def test_the_same_password_is_kept_in_another_form_with_another_salt():
    first, second = [await keep_password("correct horse", salt) for salt in (b"one", b"two")]

    assert first != second
    assert await is_password("correct horse", first)
    assert await is_password("correct horse", second)
    assert not await is_password("Correct horse", first)


async def test_a_letter_can_be_typed_in_two_ways():
    kept = await keep_password("cafe\u0301 crème", b"salt")

    assert await is_password("caf\u00e9 cr\u00e8me", kept)
    assert not await is_password("cafe creme", kept)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129])
async def test_a_password_has_a_length(password):
    with pytest.raises(Invalid) as refusal:
        await keep_password(password, b"salt")

    assert list(refusal.value.field_errors) == ["password"]
    assert not await is_password(password, await keep_password("x" * 128, b"salt"))


async def test_a_text_that_cannot_be_encoded_is_another_password():
    assert not await is_password("\ud800234567", await keep_password("12345678", b"salt"))


def test_each_link_and_password_has_a_proof_of_its_own():
    link = SharedLink(LinkTerms(name="Agency", password="kept"), "digest", "sealed")
    others = [evolve(link, digest="other"), evolve(link, terms=evolve(link.terms, password="another"))]

    assert proof_of(evolve(link, terms=LinkTerms(name="Agency"))) is None
    assert len({proof_of(one) for one in (link, *others)}) == 3


def passwords():
    return LinkPasswords(AttemptLimiter(MemoryAttempts(), ManualClock(NOON), b"secret"))


async def test_one_client_keeps_no_other_from_a_link_and_none_of_another_link():
    # Without a password, so that each try is quick.
    checked, link = passwords(), SharedLink(LinkTerms(name="A"), "one", "sealed")
    windows = PASSWORDS_OF_LINK.window // PASSWORDS_OF_CLIENT.window
    for _ in range(PASSWORDS_OF_CLIENT.most):
        await checked.opens(link, "wrong", client="192.0.2.1")

    with pytest.raises(TooManyAttempts):
        await checked.opens(link, "wrong", client="192.0.2.1")

    assert await checked.opens(link, "right", client="192.0.2.2")
    assert await checked.opens(evolve(link, digest="two"), "right", client="192.0.2.1")
    assert 4 * windows * PASSWORDS_OF_CLIENT.most < PASSWORDS_OF_LINK.most


async def test_all_clients_together_have_a_limit_for_a_link():
    checked, link = passwords(), SharedLink(LinkTerms(name="A"), "one", "sealed")
    for number in range(PASSWORDS_OF_LINK.most):
        await checked.opens(link, "wrong", client=f"192.0.{number // 250}.{number % 250}")

    with pytest.raises(TooManyAttempts):
        await checked.opens(link, "right", client="198.51.100.1")
