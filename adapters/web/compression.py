"""Compression of pages on their way to browsers."""

import gzip
import re

from falcon.asgi import Request, Response

# Shorter texts are one packet of the network either way.
SHORTEST = 1000
# Browsers name the origin of a request (https://w3c.github.io/webappsec-fetch-metadata/): these are of our own pages,
# and of addresses that a user opened.
_OWN = frozenset({"same-origin", "none"})
_REFUSED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")


def compress_page(req: Request, resp: Response) -> None:
    """Compress the text of a response for browsers that accept it.

    The length of a compressed page depends on how much of the address occurs in it. So answers to requests that pages
    of other sites made stay as they are, and these cannot guess what is on a page by the length of its answers.
    """
    if resp.text is None or len(resp.text) < SHORTEST:
        return
    if req.get_header("Sec-Fetch-Site") in _OWN and accepts_gzip(req.get_header("Accept-Encoding")):
        resp.data = gzip.compress(resp.text.encode(), 5, mtime=0)
        resp.text = None
        resp.set_header("Content-Encoding", "gzip")


def accepts_gzip(header: str | None) -> bool:
    """Return whether an Accept-Encoding header accepts gzip: by name or by `*`, with a weight above zero."""
    accepted: dict[str, bool] = {}
    for part in (header or "").lower().split(","):
        name, _, weight = part.partition(";")
        accepted[name.strip()] = _REFUSED.fullmatch(weight) is None
    return accepted.get("gzip", accepted.get("*", False))
