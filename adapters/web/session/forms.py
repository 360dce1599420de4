"""Forms of the dashboard's own pages: limits, origin check and confirmation."""

import asyncio
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, ClassVar
from urllib.parse import parse_qsl, quote, urlencode

import falcon
from attrs import frozen
from falcon.asgi import Request, Response
from falcon.media.multipart import MultipartFormHandler

from footfall.adapters.web.session.origins import is_from_another_site
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import Conflict, Invalid

MAX_FIELDS = 1_000
# Reverse proxies refuse longer addresses (nginx: 8 KB for the whole line).
LONGEST_QUERY = 6_000
CONFIRMED = "confirmed"


@frozen(kw_only=True)
class Confirmation:
    """The texts of the page that asks before an action; `cancel` is the address of its Cancel link."""

    question: str
    consequence: str
    button: str
    cancel: str


class ConfirmationRequired(Exception):
    """A form asks for an action that must be confirmed first."""

    def __init__(self, confirmation: Confirmation, fields: Mapping[str, str]) -> None:
        super().__init__(confirmation.question)
        self.confirmation = confirmation
        self.fields = fields


@frozen
class Form:
    """The fields of a form; a missing field is an empty text."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return a field without white space around it."""
        return self.values.get(name, "").strip()

    def raw(self, name: str) -> str:
        """Return a field exactly as it was sent."""
        return self.values.get(name, "")

    def entries(self, name: str) -> tuple[str, ...]:
        """Return the entries of a field, separated by lines or commas."""
        entries = self.text(name).replace(",", "\n").splitlines()
        return tuple(entry.strip() for entry in entries if entry.strip())

    def is_checked(self, name: str) -> bool:
        """Return whether a checkbox was checked."""
        return name in self.values

    def require_confirmation(self, confirmation: Confirmation) -> None:
        """Continue only when the form comes from the page of this confirmation.

        Raises:
            ConfirmationRequired: the form comes from another page.

        """
        if not self.is_checked(CONFIRMED):
            raise ConfirmationRequired(confirmation, self.values)


class FormResource:
    """A resource that takes forms only.

    Browsers show its address after a refusal or a question, and can open it again: GET leads to `page_of_form`, the
    path of the page with the form, whose variable parts are those of the route.
    """

    __slots__ = ()

    access_get = Access.OPEN
    page_of_form: ClassVar[str]

    async def on_get(self, req: Request, _resp: Response, **parts: Any) -> None:
        """Redirect to the page."""
        raise falcon.HTTPSeeOther(self.address_of_page(req, parts))

    def address_of_page(self, req: Request, parts: Mapping[str, Any]) -> str:
        """Return the address of the page; the query goes along, because it can hold the view that it belongs to."""
        path = self.page_of_form.format(**{name: quote(str(part), safe="") for name, part in parts.items()})
        return f"{path}?{req.query_string}" if req.query_string else path


@frozen(repr=False)
class SentFile:
    """A file of a form; the name is the one that it has at the sender."""

    name: str
    content: bytes


@frozen(repr=False)
class FormWithFiles:
    """A form with files; a field without a chosen file is absent."""

    form: Form
    files: Mapping[str, SentFile]


def asked(req: Request) -> Form:
    """Return what the query of a request asks, with the names of a form; nothing changes by it."""
    return Form(dict(parse_qsl(req.query_string, keep_blank_values=True)))


def lead_to_answer(req: Request, form: Form, *, place: str = "") -> None:
    """Redirect to the address that answers a form which changes nothing, so that it can be opened again and sent on.

    The address has the fields, and never the token; `place` is that of the answer on its page, such as #what-if. It
    returns when the fields are too long for an address.

    Raises:
        HTTPSeeOther: otherwise.

    """
    query = urlencode({name: value for name, value in form.values.items() if value and name != "token"})
    if len(query) <= LONGEST_QUERY:
        raise falcon.HTTPSeeOther(f"{req.path}?{query}{place}")


def refusal_page(
    refusal: Invalid | Conflict, whole: str, field_of: Callable[[str], str] = str
) -> dict[str, Any]:
    """Return the status and the errors of the page that shows a refused form again.

    `field_of` returns the field of the form for a name of the HTTP interface; `whole` is what stands above the form.
    """
    if isinstance(refusal, Conflict):
        return {"status": falcon.HTTP_409, "field_errors": {whole: [refusal.message]}}
    errors = {whole: list(refusal.form_errors)} if refusal.form_errors else {}
    for name, messages in refusal.field_errors.items():
        errors.setdefault(field_of(name), []).extend(messages)
    return {"status": falcon.HTTP_400, "field_errors": errors}


async def read_form(req: Request) -> Form:
    """Return the form in a request's body.

    Raises:
        HTTPForbidden: a page of another site sent it.
        HTTPContentTooLarge: it is longer than 128 KiB.
        HTTPBadRequest: the body is not a form.

    """
    body = await _read(req)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise falcon.HTTPBadRequest(title="This form is not valid") from None
    return Form(dict(pairs))


async def read_form_with_files(req: Request) -> FormWithFiles:
    """Return the form in a request's body, and its files.

    Raises:
        HTTPForbidden: a page of another site sent it.
        HTTPContentTooLarge: it is longer than its path allows.
        HTTPBadRequest: the body is no form with files.

    """
    body = await _read(req)
    try:
        return await asyncio.to_thread(_parts, body, req.content_type or "")
    except (falcon.HTTPError, ValueError):
        raise falcon.HTTPBadRequest(title="This form is not valid") from None


async def _read(req: Request) -> bytes:
    if is_from_another_site(req):
        raise falcon.HTTPForbidden(title="This form was sent from another site")
    try:
        body: bytes = await req.stream.read()
    except falcon.HTTPContentTooLarge:
        raise falcon.HTTPContentTooLarge(title="This form is too large") from None
    return body


def _parts(body: bytes, content_type: str) -> FormWithFiles:
    values, files = dict[str, str](), dict[str, SentFile]()
    for part in MultipartFormHandler().deserialize(BytesIO(body), content_type, len(body)):
        if part.filename is None:
            values[part.name or ""] = part.get_text() or ""
        elif part.filename:
            files[part.name or ""] = SentFile(part.filename, part.stream.read())
    return FormWithFiles(Form(values), files)
