"""The message that a mail server gets: headers, text and HTML."""

from datetime import datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime

from footfall.domain.mail.mail import Mail
from footfall.domain.mail.mail_from import MailFrom


class _Unfolded(UnstructuredHeader, BaseHeader):
    """A header that stays one line: a long word would become an encoded word, which mail programs do not read here."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is."""
        return f"{self.name}: {self}{policy.linesep}"


def _headers() -> HeaderRegistry:
    registry = HeaderRegistry()
    registry.map_to_type("list-unsubscribe", _Unfolded)
    return registry


def message_of(mail: Mail, sender: MailFrom, *, queued_at: datetime) -> EmailMessage:
    """Return the message of a mail, the same for every attempt to send it."""
    message = EmailMessage(policy=SMTP.clone(header_factory=_headers()))
    message["Date"] = format_datetime(queued_at)
    message["Message-ID"] = f"<{mail.mail_id}@{sender.domain}>"
    message["From"] = Address(sender.name, addr_spec=sender.address)
    message["To"] = Address(addr_spec=mail.recipient)
    message["Subject"] = mail.content.subject
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe_url is not None:
        message["List-Unsubscribe"] = f"<{mail.unsubscribe_url}>"
        # RFC 8058 knows one click over HTTPS only.
        if mail.unsubscribe_url.startswith("https://"):
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.content.text)
    message.add_alternative(mail.content.html, subtype="html")
    return message
