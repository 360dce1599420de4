"""Links of a site over HTTP: made by an admin, and used by their readers."""

from footfall.domain.sites.sharing.shared_links import SharedPanel
from tests.http.resources.reports.questions import SITE

LINKS = f"{SITE}/links"
PANELS = [panel.value for panel in SharedPanel]
# The sessions of the third visitor, who views a page of their own.
THIRD = [{"parameter": "pathname", "type": "equals", "value": ["/pricing/3"]}]


async def make(world, *, key="admin", **terms):
    """Return the answer to a request for a new link."""
    return await world.request("POST", LINKS, key=key, json={"name": "Agency", "panels": PANELS} | terms)


async def key_of_new(world, **terms):
    """Make a link, and return its key."""
    made = await make(world, **terms)
    assert made.status_code == 201, made.json
    return made.json["key"]


async def read(world, path, link, more=None, **arguments):
    """Return the answer of a report to the reader of a link."""
    headers = {"X-Private-Key": link, **arguments.pop("headers", {})}
    return await world.request("GET", f"{SITE}/{path}", headers=headers, params=more or {}, **arguments)


async def segment_of(world, filters=THIRD):
    """Make a segment of the site, and return its number."""
    body = {"name": "Third", "personal": False, "filters": filters}
    made = await world.request("POST", f"{SITE}/segments", key="member", json=body)
    return made.json["segmentId"]
