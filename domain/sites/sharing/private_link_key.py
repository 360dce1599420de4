"""The key of a site's private link: generated, replaced, revoked (docs/share/administration.md#sharing)."""

from attrs import field, frozen


@frozen
class PrivateLinkGenerated:
    """The site got a private link; an older one is void.

    Kept are the digest of its key, and the key sealed with the secret of the server, to be shown to members again.
    """

    digest: str = field(repr=False)
    sealed: str = field(repr=False)


@frozen
class PrivateLinkRevoked:
    """The private link was revoked."""


PrivateLinkEvent = PrivateLinkGenerated | PrivateLinkRevoked


def generate(*, digest: str, sealed: str) -> list[PrivateLinkEvent]:
    """Decide a new private link, whether or not there was one."""
    return [PrivateLinkGenerated(digest, sealed)]


def revoke(present: PrivateLinkGenerated | None) -> list[PrivateLinkEvent]:
    """Decide that the site has no private link."""
    return [] if present is None else [PrivateLinkRevoked()]
