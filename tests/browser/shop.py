"""A site whose pages have scripts and libraries of other services."""

import http.server
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HTML, SCRIPT = "text/html; charset=utf-8", "text/javascript"


class Shop(http.server.ThreadingHTTPServer):
    """The site itself: files with their types by their paths, a page at every other path, and what npm installed."""

    text = ""
    files: Mapping[str, tuple[str, bytes]] = {}
    modules: Path


class ShopPage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, body = self.server.files.get(self.path, (HTML, self.server.text.encode()))
        if self.path.startswith("/modules/"):
            # Imports of packages for bundlers name files without their ends.
            file = self.server.modules / self.path.removeprefix("/modules/")
            kind, body = SCRIPT, (file if file.suffix else file.with_suffix(".js")).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


@contextmanager
def accepting_site(service, protocol: str, alias: str) -> Iterator[int]:
    """Lend a site on localhost that accepts a protocol and has an alias."""
    key = service.first_key()
    made = {"name": protocol, "domain": "localhost", f"accept{protocol}": True}
    site = service.send("POST", "/api/organizations/1/sites", made, key=key)[1]["siteId"]
    assert service.send("PUT", f"/api/sites/{site}/aliases/{alias}", key=key)[0] == 200
    yield site
    assert service.send("DELETE", f"/api/sites/{site}", key=key)[0] == 200
