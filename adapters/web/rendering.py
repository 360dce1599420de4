"""Renders templates as responses, and pages for errors."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any
from urllib.parse import quote

import falcon
from attrs import frozen
from falcon.asgi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from footfall.adapters.web.assets import Assets, script_texts
from footfall.adapters.web.compression import compress_page
from footfall.adapters.web.formatting import FILTERS, TESTS, made, unturned
from footfall.adapters.web.labels import with_labels
from footfall.adapters.web.security_headers import set_security_headers
from footfall.adapters.web.services import Dashboard
from footfall.adapters.web.session.access import LinkNotFound, PageAccess, Viewer
from footfall.adapters.web.session.forms import CONFIRMED, ConfirmationRequired, FormResource
from footfall.adapters.web.session.page_languages import PageLanguages
from footfall.adapters.web.session.refused_forms import STATUSES, RefusedForm, RefusedForms, ShowsRefusedForms
from footfall.application.access.authorization import Unauthenticated
from footfall.application.languages.language import plural, speaking, spoken, tr
from footfall.application.ports.accounts.identity_providers import ProviderUnavailable
from footfall.application.ports.enrichment import LocationSource
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import ReportsBusy
from footfall.application.ports.reports.days_in_making import DaysInMaking
from footfall.application.sign_in.attempts import TooManyAttempts
from footfall.application.visitors.subjects import SaltsDestroyed
from footfall.domain.accounts.organization import Role
from footfall.domain.citations.definitions import RedefinedSince
from footfall.domain.citations.past_refusals import ErasedSince
from footfall.domain.exceptions import AccessDenied, DomainError, Invalid, InvitationRefused, NotFound
from footfall.domain.sites.site import Site

_log = logging.getLogger(__name__)

TEMPLATES = Path(__file__).parent / "templates"
# Status and hint for the refusals of a kind; the first match counts.
_REFUSALS: Sequence[tuple[type[DomainError], str, str]] = (
    (
        LinkNotFound,
        falcon.HTTP_404,
        "It was revoked or replaced, or it is incomplete. Ask the owner of the site for a new link.",
    ),
    (ProviderUnavailable, falcon.HTTP_502, "Nothing was changed."),
    (
        InvitationRefused,
        falcon.HTTP_404,
        "Links work once, for 7 days. Ask the person who invited you for a new one, unless you have joined by it.",
    ),
    (TooManyAttempts, falcon.HTTP_429, "Every attempt counts, whatever its result."),
    (NotFound, falcon.HTTP_404, "It may have been deleted, or the address is wrong."),
    (
        AccessDenied,
        falcon.HTTP_403,
        "Your role does not allow this. Ask an owner of the organization.",
    ),
    (
        RedefinedSince,
        falcon.HTTP_410,
        "The other reports of this state can be read, and those of the present.",
    ),
    (SaltsDestroyed, falcon.HTTP_410, "A visit still names its visitor within its time."),
    (ErasedSince, falcon.HTTP_410, "The reports of the present go on without these events."),
    (DomainError, falcon.HTTP_409, "Go back, reload the page and try again."),
)


@cache
def _templates() -> Environment:
    """Return the templates, which are compiled once for all renderers of the process."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=unturned,
    )
    environment.install_gettext_callables(tr, plural, newstyle=True)  # type: ignore[attr-defined]
    environment.globals["_"] = _marked_up
    environment.globals["spoken"] = spoken
    environment.globals["script_texts"] = script_texts
    environment.filters.update(FILTERS)
    environment.tests.update(TESTS)
    environment.globals["viewer_administers"] = _administers
    environment.globals["viewer_owns"] = _owns
    environment.globals["viewer_edits"] = _edits
    return environment


