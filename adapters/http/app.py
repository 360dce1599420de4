"""The Falcon application: which resource answers where."""

import falcon.asgi
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http import failures
from footfall.adapters.http.api_keys import ApiKeyDetail, ApiKeys
from footfall.adapters.http.breakdowns import Breakdown, Outbound, Realtime, WebVitals
from footfall.adapters.http.conversions import GoalPreview, GoalSessions
from footfall.adapters.http.errors import ErrorBuckets, ErrorEvents, ErrorNames, ErrorResolution, NewErrors
from footfall.adapters.http.express import EXPRESS_PATH, Express
from footfall.adapters.http.goals import GoalDetail, Goals
from footfall.adapters.http.health import Live, Readiness, Ready
from footfall.adapters.http.history import SiteHistory
from footfall.adapters.http.ingestion_ledger import IngestionLedger
from footfall.adapters.http.lifespan import Lifespan, Step
from footfall.adapters.http.members import MemberDetail, Members
from footfall.adapters.http.metrics import Metrics, Render
from footfall.adapters.http.middleware import Record, RequestFrame
from footfall.adapters.http.openapi import Docs, OpenApi
from footfall.adapters.http.organizations import Organizations, OrganizationSites
from footfall.adapters.http.private_links import PrivateLink
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.requests import ClientAddress, RequestIds
from footfall.adapters.http.scripts import Pixel, Script, TrackingConfig
from footfall.adapters.http.sites import Exclusions, SiteConfiguration, SiteDetail
from footfall.adapters.http.track import Track, TrackBatch
from footfall.adapters.http.tracker import Tracker
from footfall.adapters.http.traffic import Overview, Timeseries
from footfall.adapters.http.verdicts import VerdictForms
from footfall.application.access import Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory
from footfall.application.error_resolution import ErrorResolutions
from footfall.application.history import History
from footfall.application.ingestion import Ingestion
from footfall.application.keyring import Keyring
from footfall.application.meters import Meters
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Clock
from footfall.domain.rate_limit import RateLimit

App = falcon.asgi.App[Request, Response]


@frozen(kw_only=True)
class Services:
    """What the interface drives."""

    ingestion: Ingestion
    gatekeeper: Gatekeeper
    directory: Directory
    commands: Commands
    keyring: Keyring
    history: History
    reading: Reading
    outcomes: Outcomes
    clock: Clock
    rate_limit: RateLimit | None = None
    client_address: ClientAddress = field(factory=lambda: ClientAddress(()))
    readiness: Readiness
    meters: Meters
    metrics: Render
    start: Step
    stop: Step


def create_app(services: Services) -> App:
    """Return the application; its services start and stop with the server's lifespan."""
    frame = RequestFrame(RequestIds(), Record(services.meters))
    app: App = falcon.asgi.App(middleware=[Lifespan(services.start, services.stop), frame])
    app.req_options.keep_blank_qs_values = True
    app.req_options.auto_parse_qs_csv = False
    failures.install(app)
    _route(app, services)
    return app


def create_express(services: Services) -> Express:
    """Return the short way to POST /api/track for a server that can go it."""
    tracker = Tracker(services.ingestion, VerdictForms(services.rate_limit))
    return Express(tracker, services.client_address, RequestIds(), Record(services.meters))


def _route(app: App, services: Services) -> None:
    gatekeeper, commands, client_address = services.gatekeeper, services.commands, services.client_address
    app.add_route("/livez", Live())
    app.add_route("/readyz", Ready(services.readiness, services.reading.freshness))
    app.add_route("/metrics", Metrics(services.metrics))
    app.add_route("/api/openapi.json", OpenApi())
    app.add_route("/api/docs", Docs())
    forms = VerdictForms(services.rate_limit)
    tracker = Tracker(services.ingestion, forms)
    app.add_route(EXPRESS_PATH, Track(tracker, client_address))
    app.add_route("/api/track/batch", TrackBatch(tracker, client_address))
    for name in ("script.js", "vitals.js"):
        app.add_route(f"/{name}", Script(name))
    app.add_route("/api/site/tracking-config/{site}", TrackingConfig(services.directory))
    app.add_route("/api/pixel.gif", Pixel(services.ingestion, client_address, forms))
    app.add_route(
        "/api/sites/{site}/ingestion", IngestionLedger(gatekeeper, services.outcomes, services.clock)
    )
    _route_organizations(app, services)
    _route_sites(app, services)
    app.add_route("/api/sites/{site}/goals", Goals(gatekeeper, commands, services.reading))
    app.add_route("/api/sites/{site}/goals/preview", GoalPreview(services.reading))
    app.add_route("/api/sites/{site}/goals/{goal}", GoalDetail(gatekeeper, commands))
    app.add_route("/api/sites/{site}/goals/{goal}/sessions", GoalSessions(services.reading))
    app.add_route("/api/sites/{site}/error-names", ErrorNames(services.reading))
    app.add_route("/api/sites/{site}/error-events", ErrorEvents(services.reading))
    app.add_route("/api/sites/{site}/error-bucketed", ErrorBuckets(services.reading))
    app.add_route("/api/sites/{site}/errors/new", NewErrors(services.reading))
    resolutions = ErrorResolutions(commands, services.reading.errors, services.reading.freshness)
    app.add_route("/api/sites/{site}/errors/resolve", ErrorResolution(gatekeeper, resolutions))
    app.add_route("/api/sites/{site}/overview", Overview(services.reading))
    app.add_route("/api/sites/{site}/timeseries", Timeseries(services.reading))


def _route_organizations(app: App, services: Services) -> None:
    gatekeeper, directory, commands = services.gatekeeper, services.directory, services.commands
    organization = "/api/organizations/{organization}"
    app.add_route("/api/organizations", Organizations(gatekeeper, directory))
    app.add_route(f"{organization}/sites", OrganizationSites(gatekeeper, directory, commands))
    app.add_route(f"{organization}/members", Members(gatekeeper, directory, commands))
    app.add_route(f"{organization}/members/{{user}}", MemberDetail(gatekeeper, directory, commands))
    app.add_route("/api/user/api-keys", ApiKeys(gatekeeper, directory, commands, services.keyring))
    app.add_route("/api/user/api-keys/{key}", ApiKeyDetail(gatekeeper, directory, commands))


def _route_sites(app: App, services: Services) -> None:
    gatekeeper, directory, commands = services.gatekeeper, services.directory, services.commands
    site = "/api/sites/{site}"
    app.add_route(site, SiteDetail(gatekeeper, directory, commands))
    app.add_route(f"{site}/config", SiteConfiguration(gatekeeper, directory, commands))
    app.add_route(f"{site}/excluded-ips", Exclusions(gatekeeper, directory, "excludedIPs"))
    app.add_route(f"{site}/excluded-countries", Exclusions(gatekeeper, directory, "excludedCountries"))
    app.add_route(f"{site}/private-link-config", PrivateLink(gatekeeper, directory, commands))
    app.add_route(f"{site}/history", SiteHistory(gatekeeper, directory, services.history))
    app.add_route("/api/sites/{site}/breakdown", Breakdown(services.reading))
    app.add_route("/api/sites/{site}/outbound", Outbound(services.reading))
    app.add_route("/api/sites/{site}/web-vitals", WebVitals(services.reading))
    app.add_route("/api/sites/{site}/realtime", Realtime(services.reading))
