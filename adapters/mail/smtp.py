"""The way to an SMTP server, by the standard library's client in a thread."""

import asyncio
import re
import smtplib
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TypeVar

from attrs import field, frozen

from footfall.adapters.mail.message import message_of
from footfall.application.ports.mail import MailDelayed, MailRefused, MailServerAway
from footfall.domain.mail.mail import Mail
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.mail.server import SmtpServer

ANSWER_SECONDS = 10.0
# A server that keeps answering slowly is left; its thread ends with the next answer that takes too long.
ATTEMPT_SECONDS = 60.0
_PERMANENT = 500
_MAX_REASON = 200
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]+")

Result = TypeVar("Result")


@frozen
class SmtpTransport:
    """MailTransport over one connection for each mail; certificates are verified."""

    _server: SmtpServer
    _sender: MailFrom
    _answer_seconds: float = ANSWER_SECONDS
    _attempt_seconds: float = ATTEMPT_SECONDS
    # A server that stalls occupies these threads, and none of those that the rest of the service shares.
    _threads: Executor = field(
        factory=lambda: ThreadPoolExecutor(2, "smtp"), init=False, repr=False, eq=False
    )

    async def deliver(self, mail: Mail, *, queued_at: datetime) -> None:
        """Return when the server has accepted the mail."""
        await self._bounded(lambda: self._send(mail, queued_at))

    async def probe(self) -> str:
        """Connect, encrypt and sign in, and return how."""
        await self._bounded(self._connect_only)
        server = self._server
        login = "with login" if server.user is not None else "without login"
        return f"{server.host}:{server.port} ({server.encryption}, {login}) accepts mail from {self._sender.address}"

    async def _bounded(self, work: Callable[[], Result]) -> Result:
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.wait_for(running, self._attempt_seconds)
        except TimeoutError:
            raise MailServerAway(f"the server took more than {self._attempt_seconds:g} seconds") from None

    def _connect_only(self) -> None:
        with self._connected():
            return

    def _send(self, mail: Mail, queued_at: datetime) -> None:
        message = _written(mail, self._sender, queued_at)
        with self._connected() as client:
            try:
                client.sendmail(self._sender.address, [mail.recipient], message)
            except smtplib.SMTPRecipientsRefused as refusal:
                [(code, answer)] = refusal.recipients.values()
                raise _refusal(code, answer) from None
            except smtplib.SMTPResponseException as refusal:
                raise _refusal(refusal.smtp_code, refusal.smtp_error) from None

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        try:
            client = self._opened()
            try:
                self._prepare(client)
                yield client
                # The mail is accepted by now, whatever the server says about the farewell.
                with suppress(smtplib.SMTPException, OSError):
                    client.quit()
            finally:
                client.close()
        except smtplib.SMTPAuthenticationError as failure:
            # The text of the server could repeat the login.
            raise MailServerAway(f"the server refuses the login ({failure.smtp_code})") from None
        except (smtplib.SMTPException, OSError, UnicodeError) as failure:
            raise MailServerAway(_explained(failure)) from None

    def _opened(self) -> smtplib.SMTP:
        server, name = self._server, self._sender.domain
        if server.is_tls_first:
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(
                server.host, server.port, name, timeout=self._answer_seconds, context=context
            )
        return smtplib.SMTP(server.host, server.port, name, timeout=self._answer_seconds)

    def _prepare(self, client: smtplib.SMTP) -> None:
        server = self._server
        if not server.is_tls_first and not server.is_plain:
            client.starttls(context=ssl.create_default_context())
        if server.user is not None and server.password is not None:
            client.login(server.user, server.password)


def _written(mail: Mail, sender: MailFrom, queued_at: datetime) -> bytes:
    try:
        return message_of(mail, sender, queued_at=queued_at).as_bytes()
    except Exception:  # noqa: BLE001 - whatever the library stumbles over, other mails must not wait for this one
        raise MailRefused("it cannot be written as a message") from None


def _refusal(code: int, answer: bytes | str) -> MailRefused | MailDelayed:
    text = answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer
    reason = f"{code} {_UNPRINTABLE.sub(' ', text)}".strip()[:_MAX_REASON]
    return MailRefused(reason) if code >= _PERMANENT else MailDelayed(reason)


def _explained(failure: Exception) -> str:
    match failure:
        case TimeoutError():
            return "the server does not answer in time"
        case ssl.SSLCertVerificationError():
            return f"the certificate of the server is not valid: {failure.verify_message}"
        case smtplib.SMTPNotSupportedError():
            return "the server offers no STARTTLS, or none of the ways to log in"
        case smtplib.SMTPResponseException():
            return f"the server answers {failure.smtp_code}"
        case OSError():
            return f"the server cannot be reached: {failure.strerror or type(failure).__name__}"
        case _:
            return f"the server cannot be used: {type(failure).__name__}"
