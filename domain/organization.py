"""An organization: the members that share sites, and their roles."""

from collections.abc import Mapping
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.errors import AccessDenied, Invalid, LastOwner, MemberNotFound
from footfall.domain.text import required_text

MAX_NAME = 100


class Role(StrEnum):
    """What a member may do: members read and keep goals; admins and owners also configure and delete."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"

    @property
    def administers(self) -> bool:
        """Whether the role may configure and delete sites (interface, section 5)."""
        return self is not Role.MEMBER


@frozen
class OrganizationRegistered:
    """An organization came into being."""

    organization_id: str
    name: str


@frozen
class MemberAdded:
    """A user joined the organization."""

    user_id: str
    role: Role


@frozen
class MemberRoleChanged:
    """A member's role became another."""

    user_id: str
    role: Role


@frozen
class MemberRemoved:
    """A member left the organization."""

    user_id: str


OrganizationEvent = OrganizationRegistered | MemberAdded | MemberRoleChanged | MemberRemoved


@frozen
class Organization:
    """What later decisions about an organization need."""

    organization_id: str = ""
    name: str = ""
    roles: Mapping[str, Role] = field(factory=dict)

    @property
    def exists(self) -> bool:
        """Whether the organization was registered."""
        return bool(self.organization_id)


def register(organization_id: str, *, name: str, owner: str) -> list[OrganizationEvent]:
    """Decide a new organization with its first owner.

    Raises:
        Invalid: the name is empty or longer than 100 characters.

    """
    name = required_text("name", name, maximum=MAX_NAME)
    return [OrganizationRegistered(organization_id, name), MemberAdded(owner, Role.OWNER)]


def set_role(
    state: Organization, user_id: str, role: Role, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that a user is a member with this role, whether or not they were one before.

    `by` is the member who asks for it; None is the operator, who may do everything.

    Raises:
        AccessDenied: only owners may make or unmake owners, and only admins and owners anything else.
        LastOwner: the change would leave nobody who owns the organization.

    """
    current = state.roles.get(user_id)
    _require_authority(state, by, current, role)
    if current is role:
        return []
    if current is None:
        return [MemberAdded(user_id, role)]
    _keep_an_owner(state, without=user_id)
    return [MemberRoleChanged(user_id, role)]


def add_member(
    state: Organization, user_id: str, role: Role, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that a user joins; somebody who is a member with another role is refused.

    Raises:
        AccessDenied: as for `set_role`.
        Invalid: the user is a member already, in another role.

    """
    if state.roles.get(user_id, role) is not role:
        raise Invalid({"userId": ["is a member already; change the role instead"]})
    return set_role(state, user_id, role, by=by)


def change_role(
    state: Organization, user_id: str, role: Role, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide another role for a member.

    Raises:
        AccessDenied: as for `set_role`.
        MemberNotFound: the user is no member.
        LastOwner: the change would leave nobody who owns the organization.

    """
    if user_id not in state.roles:
        raise MemberNotFound
    return set_role(state, user_id, role, by=by)


def remove_member(state: Organization, user_id: str, *, by: str | None = None) -> list[OrganizationEvent]:
    """Decide that a member leaves.

    Raises:
        AccessDenied: only owners may remove owners, and only admins and owners anybody else.
        MemberNotFound: the user is no member.
        LastOwner: the user is the only owner.

    """
    if user_id not in state.roles:
        raise MemberNotFound
    _require_authority(state, by, state.roles[user_id])
    _keep_an_owner(state, without=user_id)
    return [MemberRemoved(user_id)]


def apply(state: Organization, event: OrganizationEvent) -> Organization:
    """Fold one event into the state; total, so that history can always be read."""
    match event:
        case OrganizationRegistered(organization_id, name):
            return evolve(state, organization_id=organization_id, name=name)
        case MemberAdded(user_id, role) | MemberRoleChanged(user_id, role):
            return evolve(state, roles={**state.roles, user_id: role})
        case MemberRemoved(user_id):
            return evolve(state, roles={user: role for user, role in state.roles.items() if user != user_id})


def _require_authority(state: Organization, by: str | None, *concerned: Role | None) -> None:
    if by is None:
        return
    role = state.roles.get(by)
    if role is None or not role.administers or (Role.OWNER in concerned and role is not Role.OWNER):
        raise AccessDenied


def _keep_an_owner(state: Organization, *, without: str) -> None:
    owners = {user for user, role in state.roles.items() if role is Role.OWNER}
    if owners == {without}:
        raise LastOwner
