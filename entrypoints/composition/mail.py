"""The way of mails, for the service and for commands."""

from footfall.adapters.mail.smtp import SmtpTransport
from footfall.entrypoints.settings import Settings


def mail_transport(settings: Settings) -> SmtpTransport | None:
    """Return the way to the configured mail server; None without one."""
    return None if settings.smtp_url is None else SmtpTransport(settings.smtp_url, settings.mail_sender)
