"""A real SMTP server in a process of its own, which answers as a test tells it to.

`python tests/servers/mail_server.py '{"port": 2525, …}'` prints a line for each message that it accepted.
"""

import asyncio
import datetime as dt
import ipaddress
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

READY = "ready"


class MailServer:
    """The running server: its port, and the messages that it has accepted."""

    def __init__(self, process, port):
        self.process, self.port = process, port
        self.messages = []
        self.ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            if line.strip() == READY:
                self.ready.set()
            else:
                self.messages.append(json.loads(line))

    def stop(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()

    def freeze(self):
        """Keep connections open and answer nothing."""
        self.process.send_signal(signal.SIGSTOP)


@contextmanager
def mail_server(**options):
    """Run a server; `answers` are the first replies to DATA, `rcpt` those to RCPT, 250 after them."""
    from tests.ports import free_port  # noqa: PLC0415 - the program below is run outside of the project

    port = options.setdefault("port", free_port())
    process = subprocess.Popen(
        [sys.executable, __file__, json.dumps(options)], stdout=subprocess.PIPE, text=True
    )
    server = MailServer(process, port)
    try:
        assert server.ready.wait(60), "the mail server did not start"
        yield server
    finally:
        server.stop()


def make_certificate(folder: Path, *, host="localhost"):
    """Write a certificate for localhost that is its own authority, and return certificate and key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return str(certificate_file), str(key_file)


class _Handler:
    def __init__(self, options):
        self.answers, self.rcpt = list(options.get("answers", [])), list(options.get("rcpt", []))
        self.accepted = options.get("accepted_before_answer", 0)

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802 - aiosmtpd's
        if self.rcpt and not (answer := self.rcpt.pop(0)).startswith("250"):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server, session, envelope):  # noqa: N802 - aiosmtpd's
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            _print(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "content": envelope.content.decode(),
                    "tls": session.ssl is not None,
                    "login": session.authenticated,
                }
            )
        await asyncio.sleep(self.accepted)
        return answer


def _print(document):
    print(json.dumps(document), flush=True)  # noqa: T201 - the channel to the test


async def _serve(options):
    context = None
    if "certificate" in options:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options["certificate"])
    login = options.get("login")

    def authenticate(_server, _session, _envelope, _mechanism, data):
        given = [data.login.decode(), data.password.decode()]
        return AuthResult(success=given == login, handled=False)

    handler, first = _Handler(options), options.get("tls_first", False)

    def protocol():
        return SMTP(
            handler,
            hostname="mail.test",
            authenticator=authenticate,
            auth_required=login is not None,
            auth_require_tls=login is not None and not first,
            tls_context=None if first else context,
            require_starttls=context is not None and not first,
            loop=asyncio.get_running_loop(),
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(protocol, "127.0.0.1", options["port"], ssl=context if first else None)
    print(READY, flush=True)  # noqa: T201 - the channel to the test
    parent = os.getppid()
    async with server:
        while os.getppid() == parent:
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(_serve(json.loads(sys.argv[1])))
