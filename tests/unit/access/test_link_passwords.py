"""Passwords of links in the form in which they are kept."""

import pytest
from attrs import evolve

from footfall.application.access.link_passwords import is_password, keep_password, proof_of
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
