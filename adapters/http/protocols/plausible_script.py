"""The script for tags of Plausible, under the names that its own have (docs/protocols/plausible.md#the-script)."""

import re

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.tracking.scripts import Script
from footfall.application.access.authorization import Access

# `script.hash.outbound-links.js`: the script itself reads in its name which parts are on.
_NAME = re.compile(r"(script|plausible)(\.[a-z0-9-]{1,40}){0,20}\.js")


@frozen
class PlausibleScript:
    """GET /js/script.js, with the names of extensions in between, and /js/plausible.js."""

    access_get = Access.OPEN

    _script: Script = field(factory=lambda: Script("plausible.js"))

    async def on_get(self, req: Request, resp: Response, file: str) -> None:
        """Answer with the script, the same for all names."""
        if _NAME.fullmatch(file) is None:
            raise falcon.HTTPNotFound
        await self._script.on_get(req, resp)
