"""Keyed digests of erased visitors, by which a restored store finds them, and their ids cannot be told."""

import hmac
from collections.abc import Iterable
from hashlib import blake2b

from attrs import field, frozen

from footfall.domain.visits.subject import Subject


def _key_of(secret: bytes) -> bytes:
    return blake2b(secret, digest_size=32, person=b"erasures").digest()


@frozen
class Selectors:
    """The digests that the secret of the server gives to what the log knows a person by, on each site others."""

    _key: bytes = field(alias="secret", converter=_key_of, repr=False)

    @property
    def check(self) -> str:
        """What tells whether digests were made with this secret."""
        return self._digest("check")

    def of(self, site_id: int, subject: Subject) -> list[str]:
        """Return the digests of a person."""
        users = (self.of_user(site_id, user) for user in subject.users)
        return sorted([*users, *(self.of_visitor(site_id, visitor) for visitor in subject.visitors)])

    def of_user(self, site_id: int, user_id: str) -> str:
        """Return the digest of a user id as it is stored."""
        return self._digest(f"user {site_id} {user_id}")

    def of_visitor(self, site_id: int, visitor_id: int) -> str:
        """Return the digest of the number of a browser."""
        return self._digest(f"visitor {site_id} {visitor_id}")

    def found(
        self, wanted: Iterable[str], site_id: int, users: Iterable[str], visitors: Iterable[int]
    ) -> Subject:
        """Return whom digests mean among the user ids and the numbers of browsers of a site."""
        digests = frozenset(wanted)
        return Subject(
            frozenset(user for user in users if self.of_user(site_id, user) in digests),
            frozenset(visitor for visitor in visitors if self.of_visitor(site_id, visitor) in digests),
        )

    def _digest(self, text: str) -> str:
        # A text of a visitor may hold what no encoding knows.
        return hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256").hex()
