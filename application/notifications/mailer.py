"""The mailer: writes mails and puts them into the queue."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from footfall.application.access.language_choice import LanguageChoice
from footfall.application.languages.language import speaking
from footfall.application.notifications.unsubscribing import Unsubscribing
from footfall.application.ports.mail import MailRenderer, Outbox
from footfall.application.ports.system import Clock, Randomness
from footfall.domain.mail.mail import Mail, MailContent, MailKind, RecipientKey, checked


@frozen(kw_only=True)
class Letter:
    """A mail before it is written; `values` are the names of its template.

    A mail with an id is queued once, however often it is posted within a week. One with an unsubscribe link of its own
    offers that in place of the link that ends all mails of its kind. It is in the language of `reader_id`, a user, or
    of the organization, as its values are.
    """

    kind: MailKind
    recipient: str = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)
    user_id: str | None = None
    mail_id: str | None = None
    useless_after: datetime | None = None
    outside: RecipientKey | None = None
    unsubscribe_url: str | None = field(default=None, repr=False)
    organization_id: str | None = None
    reader_id: str | None = None

    @classmethod
    def of_member(cls, **values: Any) -> "Letter":
        """Return a mail that its user reads."""
        return cls(reader_id=values["user_id"], **values)


@frozen(kw_only=True)
class Mailer:
    """Queues mails; `enabled` says whether a mail server is configured. Without one nothing is queued."""

    enabled: bool
    outbox: Outbox
    renderer: MailRenderer
    unsubscribing: Unsubscribing
    languages: LanguageChoice
    randomness: Randomness
    clock: Clock

    async def post(self, letter: Letter) -> bool:
        """Queue a mail; return False when mail is off, or when its address wants no mails of this kind.

        Raises:
            Invalid: the recipient is not a mail address.
            StoreUnavailable: the store does not answer; nothing was queued.

        """
        mail = self.written(letter)
        if not await self.is_wanted(mail.recipient, mail.kind):
            return False
        await self.outbox.enqueue(mail, at=self.clock.now())
        return True

    async def is_wanted(self, address: str, kind: MailKind) -> bool:
        """Whether mails of a kind are sent to an address: mail is on, and the address was not unsubscribed from them.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        return self.enabled and not await self.unsubscribing.is_unsubscribed(address, kind)

    async def pretend(self, letter: Letter) -> None:
        """Do the work of `post` for a security mail that is never sent, in the same time.

        Raises:
            Invalid, StoreUnavailable: as `post` does.

        """
        await self.outbox.enqueue_decoy(self.written(letter), at=self.clock.now())

    def written(self, letter: Letter) -> Mail:
        """Return a mail as it is queued.

        Raises:
            Invalid: the recipient is not a mail address.

        """
        link = letter.unsubscribe_url
        if link is None and not letter.kind.is_security:
            link = self.unsubscribing.link(letter.recipient, letter.kind)
        values = letter.values if link is None else {**letter.values, "unsubscribe_url": link}
        return checked(
            Mail(
                mail_id=letter.mail_id or self.randomness.sign_in_token(),
                kind=letter.kind,
                recipient=letter.recipient,
                content=self._content(letter, values),
                user_id=letter.user_id,
                outside=letter.outside,
                unsubscribe_url=link,
                useless_after=letter.useless_after,
            )
        )

    def _content(self, letter: Letter, values: Mapping[str, Any]) -> MailContent:
        """Write a mail in the language of its reader; without a choice in that of the page that sends it."""
        with speaking(self.languages.of_mail(letter.reader_id, letter.organization_id)):
            return self.renderer.render(letter.kind, values)
