"""Persons that an organization has removed or limited, when they sign in again."""

from html import unescape
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from footfall.application.commands.context import CommandContext
from footfall.application.ports.accounts.identity_providers import (
    Identity,
    IdentityRefused,
)
from footfall.application.ports.journal import Actor
from footfall.application.sign_in.identities import Returned
from footfall.domain.accounts.organization import Role, SiteLimit
from footfall.domain.attempt_limits import CHALLENGES_OF_CLIENT
from tests.web.accounts.single_sign_on.browsers import CONTEXT, Answers, sign_in, user_of


async def joined(world):
    """Let Ann join as a newcomer, and return her browser and the number of the user."""
    browser = world.stranger()
    await sign_in(browser, "ann")
    return browser, user_of(await browser.get("/account"))


async def give_up_all(world, browser, user_id):
    """Unlink the identity, and enter another address, as a user can on the account page."""
    [identity] = await world.ports.sign_in.identities.of_user(user_id)
    await browser.post(f"/account/identities/{identity.identity_id}/removal", page="/account")
    await browser.post(
        "/account/profile", page="/account", person_name="Ann", address="other@elsewhere.example"
    )


async def remove(world, user_id):
    await world.commands.organizations.remove_member("1", user_id, CONTEXT)


async def limit(world, user_id):
    limited = SiteLimit((1,))
    await world.commands.organizations.change_member("1", user_id, CONTEXT, limit=limited)


@pytest.mark.parametrize("change", [remove, limit])
@pytest.mark.parametrize("order", ["before", "after"])
async def test_giving_up_identity_and_address_undoes_no_removal_and_no_limit(world, change, order):
    browser, user_id = await joined(world)
    if order == "before":
        await give_up_all(world, browser, user_id)
        await change(world, user_id)
    else:
        await change(world, user_id)
        await give_up_all(world, browser, user_id)

    refused = await sign_in(world.stranger(), "ann")

    assert refused.status_code == 400
    assert "had an account here before" in unescape(refused.text)
    assert await world.commands.people.register(CONTEXT) == str(int(user_id) + 1)


@pytest.mark.parametrize("given_up", ["identity", "address"])
async def test_one_of_both_is_enough_to_recognise_a_person(world, given_up):
    identity = Identity(
        issuer="https://i.example", subject="s", address="a@example.com", is_address_verified=True
    )
    other = (
        evolve(identity, subject="t") if given_up == "address" else evolve(identity, address="b@example.com")
    )
    ways = world.service.sign_in_ways.identities
    first, second = (evolve(ways, provider=Answers(one)) for one in (identity, other))
    _, proof = await first.begin(CHALLENGES_OF_CLIENT, "192.0.2.7")
    user_id = (await first.finish(Returned(code="c"), proof, signed_in=None, request_id=None)).user_id
    [linked] = await ways.of_user(user_id)
    await ways.unlink(user_id, linked.identity_id, CONTEXT)
    await world.commands.people.change(user_id, name="Ann", address=None, context=CONTEXT)
    _, proof = await second.begin(CHALLENGES_OF_CLIENT, "192.0.2.7")

    with pytest.raises(IdentityRefused, match="had an account here before"):
        await second.finish(Returned(code="c"), proof, signed_in=None, request_id=None)


async def test_a_removed_member_who_was_invited_by_mail_does_not_join_as_a_newcomer(world):
    sent = await world.service.invitations.invite(
        "1", address="Ann@example.com", role=Role.VIEWER, context=CommandContext(actor=Actor("1"))
    )
    browser = world.stranger()
    await browser.post(urlsplit(sent.link).path, name="Ann")
    await remove(world, user_of(await browser.get("/account")))

    assert (await sign_in(world.stranger(), "ann")).status_code == 400


async def test_an_invitation_brings_a_removed_person_back(world):
    browser, user_id = await joined(world)
    await give_up_all(world, browser, user_id)
    await remove(world, user_id)
    sent = await world.service.invitations.invite(
        "1", address="ann@example.com", role=Role.VIEWER, context=CommandContext(actor=Actor("1"))
    )

    back = world.stranger()
    await back.post(urlsplit(sent.link).path, name="Ann")
    await sign_in(back, "ann", "/account/identities/link")
    again = world.stranger()

    assert (await sign_in(again, "ann")).status_code == 303
    assert user_of(await again.get("/account")) == user_of(await back.get("/account")) != user_id


async def test_a_removed_member_still_signs_in_to_the_account(world):
    _, user_id = await joined(world)
    await remove(world, user_id)

    await sign_in(browser := world.stranger(), "ann")

    assert user_of(await browser.get("/account")) == user_id
    await world.directory.catch_up()
    assert world.directory.role(user_id, "1") is None


async def test_a_forgotten_person_is_no_newcomer_and_nothing_leads_to_the_user(world):
    _, user_id = await joined(world)
    await world.commands.people.forget(user_id, CONTEXT)

    refused = await sign_in(world.stranger(), "ann")

    assert refused.status_code == 400
    digests = world.ports.former_proofs.digests
    assert {len(one) for one in digests} == {32}
    assert b"ann" not in b"".join(digests)


async def test_an_address_that_was_only_entered_keeps_no_one_out(world):
    await world.commands.people.change("2", name="Eve", address="ann@example.com", context=CONTEXT)
    await world.commands.people.change("2", name="Eve", address=None, context=CONTEXT)

    assert (await sign_in(world.stranger(), "ann")).status_code == 303
