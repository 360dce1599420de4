"""The OpenAPI document, as JSON and as a page of HTML."""

from functools import cache
from pathlib import Path
from typing import Any

import falcon
import orjson
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.docs_page import POLICY, render
from footfall.adapters.http.wire.responses import JSON_TYPE, encode
from footfall.application.access.authorization import Access

# Generated from openapi.yaml by `make openapi`, so that the service needs no YAML parser.
_FILE = Path(__file__).parents[1] / "openapi.json"


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document; read once, when it is first asked for."""
    parsed: dict[str, Any] = orjson.loads(_FILE.read_bytes())
    return parsed


class OpenApi:
    """GET /api/openapi.json."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Answer with the document, which pages of any origin may read."""
        resp.content_type = JSON_TYPE
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.data = _encoded()


class Docs:
    """GET /api/docs."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Answer with a page that loads no other file."""
        resp.content_type = falcon.MEDIA_HTML
        resp.set_header("Content-Security-Policy", POLICY)
        resp.data = _page()


@cache
def _encoded() -> bytes:
    return encode(document())


@cache
def _page() -> bytes:
    return render(document()).encode()
