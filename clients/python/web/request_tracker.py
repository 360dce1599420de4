"""Counts the requests of an application, and sends what its code reports of them."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, Unpack

from attrs import define, field, frozen

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.event.events import Metrics
from footfall.client.event.payload import Payload, Properties
from footfall.client.event.visit import VisitReader
from footfall.client.exceptions.reporting import Scope, report
from footfall.client.guard import Guard
from footfall.client.web.pages import SKIPPED, PathPatterns, WebRequest, is_page

counting = Guard("Counting a request")
# Receives the payload of a pageview and the request of the framework; None leaves the pageview out.
Before = Callable[[Payload, Any], Payload | None]


class WebOptions(TypedDict, total=False):
    """Options of every middleware (docs/track/servers.md#options)."""

    pageviews: bool
    exceptions: bool
    bots: Literal["judge", "count"]
    trusted_hops: int
    trusted_networks: Sequence[str]
    skip: Sequence[str]
    before: Before | None


@frozen(kw_only=True)
class WebSettings:
    """Complete options of one middleware; without a client nothing is sent."""

    client: BackgroundFootfall | None
    visits: VisitReader
    skipped: PathPatterns
    pageviews: bool
    exceptions: bool
    bots: Literal["judge", "count"]
    before: Before | None


def web_settings(client: BackgroundFootfall | None, **options: Unpack[WebOptions]) -> WebSettings:
    """Return complete options.

    Raises:
        TypeError: the client is none that sends in the background from a thread, or an option does not exist.
        ValueError: an option is invalid; the message names it.

    """
    if client is not None and not isinstance(client, BackgroundFootfall):
        raise TypeError("client must be a BackgroundFootfall, or None: requests must not wait for a delivery")
    if unknown := options.keys() - WebOptions.__annotations__.keys():
        raise TypeError(f"Unknown option(s): {', '.join(sorted(unknown))}")
    if options.get("bots", "judge") not in {"judge", "count"}:
        raise ValueError("Option 'bots' must be 'judge' or 'count'")
    if isinstance(skip := options.get("skip", SKIPPED), str):
        raise TypeError("Option 'skip' must be a list of patterns")
    return WebSettings(
        client=client,
        visits=VisitReader(
            trusted_hops=options.get("trusted_hops", 0), trusted_networks=options.get("trusted_networks", ())
        ),
        skipped=PathPatterns(skip),
        pageviews=options.get("pageviews", True),
        exceptions=options.get("exceptions", True),
        bots=options.get("bots", "judge"),
        before=options.get("before"),
    )


@define(eq=False)
class RequestTracker:
    """What application code has of a request: events with its visitor. No method raises an exception or waits."""

    _settings: WebSettings
    _request: WebRequest
    _read_visit: Callable[[], Payload]
    _known: Payload = field(factory=Payload, init=False)
    _is_ignored: bool = field(default=False, init=False)
    scope: Scope = field(init=False)

    @scope.default
    def _own_scope(self) -> Scope:
        return Scope(self._visit)

    def event(
        self, event_name: str, properties: Properties | None = None, payload: Payload | None = None
    ) -> None:
        """Track a custom event of the visitor."""
        self._send(lambda client: client.event(event_name, self._payload(payload), properties))

    def outbound(
        self, url: str, properties: Properties | None = None, payload: Payload | None = None
    ) -> None:
        """Track a click of the visitor on a link that leads away."""
        self._send(lambda client: client.outbound(url, self._payload(payload), properties))

    def performance(
        self, metrics: Metrics, properties: Properties | None = None, payload: Payload | None = None
    ) -> None:
        """Track measures of a page that the visitor has seen."""
        self._send(lambda client: client.performance(metrics, self._payload(payload), properties))

    def error(
        self,
        error: BaseException | str,
        properties: Properties | None = None,
        payload: Payload | None = None,
    ) -> None:
        """Track an exception that the application caught, or a message."""
        if isinstance(error, BaseException):
            self.scope.note(error)
        self._send(lambda client: client.error(error, {**self._visit(), **(payload or {})}, properties))

    def set(self, payload: Payload) -> None:
        """Add fields to the events of this request and to its pageview, such as `page_title` or `user_id`."""
        with counting:
            self._known.update(payload)

    def ignore(self) -> None:
        """Leave out the pageview of this request."""
        self._is_ignored = True

    def answered(self, status: int, content_type: str, raw: object) -> None:
        """Count the request if its answer is a page; `raw` is the request of the framework, for the hook."""
        if self._is_ignored or not self._settings.pageviews:
            return
        with counting:
            if is_page(self._request, status, content_type) and not self._settings.skipped.match(
                self._request.path()
            ):
                payload = self._payload(None)
                known = payload if self._settings.before is None else self._settings.before(payload, raw)
                if known is not None:
                    self._send(lambda client: client.pageview(known))

    def failed(self, error: BaseException) -> None:
        """Report an exception that the application did not catch."""
        if self._settings.exceptions and self._settings.client is not None:
            report(self._settings.client, error)

    def sends_with(self, client: BackgroundFootfall | None) -> bool:
        """Whether this is the client of the tracker."""
        return self._settings.client is client

    def _send(self, call: Callable[[BackgroundFootfall], object]) -> None:
        with counting:
            if self._settings.client is not None:
                call(self._settings.client)

    def _payload(self, payload: Payload | None) -> Payload:
        judged: Payload = {"bots": "judge"} if self._settings.bots == "judge" else {}
        return {**judged, **self._visit(), **(payload or {})}

    def _visit(self) -> Payload:
        return {**self._read_visit(), **self._known}
