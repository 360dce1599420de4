"""Who may do what: one table of rules, and the one place where they are applied (decisions, sections 4 and 5)."""

import hmac
from enum import Enum

from attrs import field, frozen

from footfall.application.directory import Directory, ListedSite
from footfall.application.ports import Actor, Clock
from footfall.domain.api_key import digest_of
from footfall.domain.errors import AccessDenied, OrganizationNotFound, SiteNotFound


class Access(Enum):
    """The rule of a route, in ascending order of what it asks for."""

    OPEN = "anybody, without any credential"
    USER = "anybody with a valid API key"
    READER = "a member of the site's organization, a bearer of its private link, or anybody when it is public"
    MEMBER = "a member of the organization"
    ADMIN = "an admin or an owner of the organization"


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


class Gatekeeper:
    """Applies the rules against the directory."""

    def __init__(self, directory: Directory, clock: Clock) -> None:
        self._directory = directory
        self._clock = clock

    async def caller(self, credentials: Credentials) -> Caller:
        """Return whoever the API key, or the sign-in when there is no key, belongs to.

        Raises:
            Unauthenticated: there is neither, or none that is valid now.

        """
        if credentials.key is None and credentials.sign_in is not None:
            return await self._signed_in(credentials.sign_in)
        key = None
        if credentials.key is not None:
            key = await self._directory.find_key(digest_of(credentials.key))
        if key is None or not key.valid_at(self._clock.now()):
            raise Unauthenticated
        return Caller(user_id=key.user_id, key_prefix=key.prefix)

    async def site(self, access: Access, reference: str, credentials: Credentials) -> ListedSite:
        """Return the site if the rule admits whoever presents the credentials.

        Raises:
            Unauthenticated: no credential was presented, or none that is valid, and the rule needs one.
            SiteNotFound: there is no such site.
            AccessDenied: the caller is known and not admitted.

        """
        listed = await self._directory.find_site(reference)
        if access is Access.READER and listed is not None and self._shared(listed, credentials):
            return listed
        caller = await self.caller(credentials)
        if listed is None:
            raise SiteNotFound
        self._require_role(access, caller, listed.site.organization_id)
        return listed

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
        self._require_role(access, caller, organization_id)
        return caller

    async def _signed_in(self, presented: PresentedSignIn) -> Caller:
        found = await self._directory.find_sign_in(presented.user_id, presented.sign_in_id)
        if found is None or self._clock.now() >= found.expires_at:
            raise Unauthenticated
        if found.key_id is not None:
            listed = self._directory.key_by_id(found.key_id)
            if listed is None or not listed.key.valid_at(self._clock.now()):
                raise Unauthenticated
        return Caller(user_id=presented.user_id, key_prefix=None)

    def _shared(self, listed: ListedSite, credentials: Credentials) -> bool:
        key, presented = listed.site.private_link_key, credentials.private_link
        if key is not None and presented is not None and _same(key, presented):
            return True
        # A key that was presented must count: a typo is not silently answered as the public.
        return listed.site.config.public and credentials.key is None

    def _require_role(self, access: Access, caller: Caller, organization_id: str) -> None:
        role = self._directory.role(caller.user_id, organization_id)
        if role is None or (access is Access.ADMIN and not role.administers):
            raise AccessDenied


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
