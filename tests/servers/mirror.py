"""A server of this machine with files to download."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from attrs import define, field

from tests.servers.threads import served


@define
class Mirror:
    """The answers of the server by path (status, headers, content), and the requests it received."""

    url: str
    files: dict = field(factory=dict)
    asked: list = field(factory=list)

    def put(self, path, content, *, status=200, **headers):
        """Make content the answer at a path and return its address."""
        lengths = {"Content-Length": str(len(content))}
        self.files[path] = (
            status,
            lengths | {name.replace("_", "-"): headers[name] for name in headers},
            content,
        )
        return f"{self.url}{path}"


@contextmanager
def serving() -> Iterator[Mirror]:
    """Lend a server that runs in a thread."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    mirror = Mirror(f"http://127.0.0.1:{server.server_port}")
    server.RequestHandlerClass = partial(_Handler, mirror)
    with served(server):
        yield mirror


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, mirror, *arguments):
        self._mirror = mirror
        super().__init__(*arguments)

    def do_GET(self):
        self._mirror.asked.append((self.path, self.headers.get("Authorization")))
        status, headers, content = self._mirror.files.get(self.path, (404, {"Content-Length": "0"}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Say nothing."""
