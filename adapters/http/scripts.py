"""What pages load: the tracking script, its configuration, and a picture for pages without scripts."""

import hashlib
from importlib.resources import files
from urllib.parse import urlsplit

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode
from footfall.adapters.http.failures import answer
from footfall.adapters.http.requests import ClientAddress
from footfall.adapters.http.verdicts import VerdictForms
from footfall.application.access import Access
from footfall.application.directory import Directory
from footfall.application.ingestion import Ingestion
from footfall.application.judgement import Sender
from footfall.application.verdict import Verdict
from footfall.domain.errors import SiteNotFound

# One transparent pixel.
GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
_SCRIPT_TYPE = "text/javascript; charset=utf-8"
_TAKEN = {Verdict.STORED, Verdict.REPLAYED, Verdict.EXCLUDED_IP, Verdict.EXCLUDED_COUNTRY, Verdict.DISABLED}


class Script:
    """GET /script.js and /vitals.js: bundles that are built from clients/browser."""

    access_get = Access.OPEN

    def __init__(self, name: str) -> None:
        self._content = files("footfall.adapters.http").joinpath("static", name).read_bytes()
        self._etag = hashlib.sha256(self._content).hexdigest()[:16]

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the script; browsers keep it for an hour and ask again with its tag."""
        resp.set_header("Cache-Control", "public, max-age=3600")
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        resp.etag = self._etag
        if any(tag in ("*", self._etag) for tag in req.if_none_match or []):
            resp.status = falcon.HTTP_304
            return
        resp.content_type = _SCRIPT_TYPE
        resp.data = self._content


class TrackingConfig:
    """GET /api/site/tracking-config/<site_id>: the switches that the script holds to, and nothing else."""

    access_get = Access.OPEN

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def on_get(self, _req: Request, resp: Response, site: str) -> None:
        """Answer with the switches; browsers keep them for a minute."""
        resp.set_header("Access-Control-Allow-Origin", "*")
        listed = await self._directory.find_site(site)
        if listed is None:
            raise SiteNotFound
        config = listed.site.config
        resp.set_header("Cache-Control", "public, max-age=60")
        resp.content_type = JSON_TYPE
        resp.data = encode(
            {
                "sessionReplay": config.session_replay,
                "webVitals": config.web_vitals,
                "trackErrors": config.track_errors,
                "trackOutbound": config.track_outbound,
                "trackUrlParams": config.track_url_params,
            }
        )


class Pixel:
    """GET /api/pixel.gif?site_id=…: a pageview of the page that shows the picture."""

    access_get = Access.OPEN

    def __init__(self, ingestion: Ingestion, client_address: ClientAddress, forms: VerdictForms) -> None:
        self._ingestion = ingestion
        self._client_address = client_address
        self._forms = forms

    async def on_get(self, req: Request, resp: Response) -> None:
        """Track a pageview of the page in the Referer header; a refusal is answered as JSON, with its reason."""
        resp.set_header("Cache-Control", "no-store")
        resp.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        sender = Sender(
            address=self._client_address.of(req),
            user_agent=req.get_header("User-Agent") or "",
            referer=req.get_header("Referer"),
        )
        if req.scope["method"] == "HEAD":
            resp.content_type = "image/gif"
            resp.data = GIF
            return
        verdict = await self._ingestion.track(_pageview(req.get_param("site_id"), sender.referer), sender)
        if verdict.verdict in _TAKEN:
            resp.content_type = "image/gif"
            resp.data = GIF
            return
        status, body = self._forms.form(verdict)
        answer(resp, status, body)


def _pageview(site_id: str | None, referer: str | None) -> dict[str, object]:
    event: dict[str, object] = {"site_id": site_id, "type": "pageview"}
    try:
        page = urlsplit(referer or "")
        event |= {"hostname": page.hostname, "pathname": page.path or "/", "querystring": page.query}
    except ValueError:
        # Not an address: the event has no page, and the site's domain check says so.
        event["hostname"] = None
    return event
