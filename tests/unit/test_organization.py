"""Organizations: members, roles, and the owner that always stays."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain import organization
from footfall.domain.errors import AccessDenied, Invalid, LastOwner, MemberNotFound
from footfall.domain.organization import MemberAdded, MemberRemoved, MemberRoleChanged, Organization, Role
from footfall.domain.stream import fold


def acme(**roles):
    events = [*organization.register("1", name="Acme", owner="owner")]
    events += [MemberAdded(user, role) for user, role in roles.items()]
    return fold(organization.apply, events, Organization())


def test_an_organization_begins_with_its_owner():
    state = acme()

    assert (state.exists, state.name, state.roles) == (True, "Acme", {"owner": Role.OWNER})


@pytest.mark.parametrize("name", ["", "  ", "n" * 101, "a\x00"])
def test_a_bad_name_is_refused(name):
    with pytest.raises(Invalid) as caught:
        organization.register("1", name=name, owner="owner")

    assert list(caught.value.faults) == ["name"]


def test_a_member_joins_changes_and_leaves():
    joined = organization.add_member(acme(), "bob", Role.MEMBER)
    changed = organization.change_role(acme(bob=Role.MEMBER), "bob", Role.ADMIN)
    left = organization.remove_member(acme(bob=Role.ADMIN), "bob")

    assert joined == [MemberAdded("bob", Role.MEMBER)]
    assert changed == [MemberRoleChanged("bob", Role.ADMIN)]
    assert left == [MemberRemoved("bob")]


def test_saying_the_same_thing_twice_changes_nothing():
    assert organization.add_member(acme(bob=Role.ADMIN), "bob", Role.ADMIN) == []
    assert organization.change_role(acme(bob=Role.ADMIN), "bob", Role.ADMIN) == []


def test_joining_again_with_another_role_is_refused():
    with pytest.raises(Invalid):
        organization.add_member(acme(bob=Role.ADMIN), "bob", Role.MEMBER)


@pytest.mark.parametrize(
    "decide", [organization.remove_member, lambda s, u: organization.change_role(s, u, Role.ADMIN)]
)
def test_who_is_no_member_cannot_be_changed(decide):
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
def test_nobody_gives_or_takes_what_is_above_them(by, user, role):
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
