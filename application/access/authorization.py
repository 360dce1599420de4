"""Authorization: the table of rules, and the gatekeeper that applies them (docs/share/administration.md)."""

from collections.abc import Collection, Mapping
from enum import Enum
from types import MappingProxyType

from attrs import field, frozen

from footfall.application.access.key_lookup import ApiKeys
from footfall.application.access.link_passwords import proof_of
from footfall.application.access.link_uses import LinkTracker
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.journal import Actor
from footfall.application.ports.system import Clock
from footfall.domain.accounts.api_key import ApiKey, digest_of, same_digest
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.user import SignIn
from footfall.domain.exceptions import AccessDenied, NotFound, OrganizationNotFound, SiteNotFound
from footfall.domain.sites.sharing.shared_links import SharedLink, SharedPanel


class Access(Enum):
    """The rule of a route, from the most open to the strictest."""

    OPEN = "every request, without a credential"
    USER = "a valid API key"
    READER = (
        "members and viewers of the site's organization, requests with the private link; "
        "every request when the site is public"
    )
    DETAILS = (
        "members and viewers of the organization; the readers above where the site's `shareDetails` is on"
    )
    VIEWER = "members and viewers of the organization"
    MEMBER = "members of the organization"
    ADMIN = "admins and owners of the organization"
    OWNER = "owners of the organization"


class Relation(Enum):
    """The relation of a caller to a site or an organization; a request with an invalid key has none."""

    ANONYMOUS = "presents no credential"
    LINK = "presents the key of the site's private link"
    SHARED = "presents the key of a link that shows some panels of the site"
    STRANGER = "has a valid API key and is not a member"
    VIEWER = "is a viewer"
    MEMBER = "is a member"
    ADMIN = "is an admin"
    OWNER = "is an owner"

    @property
    def administers(self) -> bool:
        """Whether the caller may configure and delete."""
        return self in RULES[Access.ADMIN]

    @property
    def edits(self) -> bool:
        """Whether the caller may change what members share, such as goals and segments of the site."""
        return self in RULES[Access.MEMBER]


# Without the readers of links, which open what names their panels and nothing else.
_BY_RULE = frozenset(Relation) - {Relation.SHARED}
RULES: Mapping[Access, frozenset[Relation]] = MappingProxyType(
    {
        Access.OPEN: frozenset(Relation),
        Access.USER: _BY_RULE - {Relation.ANONYMOUS, Relation.LINK},
        Access.READER: _BY_RULE - {Relation.ANONYMOUS, Relation.STRANGER},
        Access.DETAILS: _BY_RULE - {Relation.ANONYMOUS, Relation.STRANGER},
        Access.VIEWER: frozenset({Relation.VIEWER, Relation.MEMBER, Relation.ADMIN, Relation.OWNER}),
        Access.MEMBER: frozenset({Relation.MEMBER, Relation.ADMIN, Relation.OWNER}),
        Access.ADMIN: frozenset({Relation.ADMIN, Relation.OWNER}),
        Access.OWNER: frozenset({Relation.OWNER}),
    }
)
PUBLIC_SITE_RULES: Mapping[Access, frozenset[Relation]] = MappingProxyType(
    {**RULES, Access.READER: _BY_RULE, Access.DETAILS: _BY_RULE}
)

_RELATIONS = MappingProxyType(
    {
        None: Relation.STRANGER,
        Role.VIEWER: Relation.VIEWER,
        Role.MEMBER: Relation.MEMBER,
        Role.ADMIN: Relation.ADMIN,
        Role.OWNER: Relation.OWNER,
    }
)


class Unauthenticated(Exception):
    """A credential is required, and the request has no valid one."""


class LinkLocked(AccessDenied):
    """The link has a password, and the request no proof that it was given."""

    message = "This link asks for a password: open it in a browser"

    def __init__(self, link: SharedLink) -> None:
        super().__init__()
        self.link = link


class DetailsNotShared(NotFound):
    """The settings of the site keep its errors and sessions from this reader; the answer is that of an unknown path."""

    message = "Not Found"


