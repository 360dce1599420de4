"""Invitations: who invites, what a link is good for, and when it ends."""

from datetime import timedelta

import pytest

from footfall.domain.accounts import invitations, organization
from footfall.domain.accounts.invitations import LIFETIME, MAX_OPEN
from footfall.domain.accounts.organization import (
    InvitationAccepted,
    InvitationRevoked,
    MemberAdded,
    MemberSitesLimited,
    Role,
)
from footfall.domain.event_stream import fold
from footfall.domain.examples import NOON
from footfall.domain.exceptions import (
    AccessDenied,
    AlreadyMember,
    Invalid,
    InvitationNotFound,
    InvitationRefused,
    OrganizationNotFound,
    TooManyInvitations,
)


def acme():
    events = [
        *organization.register("1", name="Acme", owner="owner"),
        MemberAdded("second", Role.OWNER),
        MemberAdded("admin", Role.ADMIN),
        MemberAdded("member", Role.MEMBER),
        MemberAdded("viewer", Role.VIEWER),
    ]
    return fold(organization.apply, events)


def invited(state=None, *, token="t", role=Role.MEMBER, by="admin", **named):
    state = state or acme()
    events = invitations.invite(state, token=token, role=role, now=NOON, by=by, **named)
    return fold(organization.apply, events, state)


def accepted(state, *, token="t", user_id="new", now=NOON):
    return invitations.accept(state, token=token, user_id=user_id, now=now)


def test_the_token_is_in_no_event_and_the_digest_in_no_representation():
    [event] = invitations.invite(acme(), token="secret-token", role=Role.ADMIN, now=NOON, by="owner")

    assert event.digest not in repr(event)
    assert "secret-token" not in repr([event.digest, event])
    assert event.expires_at == NOON + timedelta(days=7)


def left(state, user_id):
    return fold(organization.apply, organization.remove_member(state, user_id, by="owner"), state)


def test_a_link_from_before_the_end_of_a_membership_does_not_bring_the_user_back():
    state = left(invited(by="owner"), "member")

    with pytest.raises(InvitationRefused):
        accepted(state, user_id="member")
    assert accepted(state, user_id="new")


def test_a_link_from_after_the_end_of_a_membership_is_meant():
    state = invited(left(invited(by="owner"), "member"), token="later", by="owner")

    assert MemberAdded("member", Role.MEMBER) in accepted(state, token="later", user_id="member")
    with pytest.raises(InvitationRefused):
        accepted(state, user_id="member")


def test_other_invitations_to_the_same_address_end_with_the_acceptance():
    state = invited(invited(invited(by="owner"), token="u", by="owner"), token="v", by="owner")
    addresses = {1: "Bob@example.com", 2: "bob@EXAMPLE.com", 3: "eve@example.com"}

    events = invitations.accept(state, token="t", user_id="new", now=NOON, addresses=addresses)

    assert [one for one in events if isinstance(one, InvitationRevoked)] == [InvitationRevoked(2)]
    assert set(fold(organization.apply, events, state).invitations) == {3}


def test_an_invitation_without_a_stored_address_ends_no_other_one():
    state = invited(invited(by="owner"), token="u", by="owner")

    assert set(fold(organization.apply, accepted(state), state).invitations) == {2}


def test_an_invitation_is_accepted_once():
    state = invited(role=Role.VIEWER, site_ids=[2, 1])

    events = accepted(state)

    assert events == [
        InvitationAccepted(1, "new"),
        MemberAdded("new", Role.VIEWER),
        MemberSitesLimited("new", (1, 2)),
    ]
    with pytest.raises(InvitationRefused):
        accepted(fold(organization.apply, events, state), user_id="another")


@pytest.mark.parametrize("token", ["", "T", "t ", "\ud800"])
def test_another_token_is_refused(token):
    with pytest.raises(InvitationRefused):
        accepted(invited(), token=token)


def test_an_invitation_is_accepted_until_seven_days_are_over():
    state = invited()

    assert accepted(state, now=NOON + LIFETIME - timedelta(microseconds=1))
    with pytest.raises(InvitationRefused):
        accepted(state, now=NOON + LIFETIME)


def test_a_member_does_not_use_an_invitation_up():
    state = invited()

    with pytest.raises(AlreadyMember):
        accepted(state, user_id="member")

    assert accepted(state)


def test_a_revoked_invitation_is_refused_and_revoked_once():
    state = invited()
    state = fold(organization.apply, invitations.revoke(state, 1, by="admin"), state)

    with pytest.raises(InvitationRefused):
        accepted(state)
    with pytest.raises(InvitationNotFound):
        invitations.revoke(state, 1, by="admin")


def test_a_number_is_never_given_twice():
    state = invited()
    state = fold(organization.apply, invitations.revoke(state, 1), state)

    assert list(invited(state, token="u").invitations) == [2]


@pytest.mark.parametrize(
    ("by", "role"),
    [("member", Role.VIEWER), ("viewer", Role.VIEWER), ("stranger", Role.VIEWER), ("admin", Role.OWNER)],
)
def test_nobody_invites_to_more_than_they_may_grant(by, role):
    with pytest.raises(AccessDenied):
        invited(role=role, by=by)


@pytest.mark.parametrize("by", ["owner", None])
def test_owners_and_the_operator_invite_owners(by):
    assert invited(role=Role.OWNER, by=by).invitations[1].invited_by == by


def test_an_admin_does_not_revoke_the_invitation_of_an_owner():
    with pytest.raises(AccessDenied):
        invitations.revoke(invited(role=Role.OWNER, by="owner"), 1, by="admin")


@pytest.mark.parametrize(
    "decide", [organization.remove_member, lambda *a: organization.set_role(*a, Role.MEMBER)]
)
def test_the_links_of_a_member_end_with_the_right_to_invite(decide):
    state = invited(invited(by="admin"), token="u", by="owner")

    state = fold(organization.apply, decide(state, "admin"), state)

    with pytest.raises(InvitationRefused):
        accepted(state)
    assert accepted(state, token="u")


def test_the_invitation_of_an_owner_ends_when_its_author_becomes_an_admin():
    state = invited(invited(role=Role.OWNER, by="second"), token="u", role=Role.ADMIN, by="second")

    state = fold(organization.apply, organization.set_role(state, "second", Role.ADMIN), state)

    with pytest.raises(InvitationRefused):
        accepted(state)
    assert accepted(state, token="u")


def test_an_administrator_is_not_invited_to_some_sites():
    with pytest.raises(Invalid):
        invited(role=Role.ADMIN, site_ids=[1])


def test_a_hundred_invitations_are_open_at_most_and_expired_ones_do_not_count():
    state = acme()
    for number in range(MAX_OPEN):
        state = invited(state, token=str(number))

    with pytest.raises(TooManyInvitations):
        invited(state)
    assert invitations.invite(state, token="t", role=Role.MEMBER, now=NOON + LIFETIME)


def test_an_organization_that_does_not_exist_has_no_invitations():
    with pytest.raises(OrganizationNotFound):
        invitations.invite(None, token="t", role=Role.MEMBER, now=NOON)
    with pytest.raises(OrganizationNotFound):
        invitations.revoke(None, 1)
    with pytest.raises(InvitationRefused):
        accepted(None)
