"""Hosts of every framework in this process, asked the same way."""

import asyncio
import gc
import io
import warnings
from urllib.parse import urlsplit
from wsgiref.util import setup_testing_defaults

import pytest

from footfall.client import BackgroundFootfall
from footfall.client.django import _project_settings
from tests.web_hosts import django_host, flask_host, starlette_host

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
HEADERS = {"Host": "shop.example.com", "User-Agent": AGENT, "Referer": "https://search.example/"}
HOSTS = ["django", "django-async", "flask", "starlette"]


class Host:
    """An application behind a server that passes on what it raises, as a status of 500."""

    def __init__(self, name, options):
        self.name = name
        self.client = None
        self._options = options
        self._is_asgi = name not in {"django", "flask"}
        self.raised = None

    def open(self, **options):
        match self.name:
            case "django" | "django-async":
                make = django_host.make_asgi if self._is_asgi else django_host.make_wsgi
                self.app = make({**self._options, **options})
                self.client = _project_settings().client
            case "flask" | "starlette":
                self.client = BackgroundFootfall(**self._options)
                make = flask_host.make_app if self.name == "flask" else starlette_host.make_app
                self.app = make(self.client, **options)
        return self

    def get(self, target, *, method="GET", headers=(), peer="192.0.2.1"):
        """Return status and body."""
        sent = {**HEADERS, **dict(headers)}
        self.raised = None
        if self._is_asgi:
            return asyncio.run(self._ask_asgi(target, method, sent, peer))
        return self._ask_wsgi(target, method, sent, peer)

    def _ask_wsgi(self, target, method, headers, peer):
        url = urlsplit(target)
        environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        environ |= {
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "REQUEST_METHOD": method,
            "REMOTE_ADDR": peer,
        }
        setup_testing_defaults(environ)
        environ["wsgi.errors"] = io.StringIO()
        started = []
        try:
            parts = self.app(environ, lambda status, *_: started.append(status))
            body = b"".join(parts)
            getattr(parts, "close", lambda: None)()
        except Exception as error:  # noqa: BLE001 - a server passes nothing on
            self.raised = error
            return 500, b""
        return int(started[-1][:3]), body

    async def _ask_asgi(self, target, method, headers, peer):
        url = urlsplit(target)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": url.path,
            "raw_path": url.path.encode("latin-1"),
            "query_string": url.query.encode("latin-1"),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
            "client": (peer, 1),
            "server": ("127.0.0.1", 80),
        }
        sent = []
        asked = asyncio.Event()

        async def receive():
            if asked.is_set():
                await asyncio.Event().wait()
            asked.set()
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        try:
            await self.app(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - a server passes nothing on
            self.raised = error
            _close_what_django_left_open()
        status = next((it["status"] for it in sent if it["type"] == "http.response.start"), 500)
        return status, b"".join(it.get("body", b"") for it in sent)


def _close_what_django_left_open():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(params=HOSTS)
def host(request, queue_options):
    host = Host(request.param, queue_options)
    yield host
    if host.client is not None:
        host.client.close()


@pytest.fixture
def tracked(host, server):
    """Return the events that have arrived."""

    def tracked():
        host.client.flush()
        return list(server.stored.values())

    return tracked
