"""Turns templates into answers, with the headers that keep a page to itself."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar
from urllib.parse import quote

import falcon
from falcon.asgi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from footfall.adapters.web.assets import Assets
from footfall.adapters.web.door import Door, LinkNotFound, Viewer
from footfall.adapters.web.numbers import FILTERS
from footfall.application.access import Unauthenticated
from footfall.application.ports import StoreUnavailable
from footfall.domain.errors import AccessDenied, DomainError, Invalid, NotFound
from footfall.domain.site import Site

TEMPLATES = Path(__file__).parent / "templates"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "
)


class Pages:
    """Renders templates; `door` says whose name stands in the corner of the page."""

    def __init__(self, assets: Assets, door: Door) -> None:
        self._door = door
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(FILTERS)
        self._environment.globals["asset"] = assets.address
        self._environment.globals["viewer_administers"] = _administers

    async def show(
        self,
        req: Request,
        resp: Response,
        template: str,
        *,
        status: str = falcon.HTTP_200,
        faults: Mapping[str, Sequence[str]] | None = None,
        **values: Any,
    ) -> None:
        """Make a page the response; `faults` are shown beside the fields they belong to.

        It is for whoever is signed in, unless the values say who the `viewer` is; None is nobody in particular.
        """
        if "viewer" not in values:
            values["viewer"] = await self._door.viewer(req)
        values |= {"here": req.path, "faults": faults or {}}
        self.fragment(resp, template, status=status, **values)

    def fragment(
        self, resp: Response, template: str, *, status: str = falcon.HTTP_200, **values: Any
    ) -> None:
        """Make a part of a page the response."""
        resp.status = status
        resp.content_type = falcon.MEDIA_HTML
        resp.text = self._environment.get_template(template).render(values, status=status)
        guard(resp)

    async def fail(self, req: Request, resp: Response, failure: Exception) -> None:
        """Make a page the response that says what went wrong and what can be done."""
        status, title, hint = _explanation(failure)
        await self.show(req, resp, "failure.html", status=status, title=title, hint=hint)


class Nowhere:
    """Answers addresses at which there is nothing: with a page when it is a browser that asks."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    async def answer(self, req: Request, resp: Response | None, **_parts: Any) -> None:
        """Say that there is nothing.

        Raises:
            HTTPRouteNotFound: a program asks, or something else than a page was meant.

        """
        opened = req.method == "GET" and "text/html" in (req.get_header("Accept") or "")
        if resp is None or not opened or req.path.startswith("/api/"):
            raise falcon.HTTPRouteNotFound
        await self.pages.fail(req, resp, NotFound("There is no such page"))


def guard(resp: Response) -> None:
    """Give an answer the headers that keep its content to whom it is meant for."""
    resp.set_headers(
        {
            "Content-Security-Policy": f"{_POLICY}'none'",
            "X-Frame-Options": "DENY",
            "Cache-Control": "no-store",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }
    )


def let_embed(resp: Response, origins: Sequence[str]) -> None:
    """Let pages of these origins frame an answer that nobody's sign-in had a part in."""
    if origins:
        resp.set_header("Content-Security-Policy", _POLICY + " ".join(origins))
        # It knows no origins, and browsers that read the policy do not need it.
        resp.delete_header("X-Frame-Options")


def sentences(refusal: Invalid) -> list[str]:
    """Return the faults of a refusal, each with the name of its field, for where no field can show it."""
    return [f"{name} {message}" for name, messages in refusal.faults.items() for message in messages]


class Resource(Protocol):
    """A resource whose refusals become pages."""

    pages: Pages


Self = TypeVar("Self", bound=Resource)
Parameters = ParamSpec("Parameters")
Responder = Callable[Concatenate[Self, Request, Response, Parameters], Coroutine[Any, Any, None]]


def page(respond: Responder[Self, Parameters]) -> Responder[Self, Parameters]:
    """Let a responder answer refusals with pages, and send those who are not signed in to where they can be."""

    @wraps(respond)
    async def guarded(
        self: Self, req: Request, resp: Response, /, *args: Parameters.args, **parameters: Parameters.kwargs
    ) -> None:
        try:
            await respond(self, req, resp, *args, **parameters)
        except Unauthenticated:
            wanted = req.relative_uri if req.method == "GET" else "/"
            raise falcon.HTTPSeeOther(f"/sign-in?next={quote(wanted, safe='')}") from None
        except (DomainError, StoreUnavailable, falcon.HTTPError) as failure:
            await self.pages.fail(req, resp, failure)

    return guarded


def _administers(viewer: Viewer, site: Site) -> bool:
    return any(
        listed.organization.organization_id == site.organization_id
        and listed.organization.roles[viewer.user_id].administers
        for listed in viewer.organizations
    )


def _explanation(failure: Exception) -> tuple[str, str, str]:
    match failure:
        case StoreUnavailable():
            return (
                falcon.HTTP_503,
                "The store does not answer",
                "Nothing is lost. Please try again in a moment.",
            )
        case LinkNotFound():
            return (
                falcon.HTTP_404,
                failure.message,
                "It was revoked or replaced, or a part of it is missing. Ask for a new one where it came from.",
            )
        case NotFound():
            return (
                falcon.HTTP_404,
                failure.message,
                "It may have been deleted, or the address is not quite right.",
            )
        case AccessDenied():
            return (
                falcon.HTTP_403,
                failure.message,
                "Your role does not allow this. An owner of the organization can help.",
            )
        case Invalid():
            return falcon.HTTP_400, failure.message, "; ".join(sentences(failure))
        case DomainError():
            return falcon.HTTP_409, failure.message, "Go back, load the page again and repeat it."
        case falcon.HTTPError():
            status = falcon.code_to_http_status(failure.status_code)
            return status, failure.title or status[4:], failure.description or ""
        case _:
            return falcon.HTTP_500, "Something went wrong", "The log of the service says what."
