"""An organization: the members that share sites, their roles, and the invitations to join it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.event_stream import fold, without
from footfall.domain.exceptions import (
    AccessDenied,
    Invalid,
    LastOwner,
    MemberNotFound,
    OrganizationNotFound,
    existing,
)
from footfall.domain.text import shown_name

MAX_NAME = 100
MAX_SITES_OF_MEMBER = 1_000


class Role(StrEnum):
    """A member's role: viewers read; members also edit goals; admins and owners also configure and delete."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"

    @property
    def administers(self) -> bool:
        """Whether the role may configure and delete sites."""
        return self in {Role.OWNER, Role.ADMIN}

    @property
    def edits(self) -> bool:
        """Whether the role may change goals and errors, and send events with an API key."""
        return self is not Role.VIEWER


@frozen
class OrganizationRegistered:
    """An organization was registered."""

    organization_id: str
    name: str


@frozen
class OrganizationRenamed:
    """The organization was renamed."""

    name: str


@frozen
class OrganizationLanguageChosen:
    """Members without a choice of their own, and mails to people outside, have this language; None stands for none."""

    language: str | None


@frozen
class MemberAdded:
    """A user joined the organization."""

    user_id: str
    role: Role


@frozen
class MemberRoleChanged:
    """A member got another role."""

    user_id: str
    role: Role


@frozen
class MemberRemoved:
    """A member left the organization."""

    user_id: str


@frozen
class MemberSitesLimited:
    """A member sees only these sites of the organization from now on; None stands for all sites."""

    user_id: str
    site_ids: tuple[int, ...] | None


@frozen(kw_only=True)
class MemberInvited:
    """A person can join the organization once by a link; only the digest of its token is kept, and no address."""

    invitation_id: int
    digest: str = field(repr=False)
    role: Role
    site_ids: tuple[int, ...] | None
    expires_at: datetime
    invited_by: str | None


@frozen
class InvitationRevoked:
    """The link of the invitation stopped working."""

    invitation_id: int


@frozen
class InvitationAccepted:
    """A user accepted the invitation, which is used up."""

    invitation_id: int
    user_id: str


OrganizationEvent = (
    OrganizationRegistered
    | OrganizationRenamed
    | OrganizationLanguageChosen
    | MemberAdded
    | MemberRoleChanged
    | MemberRemoved
    | MemberSitesLimited
    | MemberInvited
    | InvitationRevoked
    | InvitationAccepted
)


@frozen
class Organization:
    """The state of an organization that later decisions need; one that was never registered is None.

    `sites` has the members that see some sites only, `invitations` those that were neither accepted nor revoked, and
    `departed` the number of invitations that had been made when a former member left.
    """

    organization_id: str
    name: str
    roles: Mapping[str, Role] = field(factory=dict)
    sites: Mapping[str, frozenset[int]] = field(factory=dict)
    invitations: Mapping[int, MemberInvited] = field(factory=dict)
    invited: int = 0
    departed: Mapping[str, int] = field(factory=dict)
    language: str | None = None

    def role_on(self, user_id: str, site_id: int) -> Role | None:
        """Return the role of a user on a site of the organization; None when they may not see the site."""
        role = self.roles.get(user_id)
        return role if user_id not in self.sites or site_id in self.sites[user_id] else None

    def grants(self, role: Role, by: str | None) -> bool:
        """Whether this member may give the role to a user; None is the operator, who may do everything."""
        own = None if by is None else self.roles.get(by)
        if own is None:
            return by is None
        return own.administers and (role is not Role.OWNER or own is Role.OWNER)


def parse_name(text: str) -> str:
    """Return the name of an organization without white space around it.

    Raises:
        Invalid: `shown_name` refuses it; the error names `name`.

    """
    return shown_name("name", text, maximum=MAX_NAME)


def register(organization_id: str, *, name: str, owner: str) -> list[OrganizationEvent]:
    """Decide a new organization with its first owner.

    Raises:
        Invalid: `shown_name` refuses the name.

    """
    name = parse_name(name)
    return [OrganizationRegistered(organization_id, name), MemberAdded(owner, Role.OWNER)]


def rename(state: Organization | None, name: str, *, by: str | None = None) -> list[OrganizationEvent]:
    """Decide another name.

    Raises:
        OrganizationNotFound: the organization does not exist.
        AccessDenied: only admins and owners rename the organization.
        Invalid: `shown_name` refuses the name.

    """
    state = existing(state, OrganizationNotFound)
    require_authority(state, by)
    name = parse_name(name)
    return [] if name == state.name else [OrganizationRenamed(name)]