@frozen
class PageRenderer:
    """Renders templates; pages show the credits of the databases of locations and of networks in use."""

    _assets: Assets
    _access: PageAccess
    _refused: RefusedForms
    languages: PageLanguages
    _location_source: Callable[[], LocationSource | None] = lambda: None
    _network_source: Callable[[], LocationSource | None] = lambda: None

    async def render(
        self,
        req: Request,
        resp: Response,
        template: str,
        *,
        status: str = falcon.HTTP_200,
        field_errors: Mapping[str, Sequence[str]] | None = None,
        **values: Any,
    ) -> None:
        """Make a page the response; `field_errors` stand beside their fields.

        The page is for the signed-in user, unless the values contain a `viewer`; None renders it without a user. At an
        address that names a refused form, the page shows that one again.
        """
        if req.method == "POST" and status in STATUSES:
            req.context.refused = RefusedForm.of(status, field_errors or {}, values)
        elif req.method == "GET" and (refused := self._refused.find(req)):
            status, field_errors = refused.status, refused.field_errors
            values |= refused.typed
        if "viewer" not in values:
            values["viewer"] = await self._access.viewer(req)
        shown_errors = {
            name: [made(error) for error in errors] for name, errors in (field_errors or {}).items()
        }
        values |= {"current_path": req.path, "field_errors": shown_errors}
        self.render_fragment(resp, template, status=status, **values)

    def render_fragment(
        self, resp: Response, template: str, *, status: str = falcon.HTTP_200, **values: Any
    ) -> None:
        """Make a part of a page the response."""
        resp.status = status
        resp.content_type = falcon.MEDIA_HTML
        resp.text = self.markup(template, status=status, **values)
        resp.set_header("Content-Language", spoken().code)
        resp.append_header("Vary", "Accept-Language")
        set_security_headers(resp)

    def markup(self, template: str, **values: Any) -> Markup:
        """Return a part of a page for another template."""
        shared = {
            "asset": self._assets.address,
            "location_source": self._location_source,
            "network_source": self._network_source,
        }
        return Markup(_templates().get_template(template).render(shared | values))  # noqa: S704 - escaped by it

    def lead_to_refused(self, req: Request, resp: Response, page: str) -> None:
        """Make a redirect to the page of a form the response when the form was refused, and can be carried there."""
        if (refused := getattr(req.context, "refused", None)) is not None:
            self._refused.lead(req, resp, page, refused)

    async def render_error(self, req: Request, resp: Response, error: Exception) -> None:
        """Make a page the response that explains an error."""
        if isinstance(error, StoreUnavailable):
            _log.info("temporarily unavailable: %s", error)
        status, title, hint = _explanation(error)
        bad_query = isinstance(error, Invalid) and req.method == "GET" and bool(req.query_string)
        back = req.path if bad_query else None
        hint = hint if isinstance(error, Invalid) else made(hint)
        await self.render(req, resp, "failure.html", status=status, title=made(title), hint=hint, back=back)
        if isinstance(error, TooManyAttempts | ReportsBusy):
            resp.set_header("Retry-After", str(error.retry_after))

    async def render_confirmation(self, req: Request, resp: Response, required: ConfirmationRequired) -> None:
        """Make a page the response that asks before an action and sends the form again."""
        await self.render(
            req,
            resp,
            "confirmation.html",
            confirmation=required.confirmation,
            fields=required.fields,
            confirmed=CONFIRMED,
        )


@frozen
class RenderedResource:
    """A resource whose responders, those of its subclasses, become pages: see `_as_page`."""

    renderer: PageRenderer

    def __init_subclass__(cls) -> None:
        """Make the responders of a class pages; attrs makes each class a second time, with slots."""
        for name in ("on_get", "on_post"):
            respond = vars(cls).get(name)
            if respond is not None and not hasattr(respond, "__wrapped__"):
                setattr(cls, name, _as_page(respond))


@frozen
class DashboardPage(RenderedResource):
    """A resource of the dashboard, with the access check of sign-ins, and the services that it calls."""

    _access: PageAccess
    _services: Dashboard


