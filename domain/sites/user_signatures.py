"""Signatures by which the backend of a site vouches for the user that a page names (docs/track/signed-users.md)."""

import hashlib
import hmac
from functools import lru_cache

from attrs import evolve, frozen

# In hexadecimal digits, as HMAC with SHA-256 is written.
SIGNATURE_LENGTH = 64


@frozen
class UserSecretIssued:
    """The site got a secret for signatures of users; an older one is void.

    It follows from its number and the secret of the server, and is kept nowhere.
    """

    number: int


@frozen
class UserSecretRevoked:
    """The site has no secret for signatures any more: no signature is valid."""


UserSecretEvent = UserSecretIssued | UserSecretRevoked


@frozen
class UserSecrets:
    """The number of the latest secret of a site, 0 before the first one, and whether signatures with it are valid."""

    number: int = 0
    is_valid: bool = False


def issue(state: UserSecrets) -> list[UserSecretEvent]:
    """Decide a new secret, whether or not there was one."""
    return [UserSecretIssued(state.number + 1)]


def revoke(state: UserSecrets) -> list[UserSecretEvent]:
    """Decide that the site has no secret."""
    return [UserSecretRevoked()] if state.is_valid else []


def apply(state: UserSecrets, event: UserSecretEvent) -> UserSecrets:
    """Return the state after an event."""
    match event:
        case UserSecretIssued(number):
            return UserSecrets(number, is_valid=True)
        case UserSecretRevoked():
            return evolve(state, is_valid=False)


# Holds the secrets of the sites whose pages sign, and no others.
@lru_cache(maxsize=4_096)
def user_secret(server_secret: bytes, *, site_id: int, number: int) -> str:
    """Return a secret of a site, 64 hexadecimal digits, for the configuration of its backend."""
    named = f"{site_id} {number}".encode()
    return hashlib.blake2b(
        named, digest_size=32, key=server_secret[:64], person=b"user signatures"
    ).hexdigest()


def signature_of(secret: str, user_id: str) -> str:
    """Return the signature of a user: HMAC with SHA-256, keyed with the digits of the secret as text."""
    return hmac.digest(secret.encode(), user_id.encode("utf-8", "surrogatepass"), "sha256").hex()


def is_signed(secret: str, *, user_id: str, signature: str) -> bool:
    """Return whether a signature, in digits of either case, is that of a user, in the same time for all."""
    expected = signature_of(secret, user_id)
    return hmac.compare_digest(expected.encode(), signature.lower().encode("utf-8", "surrogatepass"))
