"""A mail that the service sends, checked so that nothing in it can become a header."""

import re
from datetime import datetime
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.accounts.person import parse_address
from footfall.domain.exceptions import Invalid

MAX_SUBJECT = 200
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class MailKind(StrEnum):
    """The reason for a mail. Security mails cannot be unsubscribed from."""

    TEST = "test"
    SIGN_IN_LINK = "sign-in-link"
    ADDRESS_VERIFICATION = "address-verification"
    INVITATION = "invitation"
    REPORT = "report"
    REPORT_QUESTION = "report-question"
    OUTSIDE_REPORT = "outside-report"
    ALERT = "alert"

    @property
    def is_security(self) -> bool:
        """Whether the mail protects or opens an account, or was asked for by its reader a moment ago."""
        return self in _SECURITY


_SECURITY = frozenset({MailKind.TEST, MailKind.SIGN_IN_LINK, MailKind.ADDRESS_VERIFICATION})


@frozen(kw_only=True)
class MailContent:
    """The content of a mail, as text and as HTML."""

    subject: str = field(repr=False)
    text: str = field(repr=False)
    html: str = field(repr=False)


@frozen
class RecipientKey:
    """The site and the number of an address outside of its organization, which gets reports on it."""

    site_id: int
    number: int


@frozen(kw_only=True)
class Mail:
    """A mail to one address; `mail_id` makes its Message-ID, the same in every attempt.

    `user_id` is the user whose account page shows a failed delivery. A mail to an address `outside` ends with it: it is
    not queued, and not kept in the queue, when the address was erased. After `useless_after` the mail is not sent any
    more. A mail with an `unsubscribe_url` offers unsubscribing with one click (RFC 8058).
    """

    mail_id: str
    kind: MailKind
    recipient: str = field(repr=False)
    content: MailContent = field(repr=False)
    user_id: str | None = None
    outside: RecipientKey | None = None
    unsubscribe_url: str | None = field(default=None, repr=False)
    useless_after: datetime | None = None


def checked(mail: Mail) -> Mail:
    """Return the mail as it can be sent: control characters of the subject become spaces, a long one is cut.

    "=?" becomes "= ?": it begins an encoded word, and a line break that is encoded in one would begin a new header.

    Raises:
        Invalid: the recipient is not a mail address, or a mail that is not about security lacks its unsubscribe link.

    """
    if not mail.kind.is_security and mail.unsubscribe_url is None:
        raise Invalid({"unsubscribeUrl": ["is required for mails that are not about security"]})
    subject = _CONTROL.sub(" ", mail.content.subject).replace("=?", "= ?").strip()[:MAX_SUBJECT]
    return evolve(
        mail, recipient=parse_address(mail.recipient), content=evolve(mail.content, subject=subject)
    )
