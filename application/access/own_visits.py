"""Tokens of sites, with which members keep their own visits out of the reports (docs/track/own-visits.md)."""

import hmac
from hashlib import blake2b

from attrs import field, frozen

_DIGEST_BYTES = 16


@frozen
class OwnVisits:
    """Derives the token of each site from the secret of the server, so that nothing of it is stored."""

    _secret: bytes = field(repr=False)

    def token(self, site_id: int) -> str:
        """Return the token of a site, 32 hexadecimal digits."""
        # A key has at most 64 bytes; a configured secret may be longer.
        key = blake2b(self._secret, person=b"own visits").digest()
        return blake2b(str(site_id).encode(), digest_size=_DIGEST_BYTES, key=key).hexdigest()

    def is_token(self, site_id: int, presented: str) -> bool:
        """Whether a text is the token of a site."""
        return hmac.compare_digest(presented.encode("utf-8", "replace"), self.token(site_id).encode())
