"""The tracking script, its configuration, and a picture for pages without scripts."""

from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.tracking.cors import cors_headers, preflight_headers
from footfall.adapters.http.tracking.responses import TrackResponses
from footfall.adapters.http.tracking.tracking_requests import hints_of
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.encodings import PLAIN, Content, best_encoding
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.responses import JSON_TYPE, encode
from footfall.application.access.authorization import Access
from footfall.application.access.own_visits import OwnVisits
from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.journal.directory import Directory
from footfall.application.journal.interface_documents import switches_document
from footfall.application.journal.site_lookup import find_tracked_site
from footfall.domain.exceptions import SiteNotFound, existing

# One transparent pixel.
GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
_SCRIPT_TYPE = "text/javascript; charset=utf-8"
# Ends of paths that the script takes for files, with | between them as in regular expressions.
DOWNLOADS = (
    "pdf|epub|docx?|xlsx?|pptx?|pps|odt|ods|odp|rtf|txt|csv|key"
    "|zip|gz|tgz|bz2|xz|tar|7z|rar|dmg|pkg|exe|msi|deb|rpm|apk|iso"
    "|mp3|m4a|wav|ogg|flac|wma|midi?|mp4|m4v|mov|avi|mkv|webm|mpe?g|wmv"
)


class Script:
    """A bundle of clients/browser, plain, with gzip and with brotli."""

    access_get = Access.OPEN

    def __init__(self, name: str) -> None:
        self._content = _bundle(name)

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the script; browsers keep it for an hour and revalidate it by its tag."""
        encoding = best_encoding(req.get_header("Accept-Encoding"), self._content.forms)
        resp.set_header("Cache-Control", "public, max-age=3600")
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        resp.set_header("Vary", "Accept-Encoding")
        resp.etag = self._content.tag(encoding)
        if any(tag in ("*", resp.etag.strip('"')) for tag in req.if_none_match or []):
            resp.status = falcon.HTTP_304
            return
        resp.content_type = _SCRIPT_TYPE
        if encoding != PLAIN:
            resp.set_header("Content-Encoding", encoding)
        resp.data = self._content.forms[encoding]


@cache
def _bundle(name: str) -> Content:
    folder = files("footfall.adapters.http").joinpath("static")
    return Content.of(folder.joinpath(name).read_bytes(), folder.joinpath(f"{name}.br").read_bytes())


@frozen
class TrackingConfig:
    """The switches of a site that the script obeys, and whether a token is that of the site."""

    access_get = Access.OPEN
    access_options = Access.OPEN

    _directory: Directory
    _own_visits: OwnVisits

    async def on_options(self, req: Request, resp: Response, site: str) -> None:  # noqa: ARG002 - Falcon names it
        """Answer a browser's preflight, which precedes a request with additional headers."""
        resp.set_headers(preflight_headers(req.get_header("Origin"), "GET, HEAD, OPTIONS"))
        resp.status = falcon.HTTP_204

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the switches, which browsers keep for a minute, and about a token (docs/track/own-visits.md)."""
        resp.set_headers(cors_headers(req.get_header("Origin")))
        record = existing(await find_tracked_site(self._directory, site), SiteNotFound)
        switches = switches_document(record.site.config, of_script=True)
        document = {**switches, "downloads": DOWNLOADS, "engagement": True}
        token = req.get_param("own")
        if token is not None:
            document["own"] = self._own_visits.is_token(record.site.site_id, token)
        resp.set_header("Cache-Control", "public, max-age=60" if token is None else "no-store")
        resp.content_type = JSON_TYPE
        resp.data = encode(document)


@frozen
class Pixel:
    """GET /api/pixel.gif?site_id=…: a pageview of the page that shows the picture."""

    access_get = Access.OPEN

    _ingestion: Ingestion
    _client_address: ClientAddress
    _responses: TrackResponses

    async def on_get(self, req: Request, resp: Response) -> None:
        """Track a pageview of the page in the Referer header; refusals are answered as JSON, with their reason."""
        resp.set_header("Cache-Control", "no-store")
        resp.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        origin = RequestOrigin(
            address=self._client_address.of(req),
            user_agent=req.get_header("User-Agent") or "",
            referer=req.get_header("Referer"),
            accept_language=req.get_header("Accept-Language"),
            hints=hints_of(req.get_header),
        )
        if req.scope["method"] == "HEAD":
            resp.content_type = "image/gif"
            resp.data = GIF
            return
        result = await self._ingestion.track(_pageview(req.get_param("site_id"), origin.referer), origin)
        status, body = self._responses.answer(result)
        if body["success"]:
            resp.content_type = "image/gif"
            resp.data = GIF
        else:
            answer(resp, status, body)


def _pageview(site_id: str | None, referer: str | None) -> dict[str, object]:
    event: dict[str, object] = {"site_id": site_id, "type": "pageview"}
    try:
        page = urlsplit(referer or "")
        event |= {"hostname": page.hostname, "pathname": page.path or "/", "querystring": page.query}
    except ValueError:
        # Without an address the event has no page, and the check of the domain refuses it.
        event["hostname"] = None
    return event