def set_role(
    state: Organization | None, user_id: str, role: Role, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that a user is a member with this role, whether or not they were one before.

    `by` is the member who asks for it; None is the operator, who may do everything.

    Raises:
        OrganizationNotFound: the organization does not exist.
        AccessDenied: only owners may make or unmake owners, and only admins and owners change other roles.
        LastOwner: the change would leave the organization without an owner.

    """
    state = existing(state, OrganizationNotFound)
    current = state.roles.get(user_id)
    require_authority(state, by, current, role)
    if current is role:
        return []
    if current is None:
        return [MemberAdded(user_id, role)]
    _keep_an_owner(state, without=user_id)
    return [MemberRoleChanged(user_id, role)]


def add_member(
    state: Organization | None, user_id: str, role: Role, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that a user becomes a member.

    Raises:
        OrganizationNotFound, AccessDenied: as for `set_role`.
        Invalid: the user is a member already, in another role.

    """
    state = existing(state, OrganizationNotFound)
    if state.roles.get(user_id, role) is not role:
        raise Invalid({"userId": ["is a member already; change the role instead"]})
    return set_role(state, user_id, role, by=by)


def change_role(
    state: Organization | None, user_id: str, role: Role, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide another role for a member.

    Raises:
        OrganizationNotFound, AccessDenied: as for `set_role`.
        MemberNotFound: the user is not a member.
        LastOwner: the change would leave the organization without an owner.

    """
    state = existing(state, OrganizationNotFound)
    if user_id not in state.roles:
        raise MemberNotFound
    return set_role(state, user_id, role, by=by)


def remove_member(
    state: Organization | None, user_id: str, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that a member leaves.

    Raises:
        OrganizationNotFound: the organization does not exist.
        AccessDenied: only owners may remove owners, and only admins and owners other members.
        MemberNotFound: the user is not a member.
        LastOwner: the user is the only owner.

    """
    state = existing(state, OrganizationNotFound)
    if user_id not in state.roles:
        raise MemberNotFound
    require_authority(state, by, state.roles[user_id])
    _keep_an_owner(state, without=user_id)
    return [MemberRemoved(user_id)]


def limit_sites(
    state: Organization | None, user_id: str, site_ids: Iterable[int] | None, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that a member sees only these sites, or with None all sites of the organization.

    Raises:
        OrganizationNotFound, AccessDenied: as for `set_role`.
        MemberNotFound: the user is not a member.
        Invalid: the member administers the organization, or the list is empty or longer than 1,000.

    """
    state = existing(state, OrganizationNotFound)
    if user_id not in state.roles:
        raise MemberNotFound
    role = state.roles[user_id]
    require_authority(state, by, role)
    limited = checked_sites(role, site_ids)
    before = state.sites.get(user_id)
    unchanged = before is None if limited is None else before == frozenset(limited)
    return [] if unchanged else [MemberSitesLimited(user_id, limited)]


@frozen
class SiteLimit:
    """The sites that a member may see; None stands for all sites of the organization."""

    site_ids: tuple[int, ...] | None


def change_member(
    state: Organization | None,
    user_id: str,
    *,
    role: Role | None,
    limit: SiteLimit | None,
    by: str | None = None,
) -> list[OrganizationEvent]:
    """Decide another role, another limit, or both; None leaves one of them as it is.

    Raises:
        OrganizationNotFound, AccessDenied, MemberNotFound, LastOwner, Invalid: as `change_role` and `limit_sites`.

    """
    changed = [] if role is None else change_role(state, user_id, role, by=by)
    if limit is None:
        return changed
    return changed + limit_sites(fold(apply, changed, state), user_id, limit.site_ids, by=by)


def checked_sites(role: Role, site_ids: Iterable[int] | None) -> tuple[int, ...] | None:
    """Return the sites to which a member of this role is limited, each once and in order; None for all sites.

    Raises:
        Invalid: the role administers the organization, or the list is empty or longer than 1,000.

    """
    if site_ids is None:
        return None
    if role.administers:
        raise Invalid({"siteIds": ["only members and viewers can be limited to some sites"]})
    limited = tuple(sorted(set(site_ids)))
    if not 1 <= len(limited) <= MAX_SITES_OF_MEMBER:
        raise Invalid({"siteIds": [f"must be 1 to {MAX_SITES_OF_MEMBER:,} sites, or null for all"]})
    return limited


def apply(state: Organization | None, event: OrganizationEvent) -> Organization | None:
    """Return the state after an event; accepts every event of the history."""
    if isinstance(event, OrganizationRegistered):
        return Organization(event.organization_id, event.name)
    return None if state is None else _changed(state, event)


def _changed(state: Organization, event: OrganizationEvent) -> Organization:
    match event:
        case OrganizationRegistered():
            return state
        case OrganizationRenamed(name):
            return evolve(state, name=name)
        case OrganizationLanguageChosen(language):
            return evolve(state, language=language)
        case MemberAdded(user_id, role) | MemberRoleChanged(user_id, role):
            sites = without(state.sites, user_id) if role.administers else state.sites
            return _with_granted(evolve(state, roles={**state.roles, user_id: role}, sites=sites))
        case MemberRemoved(user_id):
            roles, sites = without(state.roles, user_id), without(state.sites, user_id)
            departed = {**state.departed, user_id: state.invited}
            return _with_granted(evolve(state, roles=roles, sites=sites, departed=departed))
        case MemberSitesLimited(user_id, site_ids):
            sites = without(state.sites, user_id)
            return evolve(state, sites=sites if site_ids is None else {**sites, user_id: frozenset(site_ids)})
        case MemberInvited():
            invitations = {**state.invitations, event.invitation_id: event}
            return evolve(state, invitations=invitations, invited=max(state.invited, event.invitation_id))
        case InvitationRevoked(invitation_id) | InvitationAccepted(invitation_id, _):
            return evolve(state, invitations=without(state.invitations, invitation_id))


def _with_granted(state: Organization) -> Organization:
    """Drop the invitations whose authors could not make them any more: a copied link must not outlive its author."""
    granted = {
        number: invitation
        for number, invitation in state.invitations.items()
        if state.grants(invitation.role, invitation.invited_by)
    }
    return evolve(state, invitations=granted)


def require_authority(state: Organization, by: str | None, *concerned: Role | None) -> None:
    """Refuse (AccessDenied) who may not change the organization, or users of the concerned roles."""
    strongest = Role.OWNER if Role.OWNER in concerned else Role.ADMIN
    if not state.grants(strongest, by):
        raise AccessDenied


def _keep_an_owner(state: Organization, *, without: str) -> None:
    if {user for user, role in state.roles.items() if role is Role.OWNER} == {without}:
        raise LastOwner
