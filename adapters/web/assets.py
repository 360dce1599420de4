"""Static files of the dashboard: served from memory, cached by browsers for a year."""

import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.compression import accepts_gzip
from footfall.application.access.authorization import Access
from footfall.application.languages.language import tr

FOLDER = Path(__file__).parent / "static"
_TEXT = re.compile(r"""\btr\((?:'([^']+)'|"([^"]+)")""")
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
    """A file, plain and compressed."""

    content: bytes
    compressed: bytes
    content_type: str


class Assets:
    """GET /assets/<digest>/<name>: every address contains the digest of all files, so that no cached file is stale."""

    access_get = Access.OPEN

    def __init__(self, folder: Path = FOLDER) -> None:
        self._assets: Mapping[str, Asset] = {path.name: _read(path) for path in sorted(folder.iterdir())}
        contents = b"".join(asset.content for asset in self._assets.values())
        self._digest = hashlib.sha256(contents).hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return the address of a file; an unknown name is a mistake in a template and raises KeyError."""
        self._assets[name]
        return f"/assets/{self._digest}/{name}"

    async def on_get(self, req: Request, resp: Response, digest: str, name: str) -> None:
        """Answer with a file."""
        asset = self._assets.get(name)
        if asset is None:
            raise falcon.HTTPNotFound(title="File not found")
        current = digest == self._digest
        # Another digest comes from a page of another version: its browser must not cache this file.
        resp.set_header("Cache-Control", "public, max-age=31536000, immutable" if current else "no-cache")
        resp.set_header("X-Content-Type-Options", "nosniff")
        resp.set_header("Vary", "Accept-Encoding")
        resp.content_type = asset.content_type
        if accepts_gzip(req.get_header("Accept-Encoding")):
            resp.set_header("Content-Encoding", "gzip")
            resp.data = asset.compressed
        else:
            resp.data = asset.content


@frozen
class EmbedScript:
    """GET /embed.js: the script of pages that frame a dashboard, at an address that no version changes."""

    access_get = Access.OPEN

    _assets: Assets

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the script; browsers look for a newer one after an hour."""
        await self._assets.on_get(req, resp, "", "embed.js")
        resp.set_header("Cache-Control", "public, max-age=3600")


def script_texts() -> Mapping[str, str]:
    """Return the texts of the scripts in the spoken language, by those of English."""
    return {message: tr(message) for message in script_messages()}


@cache
def script_messages() -> Sequence[str]:
    """Return the texts that scripts translate by `tr`."""
    messages = (_TEXT.findall(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.js")))
    return sorted({singular or other for texts in messages for singular, other in texts})


@cache
def _read(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(content, gzip.compress(content, 9, mtime=0), _TYPES[path.suffix])
