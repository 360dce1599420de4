"""The message that a mail server gets: headers, text and HTML."""

from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from footfall.domain.mail.mail import Mail
from footfall.domain.mail.mail_from import MailFrom


def message_of(mail: Mail, sender: MailFrom, *, queued_at: datetime) -> EmailMessage:
    """Return the message of a mail, the same for every attempt to send it."""
    message = EmailMessage(policy=SMTP)
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
