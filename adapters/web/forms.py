"""Forms as browsers send them: bounded, and only from our own pages."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

import falcon
from attrs import frozen
from falcon.asgi import Request

MAX_FORM = 128 * 1024
MAX_FIELDS = 1_000


@frozen
class Form:
    """The fields of a form; a field that was left out is empty."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return a field without white space around it."""
        return self.values.get(name, "").strip()

    def raw(self, name: str) -> str:
        """Return a field exactly as it was sent."""
        return self.values.get(name, "")

    def lines(self, name: str) -> tuple[str, ...]:
        """Return the entries of a field that holds one on each line, or several with commas between them."""
        entries = self.text(name).replace(",", "\n").splitlines()
        return tuple(entry.strip() for entry in entries if entry.strip())

    def ticked(self, name: str) -> bool:
        """Whether a box was ticked."""
        return name in self.values


async def read_form(req: Request) -> Form:
    """Return the form that was sent.

    Raises:
        HTTPForbidden: another site's page sent it.
        HTTPContentTooLarge: it is longer than 128 KiB.
        HTTPBadRequest: it is not a form, or not all of it came.

    """
    if not _own(req):
        raise falcon.HTTPForbidden(title="This form was sent from another site")
    body: bytes = await req.stream.read(MAX_FORM + 1)
    if len(body) > MAX_FORM:
        raise falcon.HTTPContentTooLarge(title="This form is too large")
    if len(body) < (req.content_length or 0):
        # What is missing would count as not ticked.
        raise falcon.HTTPBadRequest(title="This form has not come as a whole")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise falcon.HTTPBadRequest(title="This form cannot be read") from None
    return Form(dict(pairs))


def _own(req: Request) -> bool:
    if (site := req.get_header("Sec-Fetch-Site")) is not None:
        return site in {"same-origin", "none"}
    origin = req.get_header("Origin")
    return origin is None or urlsplit(origin).netloc == req.get_header("Host")
