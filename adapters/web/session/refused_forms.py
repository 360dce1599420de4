"""Refused forms: carried over a redirect to the page that shows them again, with what was typed and what is wrong."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.forms import Form
from footfall.application.ports.system import Sealing

COOKIE = "footfall_refused"
PARAMETER = "refused"
STATUSES = frozenset({falcon.HTTP_400, falcon.HTTP_409, falcon.HTTP_429})
# The values of templates that have what was typed.
_TYPED = ("form", "profile_form")
_OF_EARLIER_FORMS = (PARAMETER, "done")
_SECONDS = 600
# Browsers send one for each page above an address, and reverse proxies take 8 KB of cookies.
_LONGEST = 2_000
_DIGITS = 12


class ShowsRefusedForms:
    """A resource whose refused form is shown again at an address that can be opened again."""

    __slots__ = ()


@frozen
class RefusedForm:
    """A form that was refused: the status, what is wrong by fields, and what was typed, by the names of templates."""

    status: str
    field_errors: Mapping[str, Sequence[str]]
    typed: Mapping[str, Any] = field(repr=False)

    @classmethod
    def of(
        cls, status: str, field_errors: Mapping[str, Sequence[str]], values: Mapping[str, Any]
    ) -> "RefusedForm":
        """Return the refused form that a page would show with these values."""
        typed = {name: values[name] for name in _TYPED if values.get(name) is not None}
        return cls(status, field_errors, typed)


@frozen
class RefusedForms:
    """Carries refused forms in a sealed cookie, which the address of the page names; without it the form is empty.

    The page shows them for ten minutes, also when it is loaded again, in the browser and by the sign-in that sent them.
    """

    _sealing: Sealing
    _cookies: SignInCookies

    def lead(self, req: Request, resp: Response, page: str, refused: RefusedForm) -> None:
        """Make a redirect to the page that shows the form again the response, unless it is too long for a cookie."""
        path, query = urlsplit(page).path, parse_qsl(urlsplit(page).query, keep_blank_values=True)
        text = json.dumps(
            [self._cookies.owner(req), path, refused.status, refused.field_errors, _plain(refused)]
        )
        sealed = self._sealing.seal(text)
        if len(sealed) > _LONGEST:
            return
        self._cookies.keep(req, resp, COOKIE, sealed, path=path, seconds=_SECONDS, strict=True)
        resp.status, resp.text = falcon.HTTP_303, None
        # A form without an address of its own goes to that of its page, which can tell of an earlier form.
        kept = [(name, value) for name, value in query if name not in _OF_EARLIER_FORMS]
        resp.location = f"{path}?{urlencode([*kept, (PARAMETER, _name(sealed))])}"

    def find(self, req: Request) -> RefusedForm | None:
        """Return the form that the address names; None without one, or when it is not there any more."""
        name = req.get_param(PARAMETER)
        for sealed in req.get_cookie_values(COOKIE) or () if name else ():
            opened = self._sealing.open(sealed) if _name(sealed) == name else None
            if opened is None:
                continue
            owner, path, status, field_errors, typed = json.loads(opened)
            if (owner, path) == (self._cookies.owner(req), req.path):
                return RefusedForm(status, field_errors, _typed(typed))
        return None


def _plain(refused: RefusedForm) -> dict[str, Any]:
    """Return what was typed without the token, and whether its template reads it as a form."""
    plain = {}
    for name, value in refused.typed.items():
        fields = value.values if isinstance(value, Form) else value
        kept = {key: text for key, text in fields.items() if key != "token"}
        plain[name] = [isinstance(value, Form), kept]
    return plain


def _typed(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {name: Form(fields) if is_form else fields for name, (is_form, fields) in plain.items()}


def _name(sealed: str) -> str:
    return sha256(sealed.encode()).hexdigest()[:_DIGITS]