@frozen(kw_only=True)
class Credentials:
    """The credentials of a request; `link_proof` is that of the link's password, which a cookie brings."""

    key: str | None = field(default=None, repr=False)
    private_link: str | None = field(default=None, repr=False)
    link_proof: str | None = field(default=None, repr=False)
    sign_in: "PresentedSignIn | None" = field(default=None, repr=False)


@frozen
class PresentedSignIn:
    """The user and the sign-in that a browser's cookie names."""

    user_id: str
    sign_in_id: str


@frozen(kw_only=True)
class Caller:
    """The user of a valid API key or sign-in; a sign-in has no key prefix."""

    user_id: str
    key_prefix: str | None

    @property
    def actor(self) -> Actor:
        """The caller as an actor of the journal."""
        return Actor(self.user_id, self.key_prefix)


@frozen(kw_only=True)
class Grant:
    """Access to a site; without a caller when the site is public or one of its links was presented.

    `link` is the one that shows some panels only, as it is at present.
    """

    site_record: SiteRecord
    relation: Relation
    caller: Caller | None = None
    link: SharedLink | None = None

    @property
    def site_id(self) -> int:
        """The id of the site."""
        return self.site_record.site.site_id

    @property
    def belongs(self) -> bool:
        """Whether the caller belongs to the site's organization, as viewers do, and may see the site."""
        return self.relation in RULES[Access.VIEWER]

    def require_details(self) -> None:
        """Raise DetailsNotShared unless the caller belongs to the organization, or the site shares its details."""
        if not self.belongs and not self.site_record.site.config.share_details:
            raise DetailsNotShared

    @property
    def actor(self) -> Actor:
        """The caller as an actor of the journal."""
        return Actor() if self.caller is None else self.caller.actor


