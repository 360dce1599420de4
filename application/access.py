"""Who may do what: one table of rules, and the one place where they are applied (decisions, sections 4 and 5)."""

import hmac
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from attrs import field, frozen

from footfall.application.directory import Directory, ListedSite
from footfall.application.keyring import Keyring
from footfall.application.ports import Actor, Clock
from footfall.domain.errors import AccessDenied, OrganizationNotFound, SiteNotFound
from footfall.domain.organization import Role


class Access(Enum):
    """The rule of a route, in ascending order of what it asks for."""

    OPEN = "anybody, without any credential"
    USER = "anybody with a valid API key"
    READER = "a member of the site's organization, a bearer of its private link, or anybody when it is public"
    MEMBER = "a member of the organization"
    ADMIN = "an admin or an owner of the organization"


class Standing(Enum):
    """What somebody is to a site or to an organization; a key that does not count is no standing at all."""

    ANONYMOUS = "presents nothing"
    LINK = "presents the key of the site's private link"
    STRANGER = "has a valid API key, and is not a member"
    MEMBER = "is a member"
    ADMIN = "is an admin"
    OWNER = "is an owner"

    @property
    def administers(self) -> bool:
        """Whether somebody may configure and delete (interface, section 5)."""
        return self in RULES[Access.ADMIN]


RULES: Mapping[Access, frozenset[Standing]] = MappingProxyType(
    {
        Access.OPEN: frozenset(Standing),
        Access.USER: frozenset({Standing.STRANGER, Standing.MEMBER, Standing.ADMIN, Standing.OWNER}),
        Access.READER: frozenset({Standing.LINK, Standing.MEMBER, Standing.ADMIN, Standing.OWNER}),
        Access.MEMBER: frozenset({Standing.MEMBER, Standing.ADMIN, Standing.OWNER}),
        Access.ADMIN: frozenset({Standing.ADMIN, Standing.OWNER}),
    }
)
PUBLIC_SITE_RULES: Mapping[Access, frozenset[Standing]] = MappingProxyType(
    {**RULES, Access.READER: frozenset(Standing)}
)

_STANDINGS = MappingProxyType(
    {
        None: Standing.STRANGER,
        Role.MEMBER: Standing.MEMBER,
        Role.ADMIN: Standing.ADMIN,
        Role.OWNER: Standing.OWNER,
    }
)


class Unauthenticated(Exception):
    """A credential is needed, and there is none that counts."""


@frozen(kw_only=True)
class Credentials:
    """What a request presents to prove who sends it."""

    key: str | None = field(default=None, repr=False)
    private_link: str | None = field(default=None, repr=False)
    sign_in: "PresentedSignIn | None" = field(default=None, repr=False)


@frozen
class PresentedSignIn:
    """What a browser's cookie says: whose sign-in it is, and which."""

    user_id: str
    sign_in_id: str


@frozen(kw_only=True)
class Caller:
    """Whoever a valid API key or sign-in belongs to; a sign-in has no key's prefix."""

    user_id: str
    key_prefix: str | None

    @property
    def actor(self) -> Actor:
        """The caller as the journal names them."""
        return Actor(self.user_id, self.key_prefix)


@frozen(kw_only=True)
class Admission:
    """Whoever was admitted to a site; nobody is named when the site itself is what admits."""

    listed: ListedSite
    standing: Standing
    caller: Caller | None = None

    @property
    def actor(self) -> Actor:
        """Whoever was admitted, as the journal names them."""
        return Actor() if self.caller is None else self.caller.actor


class Gatekeeper:
    """Applies the rules against the directory."""

    def __init__(self, directory: Directory, keyring: Keyring, clock: Clock) -> None:
        self._directory = directory
        self._keyring = keyring
        self._clock = clock

    async def caller(self, credentials: Credentials) -> Caller:
        """Return whoever the API key, or the sign-in when there is no key, belongs to.

        Raises:
            Unauthenticated: there is neither, or none that is valid now.

        """
        caller = await self._caller_or_nobody(credentials)
        if caller is None:
            raise Unauthenticated
        return caller

    async def admit(self, access: Access, reference: str, credentials: Credentials) -> Admission:
        """Return who is admitted to the site by the rule.

        Raises:
            Unauthenticated: no credential was presented where the rule needs one, or a key that is not valid.
            SiteNotFound: there is no such site.
            AccessDenied: the caller is known and not admitted.

        """
        listed = await self._directory.find_site(reference)
        admitted = _admitted(access, listed)
        # A key that was presented must count, beside a private link and on a public site too: a typo is not silently
        # answered as somebody else.
        caller = await self._caller_or_nobody(credentials)
        if listed is not None and Standing.LINK in admitted and _bears_link(listed, credentials):
            return Admission(listed=listed, standing=Standing.LINK)
        if caller is None and (listed is None or Standing.ANONYMOUS not in admitted):
            raise Unauthenticated
        if listed is None:
            raise SiteNotFound
        standing = self._standing(caller, listed.site.organization_id)
        if standing not in admitted:
            raise AccessDenied
        return Admission(listed=listed, standing=standing, caller=caller)

    async def site(self, access: Access, reference: str, credentials: Credentials) -> ListedSite:
        """Return the site if the rule admits whoever presents the credentials; refuses as `admit` does."""
        return (await self.admit(access, reference, credentials)).listed

    async def organization(self, access: Access, organization_id: str, credentials: Credentials) -> Caller:
        """Return the caller if the rule admits them to the organization.

        Raises:
            Unauthenticated: there is no valid key.
            OrganizationNotFound: there is no such organization.
            AccessDenied: the caller is not admitted.

        """
        caller = await self.caller(credentials)
        if self._directory.organization(organization_id) is None:
            raise OrganizationNotFound
        if self._standing(caller, organization_id) not in RULES[access]:
            raise AccessDenied
        return caller

    def _standing(self, caller: Caller | None, organization_id: str) -> Standing:
        if caller is None:
            return Standing.ANONYMOUS
        return _STANDINGS[self._directory.role(caller.user_id, organization_id)]

    async def _signed_in(self, presented: PresentedSignIn) -> Caller | None:
        found = await self._directory.find_sign_in(presented.user_id, presented.sign_in_id)
        if found is None or self._clock.now() >= found.expires_at:
            return None
        if found.key_id is not None:
            listed = self._directory.key_by_id(found.key_id)
            if listed is None or not listed.key.valid_at(self._clock.now()):
                return None
        return Caller(user_id=presented.user_id, key_prefix=None)

    async def _caller_or_nobody(self, credentials: Credentials) -> Caller | None:
        if credentials.key is None:
            return None if credentials.sign_in is None else await self._signed_in(credentials.sign_in)
        key = await self._keyring.find(credentials.key, self._clock.now())
        if key is None:
            raise Unauthenticated
        return Caller(user_id=key.user_id, key_prefix=key.prefix)


def _admitted(access: Access, listed: ListedSite | None) -> frozenset[Standing]:
    public = listed is not None and listed.site.config.public
    return (PUBLIC_SITE_RULES if public else RULES)[access]


def _bears_link(listed: ListedSite, credentials: Credentials) -> bool:
    key, presented = listed.site.private_link_key, credentials.private_link
    return key is not None and presented is not None and _same(key, presented)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
