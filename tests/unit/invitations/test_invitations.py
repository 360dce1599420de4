"""Invitations where mails can be sent."""

import pytest
from attrs import evolve

from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import Actor
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import AccessDenied, InvitationRefused
from tests.application import Surroundings, build, memory_stores

CONTEXT = CommandContext(actor=Actor(user_id="1"))


@pytest.fixture
async def world():
    """An organization of user 1, called Ann, in a service that sends mails."""
    stores = memory_stores(Surroundings(user_agents=UaParserUserAgents()))
    service = build(stores.ports).service
    commands = service.journal.commands
    user = await commands.people.register(CommandContext(), name="Ann")
    await commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
    mailer = evolve(service.mailer, enabled=True)
    return evolve(service.invitations, mailer=mailer), stores.ports.outbox


async def test_the_mail_has_the_link_and_says_who_invites_to_what(world):
    invitations, outbox = world

    sent = await invitations.invite(
        "1", address="bob@example.com", role=Role.VIEWER, context=CONTEXT, site_ids=None
    )

    [mail] = outbox.waiting_mails
    assert sent.mailed is True
    assert mail.recipient == "bob@example.com"
    assert mail.content.subject == "Ann invites you to Acme on Footfall"
    assert sent.link in mail.content.text
    assert "as viewer" in mail.content.text
    assert mail.useless_after == sent.invitation.expires_at


async def test_an_address_that_wants_no_invitations_gets_none_and_the_link_works(world):
    invitations, outbox = world
    await invitations.invite("1", address="bob@example.com", role=Role.MEMBER, context=CONTEXT)
    [mail] = outbox.waiting_mails
    kind, digest, token = mail.unsubscribe_url.split("/")[-3:]
    await invitations.mailer.unsubscribing.unsubscribe(kind, digest, token)

    sent = await invitations.invite("1", address="bob@example.com", role=Role.MEMBER, context=CONTEXT)

    assert (sent.mailed, len(outbox.waiting_mails)) == (False, 1)
    assert await invitations.find("1", sent.link.rpartition("/")[2])


async def test_a_refused_invitation_sends_no_mail(world):
    invitations, outbox = world
    stranger = CommandContext(actor=Actor(user_id="9"))

    with pytest.raises(AccessDenied):
        await invitations.invite("1", address="bob@example.com", role=Role.VIEWER, context=stranger)

    assert outbox.waiting_mails == []


async def test_of_two_browsers_that_accept_one_link_one_joins_and_the_other_leaves_no_account(world):
    invitations, _ = world
    sent = await invitations.invite("1", address="bob@example.com", role=Role.VIEWER, context=CONTEXT)
    token = sent.link.rpartition("/")[2]
    slow = Slow(invitations, token)
    slower = evolve(invitations, registrations=evolve(invitations.registrations, identifiers=slow))

    with pytest.raises(InvitationRefused):
        await slower.join_as_new_user("1", token, name="Eve", address="", request_id=None)

    await invitations.directory.catch_up()
    assert invitations.directory.users() == ["1", "3"]
    assert await invitations.commands.people.people.of(["2"]) == {}


class Slow:
    """Gives a user an id while another browser accepts the same link."""

    def __init__(self, invitations, token):
        self._invitations, self._token = invitations, token

    async def next_user(self):
        user_id = await self._invitations.registrations.identifiers.next_user()
        await self._invitations.join_as_new_user("1", self._token, name="Bob", address="", request_id=None)
        return user_id


async def test_an_address_gets_five_invitations_an_hour_and_the_links_work_all_the_same(world):
    invitations, outbox = world

    sent = [
        await invitations.invite("1", address=address, role=Role.VIEWER, context=CONTEXT)
        for address in ["bob@example.com"] * 5 + ["Bob@Example.com"]
    ]

    assert [one.mailed for one in sent] == [True] * 5 + [False]
    assert len(outbox.waiting_mails) == 5
    assert await invitations.find("1", sent[-1].link.rpartition("/")[2])


async def test_a_member_sends_thirty_invitations_an_hour_and_an_organization_sixty(world):
    invitations, outbox = world
    for user in ("2", "3"):
        await invitations.commands.people.register(CommandContext())
        await invitations.commands.organizations.add_member("1", user, Role.ADMIN, CommandContext())

    mailed = []
    for number in range(91):
        context = CommandContext(actor=Actor(user_id=str(number // 31 + 1)))
        address = f"bob{number}@example.com"
        sent = await invitations.invite("1", address=address, role=Role.VIEWER, context=context)
        mailed.append(sent.mailed)
        await invitations.commands.invitations.revoke("1", sent.invitation.invitation_id, context)

    assert mailed == [True] * 30 + [False] + [True] * 30 + [False] * 30
    assert len(outbox.waiting_mails) == 60
