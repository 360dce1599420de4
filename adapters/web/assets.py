"""What pages are made of beside HTML: served from memory, kept by browsers for a year."""

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.application.access import Access

FOLDER = Path(__file__).parent / "static"
_TYPES = MappingProxyType(
    {
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".txt": "text/plain; charset=utf-8",
        ".woff2": "font/woff2",
    }
)


@frozen
class Asset:
    """A file as it is sent, plain and compressed."""

    content: bytes
    compressed: bytes
    content_type: str


class Assets:
    """GET /assets/<digest>/<name>: the digest of all files is in their addresses, so none is ever stale."""

    access_get = Access.OPEN

    def __init__(self, folder: Path = FOLDER) -> None:
        self._assets: Mapping[str, Asset] = {path.name: _read(path) for path in sorted(folder.iterdir())}
        contents = b"".join(asset.content for asset in self._assets.values())
        self._digest = hashlib.sha256(contents).hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return where a file is to be had; a name that is not there is a mistake in a template."""
        self._assets[name]
        return f"/assets/{self._digest}/{name}"

    async def on_get(self, req: Request, resp: Response, digest: str, name: str) -> None:
        """Answer with a file."""
        asset = self._assets.get(name)
        if asset is None:
            raise falcon.HTTPNotFound(title="File not found")
        fresh = digest == self._digest
        # Another digest is a page of another version: it gets the file, and must ask again.
        resp.set_header("Cache-Control", "public, max-age=31536000, immutable" if fresh else "no-cache")
        resp.set_header("X-Content-Type-Options", "nosniff")
        resp.set_header("Vary", "Accept-Encoding")
        resp.content_type = asset.content_type
        if "gzip" in (req.get_header("Accept-Encoding") or ""):
            resp.set_header("Content-Encoding", "gzip")
            resp.data = asset.compressed
        else:
            resp.data = asset.content


def _read(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(content, gzip.compress(content, 9, mtime=0), _TYPES[path.suffix])
