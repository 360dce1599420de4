"""The document of the interface: as JSON for programs, and as a page for people (decisions, section 8)."""

from functools import cache
from pathlib import Path
from typing import Any

import falcon
import yaml_rs
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode
from footfall.adapters.http.docs_page import POLICY, render
from footfall.application.access import Access

_FILE = Path(__file__).with_name("openapi.yaml")


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document; read once, when it is first asked for."""
    found: Any = yaml_rs.loads(_FILE.read_text(encoding="utf-8"), parse_datetime=False)
    return dict(found)


class OpenApi:
    """GET /api/openapi.json."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Answer with the document, to pages of any origin too: it holds no secret."""
        resp.content_type = JSON_TYPE
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.data = _encoded()


class Docs:
    """GET /api/docs."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Answer with a page that needs nothing from anywhere else."""
        resp.content_type = falcon.MEDIA_HTML
        resp.set_header("Content-Security-Policy", POLICY)
        resp.data = _page()


@cache
def _encoded() -> bytes:
    return encode(document())


@cache
def _page() -> bytes:
    return render(document()).encode()
