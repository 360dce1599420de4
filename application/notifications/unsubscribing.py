"""Unsubscribing from mails with one click: keyed links that need no account and cannot be guessed."""

import hmac
from hashlib import blake2b

from attrs import field, frozen

from footfall.application.ports.mail import Unsubscriptions
from footfall.application.ports.system import Clock
from footfall.domain.accounts.person import comparable_address, mailbox_of
from footfall.domain.exceptions import NotFound
from footfall.domain.mail.mail import MailKind, RecipientKey

_DIGEST_BYTES = 16


class UnsubscribeLinkNotFound(NotFound):
    """The link is incomplete, or it is of another installation."""

    message = "This link does not work"


@frozen
class Unsubscribing:
    """Makes unsubscribe links and obeys them; an address is known by a keyed digest of it."""

    _unsubscriptions: Unsubscriptions
    _clock: Clock
    _secret: bytes = field(repr=False)
    _origin: str

    def link(self, address: str, kind: MailKind) -> str:
        """Return the address of the endpoint that unsubscribes this address from mails of this kind."""
        digest = self._digest(address, kind)
        return f"{self._origin}/unsubscribe/{kind}/{digest.hex()}/{self._token(digest, kind)}"

    async def unsubscribe(self, kind: str, digest: str, token: str) -> MailKind:
        """Store what a link says, and return the kind of mails that its address gets no more.

        Raises:
            UnsubscribeLinkNotFound: the link was not made by `link`.
            StoreUnavailable: the store does not answer.

        """
        mail_kind = self.verified_kind(kind, digest, token)
        await self._unsubscriptions.add(bytes.fromhex(digest), mail_kind, at=self._clock.now())
        return mail_kind

    def verified_kind(self, kind: str, digest: str, token: str) -> MailKind:
        """Return the kind of mails that a link is about.

        Raises:
            UnsubscribeLinkNotFound: the link was not made by `link`.

        """
        try:
            mail_kind, raw = MailKind(kind), bytes.fromhex(digest)
        except ValueError:
            raise UnsubscribeLinkNotFound from None
        presented = token.encode("utf-8", "replace")
        if raw.hex() != digest or not hmac.compare_digest(presented, self._token(raw, mail_kind).encode()):
            raise UnsubscribeLinkNotFound
        return mail_kind

    async def is_obeyed(self, digest: str, kind: MailKind) -> bool:
        """Return whether what a link says is stored; the digest is that of a link which was verified."""
        return await self._unsubscriptions.has(bytes.fromhex(digest), kind)

    async def forbid(self, address: str, kind: MailKind) -> str:
        """Store that an address wants no mails of this kind, as its link would, and return the digest of the link.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        digest = self._digest(address, kind)
        await self._unsubscriptions.add(digest, kind, at=self._clock.now())
        return digest.hex()

    def is_link_of(self, address: str, digest: str, kind: MailKind) -> bool:
        """Whether the link of this address has the digest."""
        return self._digest(address, kind).hex() == digest

    async def resubscribe(self, address: str, kind: MailKind) -> None:
        """Let an address get mails of this kind again, as its user asks for them.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        await self._unsubscriptions.remove(self._digest(address, kind), kind)

    async def is_unsubscribed(self, address: str, kind: MailKind) -> bool:
        """Return whether the address wants no mails of this kind; security mails are sent in any case."""
        return not kind.is_security and await self._unsubscriptions.has(self._digest(address, kind), kind)

    def end_link(self, outside: RecipientKey) -> str:
        """Return the address of the endpoint that ends the reports to an address outside."""
        return f"{self._origin}/reports/end/{outside.site_id}/{outside.number}/{self._end_token(outside)}"

    def require_end_token(self, outside: RecipientKey, token: str) -> None:
        """Raise UnsubscribeLinkNotFound unless `end_link` made the link with this token."""
        presented = token.encode("utf-8", "replace")
        if not hmac.compare_digest(presented, self._end_token(outside).encode()):
            raise UnsubscribeLinkNotFound

    def _end_token(self, outside: RecipientKey) -> str:
        text = f"{outside.site_id} {outside.number}".encode()
        return blake2b(text, digest_size=_DIGEST_BYTES, key=self._key(), person=b"report end").hexdigest()

    def _digest(self, address: str, kind: MailKind) -> bytes:
        # An address that was never given by its reader is asked under none of its tags.
        compared = mailbox_of if kind is MailKind.REPORT_QUESTION else comparable_address
        text = compared(address).encode()
        return blake2b(text, digest_size=_DIGEST_BYTES, key=self._key(), person=b"mail address").digest()

    def _token(self, digest: bytes, kind: MailKind) -> str:
        text = digest + kind.encode()
        return blake2b(text, digest_size=_DIGEST_BYTES, key=self._key(), person=b"unsubscribe").hexdigest()

    def _key(self) -> bytes:
        # A key has at most 64 bytes; a configured secret may be longer.
        return blake2b(self._secret, person=b"mail").digest()
