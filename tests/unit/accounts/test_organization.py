"""Organizations: members, roles, and the last owner."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.accounts import organization
from footfall.domain.accounts.organization import (
    MemberAdded,
    MemberRemoved,
    MemberRoleChanged,
    MemberSitesLimited,
    OrganizationRenamed,
    Role,
    SiteLimit,
)
from footfall.domain.event_stream import fold
from footfall.domain.exceptions import AccessDenied, Invalid, LastOwner, MemberNotFound, OrganizationNotFound


def acme(**roles):
    events = [*organization.register("1", name="Acme", owner="owner")]
    events += [MemberAdded(user, role) for user, role in roles.items()]
    return fold(organization.apply, events)


def test_an_organization_begins_with_its_owner():
    state = acme()

    assert (state.name, state.roles) == ("Acme", {"owner": Role.OWNER})


@pytest.mark.parametrize("name", ["", "  ", "n" * 101, "a\x00"])
def test_a_bad_name_is_refused(name):
    with pytest.raises(Invalid) as caught:
        organization.register("1", name=name, owner="owner")

    assert list(caught.value.field_errors) == ["name"]


def test_an_organization_is_renamed_once():
    renamed = organization.rename(acme(bob=Role.ADMIN), " New ", by="bob")

    assert renamed == [OrganizationRenamed("New")]
    assert fold(organization.apply, renamed, acme()).name == "New"
    assert organization.rename(acme(), "Acme") == []


@pytest.mark.parametrize("name", ["", "  ", "n" * 101, "a\x00"])
def test_a_bad_new_name_is_refused(name):
    with pytest.raises(Invalid) as caught:
        organization.rename(acme(), name)

    assert list(caught.value.field_errors) == ["name"]


@pytest.mark.parametrize(
    "decide",
    [
        lambda: organization.rename(None, "New"),
        lambda: organization.add_member(None, "bob", Role.MEMBER),
        lambda: organization.change_role(None, "bob", Role.MEMBER),
        lambda: organization.remove_member(None, "bob"),
    ],
)
def test_an_organization_that_was_never_registered_cannot_be_changed(decide):
    with pytest.raises(OrganizationNotFound):
        decide()


@pytest.mark.parametrize("by", ["bob", "stranger"])
def test_only_administrators_rename(by):
    with pytest.raises(AccessDenied):
        organization.rename(acme(bob=Role.MEMBER), "New", by=by)


def test_a_member_joins_changes_and_leaves():
    joined = organization.add_member(acme(), "bob", Role.MEMBER)
    changed = organization.change_role(acme(bob=Role.MEMBER), "bob", Role.ADMIN)
    left = organization.remove_member(acme(bob=Role.ADMIN), "bob")

    assert joined == [MemberAdded("bob", Role.MEMBER)]
    assert changed == [MemberRoleChanged("bob", Role.ADMIN)]
    assert left == [MemberRemoved("bob")]


def test_repeating_a_membership_command_returns_no_events():
    assert organization.add_member(acme(bob=Role.ADMIN), "bob", Role.ADMIN) == []
    assert organization.change_role(acme(bob=Role.ADMIN), "bob", Role.ADMIN) == []


def test_joining_again_with_another_role_is_refused():
    with pytest.raises(Invalid):
        organization.add_member(acme(bob=Role.ADMIN), "bob", Role.MEMBER)


@pytest.mark.parametrize(
    "decide", [organization.remove_member, lambda s, u: organization.change_role(s, u, Role.ADMIN)]
)
def test_a_user_who_is_not_a_member_cannot_be_changed(decide):
    with pytest.raises(MemberNotFound):
        decide(acme(), "bob")


@given(st.lists(st.tuples(st.sampled_from(["owner", "a", "b"]), st.sampled_from([*Role, None]))))
def test_an_owner_always_stays(changes):
    state = acme()

    for user, role in changes:
        with contextlib.suppress(LastOwner, MemberNotFound):
            if role is None:
                events = organization.remove_member(state, user)
            else:
                events = organization.set_role(state, user, role)
            state = fold(organization.apply, events, state)

    assert Role.OWNER in state.roles.values()


@pytest.mark.parametrize(
    ("by", "user", "role"),
    [
        ("admin", "owner", Role.MEMBER),
        ("admin", "admin", Role.OWNER),
        ("admin", "new", Role.OWNER),
        ("member", "new", Role.MEMBER),
        ("member", "member", Role.ADMIN),
        ("stranger", "stranger", Role.MEMBER),
    ],
)
def test_roles_above_the_own_cannot_be_given_or_taken(by, user, role):
    state = acme(admin=Role.ADMIN, member=Role.MEMBER)

    with pytest.raises(AccessDenied):
        organization.set_role(state, user, role, by=by)


def test_an_admin_does_not_remove_an_owner():
    with pytest.raises(AccessDenied):
        organization.remove_member(acme(admin=Role.ADMIN), "owner", by="admin")


def test_owners_do_everything_and_admins_the_rest():
    state = acme(admin=Role.ADMIN, member=Role.MEMBER)

    assert organization.change_role(state, "admin", Role.OWNER, by="owner")
    assert organization.change_role(state, "member", Role.ADMIN, by="admin")
    assert organization.remove_member(state, "member", by="admin")


def test_a_limited_member_has_a_role_on_the_listed_sites_only():
    state = acme(member=Role.MEMBER)
    state = fold(organization.apply, organization.limit_sites(state, "member", [2, 1, 2], by="owner"), state)

    assert [state.role_on("member", site) for site in (1, 2, 3)] == [Role.MEMBER, Role.MEMBER, None]
    assert organization.limit_sites(state, "member", [1, 2]) == []


def test_a_limit_ends_with_the_membership_and_with_a_role_that_administers():
    state = acme(member=Role.MEMBER)
    state = fold(organization.apply, organization.limit_sites(state, "member", [1]), state)
    removed = fold(organization.apply, organization.remove_member(state, "member"), state)

    promoted = fold(organization.apply, organization.change_role(state, "member", Role.ADMIN), state)

    assert (promoted.sites, removed.sites) == ({}, {})


def test_role_and_limit_change_together_or_not_at_all():
    state, limit = acme(member=Role.MEMBER), SiteLimit((1,))

    assert organization.change_member(state, "member", role=Role.VIEWER, limit=limit) == [
        MemberRoleChanged("member", Role.VIEWER),
        MemberSitesLimited("member", (1,)),
    ]
    with pytest.raises(Invalid):
        organization.change_member(state, "member", role=Role.ADMIN, limit=limit)


@pytest.mark.parametrize("by", ["member", "viewer", "stranger"])
def test_only_those_who_administer_limit_a_member(by):
    state = acme(member=Role.MEMBER, viewer=Role.VIEWER)

    with pytest.raises(AccessDenied):
        organization.limit_sites(state, "member", [1], by=by)


def test_a_limit_has_at_most_a_thousand_sites():
    state = acme(member=Role.MEMBER)

    assert organization.limit_sites(state, "member", range(1, 1_001)) != []
    for sites in ([], range(1, 1_002)):
        with pytest.raises(Invalid):
            organization.limit_sites(state, "member", sites)


def test_a_viewer_neither_edits_nor_administers():
    assert [(role.edits, role.administers) for role in (Role.VIEWER, Role.MEMBER, Role.ADMIN)] == [
        (False, False),
        (True, False),
        (True, True),
    ]
