"""Endpoints: functions of an admitted request, each beside the rule of who may call it; their results are answered."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from enum import Enum
from functools import partial
from typing import Any, Generic, TypeVar

from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.services import Services
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.parameters import path_id, unaccepted
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.adapters.http.wire.responses import JSON_TYPE
from footfall.application.access.authorization import Access, Caller, Grant
from footfall.application.access.readers import Reader
from footfall.application.citations.answer_states import Answer
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import Actor
from footfall.application.reports.tables import Table
from footfall.domain.exceptions import NotFound, require_valid
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.sites.site import Site

SITE = "/api/sites/{site}"
ORGANIZATION = "/api/organizations/{organization}"

Body = dict[str, Any]
# A table is answered as CSV, chunks as a stream of JSON, and nothing as success.
Result = Body | Table | AsyncIterator[bytes] | None


@frozen(kw_only=True)
class AdmittedCall:
    """An admitted request, with what its path names."""

    services: Services = field(repr=False)
    req: Request
    resp: Response
    path: Mapping[str, str]

    async def body(self) -> Body:
        """Return the JSON object of the request; raises as `json_object` does."""
        return await json_object(self.req)

    def number(self, name: str, missing: Callable[[], NotFound]) -> int:
        """Return a number that the path names; raises as `path_id` does."""
        return path_id(self.path[name], missing)


@frozen(kw_only=True)
class CommandCall(AdmittedCall):
    """A request that may decide something, and who makes it."""

    actor: Actor

    @property
    def context(self) -> CommandContext:
        """The context of a command: its actor and the id of the request."""
        return CommandContext(actor=self.actor, request_id=self.req.context.request_id)


@frozen(kw_only=True)
class SiteCall(CommandCall):
    """A request to a site, with the access that it has."""

    grant: Grant

    @property
    def site_id(self) -> int:
        """The id of the site."""
        return self.grant.site_id

    @property
    def site(self) -> Site:
        """The site, as it was when the request was admitted."""
        return self.grant.site_record.site


@frozen(kw_only=True)
class UserCall(CommandCall):
    """A request of a user: about their own account, or to an organization."""

    caller: Caller

    @property
    def organization(self) -> str:
        """The id of the organization that the path names."""
        return self.path["organization"]


@frozen(kw_only=True)
class ReaderCall(AdmittedCall):
    """A request for a report of a site."""

    reader: Reader

    def parameters(self, *, own: Collection[str] = (), common: Collection[str] = COMMON) -> ReportParameters:
        """Return the parameters of the request, as of now."""
        return self.services.reports.parameters(self.req, self.reader, own=own, common=common)

    def opened(
        self, parameters: ReportParameters, span: Period, **options: Any
    ) -> AbstractAsyncContextManager[Answer]:
        """Lend the state that the answer is made from, as `opened` of the reports' context does."""
        return self.services.reports.opened(self.resp, self.reader, parameters, span, **options)


Admitted = TypeVar("Admitted", bound=AdmittedCall)
Respond = Callable[[Admitted], Awaitable[Result]]
# Takes the rule, the services, the request, its answer, and what the path names.
Admit = Callable[[Access, Services, Request, Response, Mapping[str, str]], Awaitable[Admitted]]


class Unlisted(Enum):
    """What becomes of the query parameters of an endpoint that lists none."""

    OF_REPORT = "ReportParameters refuses them together with their values"
    IGNORED = "they change nothing, as they never did"


@frozen
class Endpoint(Generic[Admitted]):
    """A method of a path, with the names of the query parameters that it accepts.

    The function may give its answer another status than that declared.
    """

    access: Access
    admit: Admit[Admitted]
    respond: Respond[Admitted]
    status: int = 200
    parameters: Collection[str] | Unlisted = ()

    async def answer(self, services: Services, req: Request, resp: Response, **path: str) -> None:
        """Answer a request whose sender the rule admits."""
        call = await self.admit(self.access, services, req, resp, path)
        if not isinstance(self.parameters, Unlisted):
            require_valid(unaccepted(req, self.parameters))
        resp.status = self.status
        result = await self.respond(call)
        if isinstance(result, Table):
            answer_csv(resp, result)
        elif isinstance(result, AsyncIterator):
            resp.stream, resp.content_type = result, JSON_TYPE
            resp.set_header("Cache-Control", "no-store")
        else:
            answer(resp, resp.status, {"success": True} if result is None else result)