@frozen
class Gatekeeper:
    """Applies the rules against the directory.

    Every decision catches the directory up first: a role that another worker removed is not valid here either, and
    callers always read their own writes.
    """

    _directory: Directory
    _api_keys: ApiKeys
    _links: LinkTracker
    _clock: Clock

    async def caller(self, credentials: Credentials) -> Caller:
        """Return the user of the API key, or of the sign-in when there is no key.

        Raises:
            Unauthenticated: the request has no credential that is valid now.
            StoreUnavailable: the journal cannot be read.

        """
        await self._directory.catch_up()
        caller = await self.known_caller(credentials)
        if caller is None:
            raise Unauthenticated
        return caller

    async def known_caller(self, credentials: Credentials) -> Caller | None:
        """Return the caller as far as this process knows, for display only.

        Raises:
            Unauthenticated: there is an API key that is not valid.
            StoreUnavailable: the credential is not known here and the journal cannot be read.

        """
        if credentials.key is None:
            return None if credentials.sign_in is None else await self._signed_in(credentials.sign_in)
        key = await self._api_keys.find(credentials.key, self._clock.now())
        if key is None:
            raise Unauthenticated
        return Caller(user_id=key.user_id, key_prefix=key.prefix)

    async def key(self, presented: str) -> ApiKey | None:
        """Return the API key that a sign-in presents; None when there is no such key, or it was revoked.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        await self._directory.catch_up()
        return self._directory.key(digest_of(presented))

    def sign_ins_of(self, user_id: str) -> list[SignIn]:
        """Return the sign-ins of a user that are valid now, the latest first, as far as this process knows."""
        valid = [sign_in for sign_in in self._directory.sign_ins_of(user_id) if self._is_valid(sign_in)]
        return sorted(valid, key=lambda sign_in: sign_in.expires_at, reverse=True)

    async def admit(
        self,
        access: Access,
        reference: str,
        credentials: Credentials,
        panels: Collection[SharedPanel] = (),
    ) -> Grant:
        """Return the access to a site that the rule grants, or a link that opens one of the panels.

        Raises:
            Unauthenticated: the rule requires a credential and none was presented, or the key is not valid.
            SiteNotFound: there is no such site.
            AccessDenied: the rule does not admit the caller, or the link opens none of the panels.
            LinkLocked: the link has a password that was not given.
            DetailsNotShared: the rule admits the caller, and the settings of the site do not.
            StoreUnavailable: the journal cannot be read.

        """
        grant = await self._grant(access, reference, credentials, panels)
        if access is Access.DETAILS:
            grant.require_details()
        return grant

    async def _grant(
        self, access: Access, reference: str, credentials: Credentials, panels: Collection[SharedPanel]
    ) -> Grant:
        await self._directory.catch_up()
        record = self._directory.readable_site(reference)
        admitted = _admitted(access, record)
        # A presented key must be valid, beside a link and on a public site too, so that a mistyped key is reported and
        # not answered as an anonymous request.
        caller = await self.known_caller(credentials)
        if (
            record is not None
            and Relation.LINK in admitted
            and (digest := _private_link(record, credentials))
        ):
            self._links.note(record.site.site_id, digest, self._clock.now())
            return Grant(site_record=record, relation=Relation.LINK)
        link = None if record is None else self._presented(record, credentials)
        if record is not None and link is not None and any(map(link.terms.opens, panels)):
            if proof_of(link) in (None, credentials.link_proof):
                self._links.note(record.site.site_id, link.digest, self._clock.now())
                return Grant(site_record=record, relation=Relation.SHARED, link=link)
            if caller is None:
                raise LinkLocked(link)
        if link is not None and caller is None:
            raise AccessDenied
        if caller is None and (record is None or Relation.ANONYMOUS not in admitted):
            raise Unauthenticated
        if record is None:
            raise SiteNotFound
        relation = self._relation_to_site(caller, record)
        if relation not in admitted:
            raise AccessDenied
        return Grant(site_record=record, relation=relation, caller=caller)

    def _presented(self, record: SiteRecord, credentials: Credentials) -> SharedLink | None:
        """Return the link whose key is presented, if it has not ended."""
        if credentials.private_link is None:
            return None
        digest, now = digest_of(credentials.private_link), self._clock.now()
        links = record.site.links.present.values()
        return next((link for link in links if same_digest(link.digest, digest) and link.is_open(now)), None)

    async def site(self, access: Access, reference: str, credentials: Credentials) -> SiteRecord:
        """Return the site if the rule admits the caller; raises as `admit` does."""
        return (await self.admit(access, reference, credentials)).site_record

    async def organization(self, access: Access, organization_id: str, credentials: Credentials) -> Caller:
        """Return the caller if the rule grants access to the organization.

        Raises:
            Unauthenticated: there is no valid key.
            OrganizationNotFound: there is no such organization.
            AccessDenied: the rule does not admit the caller.
            StoreUnavailable: the journal cannot be read.

        """
        caller = await self.caller(credentials)
        if self._directory.organization(organization_id) is None:
            raise OrganizationNotFound
        if self._relation(caller, organization_id) not in RULES[access]:
            raise AccessDenied
        return caller

    def _relation(self, caller: Caller | None, organization_id: str) -> Relation:
        if caller is None:
            return Relation.ANONYMOUS
        return _RELATIONS[self._directory.role(caller.user_id, organization_id)]

    def _relation_to_site(self, caller: Caller | None, record: SiteRecord) -> Relation:
        if caller is None:
            return Relation.ANONYMOUS
        return _RELATIONS[self._directory.role_on(caller.user_id, record.site)]

    async def _signed_in(self, presented: PresentedSignIn) -> Caller | None:
        sign_in = await self._directory.find_sign_in(presented.user_id, presented.sign_in_id)
        if sign_in is None or not self._is_valid(sign_in):
            return None
        return Caller(user_id=presented.user_id, key_prefix=None)

    def _is_valid(self, sign_in: SignIn) -> bool:
        now = self._clock.now()
        if now >= sign_in.expires_at or sign_in.key_id is None:
            return now < sign_in.expires_at
        record = self._directory.key_by_id(sign_in.key_id)
        return record is not None and record.key.valid_at(now)


def _admitted(access: Access, record: SiteRecord | None) -> frozenset[Relation]:
    public = record is not None and record.site.config.public
    return (PUBLIC_SITE_RULES if public else RULES)[access]


def _private_link(record: SiteRecord, credentials: Credentials) -> str | None:
    """Return the digest of the key of the site's private link if it is presented."""
    link, presented = record.site.private_link, credentials.private_link
    if link is None or presented is None or not same_digest(link.digest, digest_of(presented)):
        return None
    return link.digest
