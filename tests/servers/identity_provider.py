"""A real provider of OpenID Connect in a process of its own, and a hostile one in a thread."""

import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode, urlsplit

from tests.ports import free_port
from tests.servers.threads import served
from tests.waiting import LONG, wait_until


@contextmanager
def identity_provider(*users):
    """Run oidc-provider-mock with these users, each a dict of claims, and lend its issuer."""
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    for user in users:
        command += ["--user-claims", json.dumps(user)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: _answers(f"http://127.0.0.1:{port}/.well-known/openid-configuration"))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def consent(url, subject):
    """Sign in at the provider as this subject, and return where it sends the browser, without the host."""
    request = urllib.request.Request(url, data=urlencode({"sub": subject}).encode())
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(request, timeout=LONG) as answer:
            raise AssertionError(answer.read())
    except urllib.error.HTTPError as redirect:
        parts = urlsplit(redirect.headers["Location"])
        redirect.close()
    return f"{parts.path}?{parts.query}"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments):
        return None


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=1):
            return True
    except OSError:
        return False


@contextmanager
def scripted_issuer(answers):
    """Run a server that answers paths with the `(status, body)` that a function of path and issuer returns.

    Without an answer it stalls; a body that is not bytes is sent piece by piece, without an end that is told before.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = answers(self.path, issuer)
            if answer is None:
                released.wait(30)
                return
            status, body = answer
            self.send_response(status)
            pieces = [body] if isinstance(body, bytes) else body
            if pieces is not body:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):
                for piece in pieces:
                    self.wfile.write(piece)

        do_POST = do_GET  # noqa: N815 - as above

        def log_message(self, *_arguments):
            pass

    released = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = f"http://127.0.0.1:{server.server_port}"
    with served(server):
        try:
            yield issuer
        finally:
            released.set()