class Endpoints(dict[str, dict[str, Endpoint[Any]]]):
    """The endpoints of a subject, by their paths and methods; its methods are decorators of their functions."""

    def of_site(
        self, method: str, path: str, access: Access, **options: Any
    ) -> Callable[[Respond[SiteCall]], Respond[SiteCall]]:
        """Add an endpoint of a site; `path` goes on behind that of the site."""
        return self._adding(method, SITE + path, access, _of_site, options)

    def of_user(
        self, method: str, path: str, access: Access, **options: Any
    ) -> Callable[[Respond[UserCall]], Respond[UserCall]]:
        """Add an endpoint of users; the rule is that of the organization which the path names, if it does."""
        return self._adding(method, path, access, _of_user, options)

    def of_reader(
        self, method: str, path: str, access: Access, panels: Collection[SharedPanel] = ()
    ) -> Callable[[Respond[ReaderCall]], Respond[ReaderCall]]:
        """Add an endpoint of reports of a site, which a link that opens one of the panels may ask, too."""
        admit = partial(_of_reader, panels=panels)
        return self._adding(method, SITE + path, access, admit, {"parameters": Unlisted.OF_REPORT})

    def _adding(
        self,
        method: str,
        path: str,
        access: Access,
        admit: Admit[Admitted],
        options: Mapping[str, Any],
    ) -> Callable[[Respond[Admitted]], Respond[Admitted]]:
        def add(respond: Respond[Admitted]) -> Respond[Admitted]:
            self.include(path, {method: Endpoint(access, admit, respond, **options)})
            return respond

        return add

    def include(self, path: str, endpoints: Mapping[str, Endpoint[Any]]) -> None:
        """Add the endpoints of a path, by their methods.

        Raises:
            ValueError: the path has an endpoint of one of the methods.

        """
        methods = self.setdefault(path, {})
        if twice := methods.keys() & endpoints.keys():
            raise ValueError(f"{path} has two endpoints of {', '.join(sorted(twice))}")
        methods.update(endpoints)


class Resource:
    """The methods of a path, under the names by which Falcon finds them."""

    def __init__(self, services: Services, endpoints: Mapping[str, Endpoint[Any]]) -> None:
        for method, endpoint in endpoints.items():
            setattr(self, f"on_{method.lower()}", partial(endpoint.answer, services))


async def _of_site(
    access: Access, services: Services, req: Request, resp: Response, path: Mapping[str, str]
) -> SiteCall:
    grant = await services.gatekeeper.admit(access, path["site"], credentials(req))
    return SiteCall(services=services, req=req, resp=resp, path=path, actor=grant.actor, grant=grant)


async def _of_user(
    access: Access, services: Services, req: Request, resp: Response, path: Mapping[str, str]
) -> UserCall:
    gatekeeper, organization = services.gatekeeper, path.get("organization")
    if organization is None:
        caller = await gatekeeper.caller(credentials(req))
    else:
        caller = await gatekeeper.organization(access, organization, credentials(req))
    return UserCall(services=services, req=req, resp=resp, path=path, actor=caller.actor, caller=caller)


async def _of_reader(
    access: Access,
    services: Services,
    req: Request,
    resp: Response,
    path: Mapping[str, str],
    *,
    panels: Collection[SharedPanel],
) -> ReaderCall:
    reader = await services.reports.reader(req, access, path["site"], panels)
    return ReaderCall(services=services, req=req, resp=resp, path=path, reader=reader)