@frozen
class NotFoundPage:
    """Answers addresses without a resource, with a page for browsers."""

    renderer: PageRenderer

    async def answer(self, req: Request, resp: Response | None, **_parts: Any) -> None:
        """Render a page with status 404.

        Raises:
            HTTPRouteNotFound: the request does not come from a browser that opens a page.

        """
        opened = req.method == "GET" and "text/html" in (req.get_header("Accept") or "")
        if resp is None or not opened or req.path.startswith("/api/"):
            raise falcon.HTTPRouteNotFound
        with speaking(await self.renderer.languages.of(req, {})):
            await self.renderer.render_error(req, resp, NotFound("Page not found"))


def error_sentences(refusal: Invalid, *, besides: str | None = None) -> list[str]:
    """Return the errors of all fields with their labels, `besides` the one field that shows its own."""
    errors = [(name, message) for name, messages in refusal.field_errors.items() for message in messages]
    return [with_labels(f"{name} {made(message)}") for name, message in errors if name != besides]


def _as_page(respond: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Render a responder's errors and confirmations as pages, redirect to the sign-in where one is needed, compress.

    All texts are in the language of the reader.
    """

    @wraps(respond)
    async def responder(
        resource: RenderedResource, req: Request, resp: Response, /, **parts: str | int
    ) -> None:
        with speaking(await resource.renderer.languages.of(req, parts)):
            await _answer(resource, req, resp, respond(resource, req, resp, **parts), parts)
        compress_page(req, resp)

    return responder


async def _answer(
    resource: RenderedResource,
    req: Request,
    resp: Response,
    response: Awaitable[None],
    parts: Mapping[str, Any],
) -> None:
    renderer = resource.renderer
    try:
        await response
    except Unauthenticated:
        target = req.relative_uri if req.method == "GET" else "/"
        raise falcon.HTTPSeeOther(f"/sign-in?next={quote(target, safe='')}") from None
    except ConfirmationRequired as required:
        await renderer.render_confirmation(req, resp, required)
    except (DomainError, StoreUnavailable, falcon.HTTPError) as error:
        await renderer.render_error(req, resp, error)
    else:
        if (address := _page_of_refused(resource, req, parts)) is not None:
            renderer.lead_to_refused(req, resp, address)


def _page_of_refused(resource: RenderedResource, req: Request, parts: Mapping[str, Any]) -> str | None:
    """Return the address of the page that shows a refused form of a resource again; None for one that has none."""
    if not isinstance(resource, ShowsRefusedForms):
        return None
    return resource.address_of_page(req, parts) if isinstance(resource, FormResource) else req.relative_uri


def _marked_up(message: str) -> Markup:
    """Return a literal text of a template, which may have markup."""
    return Markup(spoken().text(message))  # noqa: S704 - of templates and catalogues


def _administers(viewer: Viewer, site: Site) -> bool:
    role = viewer.role_on(site)
    return role is not None and role.administers


def _owns(viewer: Viewer, site: Site) -> bool:
    return viewer.role_on(site) is Role.OWNER


def _edits(viewer: Viewer, site: Site) -> bool:
    role = viewer.role_on(site)
    return role is not None and role.edits


def _explanation(error: Exception) -> tuple[str, str, str]:
    """Return status, title and hint of the page for an error."""
    match error:
        case ReportsBusy():
            hint = "They take turns. Try again in a moment."
            return falcon.HTTP_503, "Too many reports are asked for at once", hint
        case DaysInMaking():
            hint = "They are read from files, which are being made. Try again in a minute."
            return falcon.HTTP_503, "These days are not ready yet", hint
        case StoreUnavailable():
            hint = "No data is lost. Try again in a moment."
            return falcon.HTTP_503, "The database is not available", hint
        case Invalid():
            return falcon.HTTP_400, error.message, "; ".join(error_sentences(error))
        case DomainError():
            status, hint = next((status, hint) for kind, status, hint in _REFUSALS if isinstance(error, kind))
            return status, error.message, hint
        case falcon.HTTPError():
            status = falcon.code_to_http_status(error.status_code)
            return status, error.title or status[4:], error.description or ""
        case _:
            return falcon.HTTP_500, "Something went wrong", "The log of the service has the details."
