"""The script for tags of Plausible, under the names that its own have.

See docs/track/protocols/plausible.md#the-script.
"""

import re

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.tracking.scripts import Script
from footfall.application.access.authorization import Access

# The script itself reads in its name which parts are on, or, in `pa-….js`, which site it is of.
_NAME = re.compile(r"((script|plausible|analytics)(\.[a-z0-9-]{1,40}){0,20}|pa-[A-Za-z0-9_-]{1,64})\.js")


@frozen
class PlausibleScript:
    """GET /js/script.js, plausible.js and analytics.js, with names of extensions in between, and /js/pa-….js."""

    access_get = Access.OPEN

    _script: Script = field(factory=lambda: Script("plausible.js"))

    async def on_get(self, req: Request, resp: Response, file: str) -> None:
        """Answer with the script, the same for all names."""
        if _NAME.fullmatch(file) is None:
            raise falcon.HTTPNotFound
        await self._script.on_get(req, resp)
