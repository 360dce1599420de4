"""The Falcon application: the routes of the HTTP interface."""

from itertools import chain

import falcon.asgi
from falcon.asgi import Request, Response
from falcon.routing import CompiledRouter

from footfall.adapters.http.lifespan import Lifespan
from footfall.adapters.http.protocols.routes import add_protocols
from footfall.adapters.http.resources import (
    annotations,
    exclusion_rules,
    goals,
    history,
    ingestion_ledger,
    page_groups,
    segments,
    sites,
    source_maps,
    user_secrets,
)
from footfall.adapters.http.resources.accounts import (
    api_keys,
    invitations,
    members,
    organizations,
    own_account,
)
from footfall.adapters.http.resources.alerts import rules, targets
from footfall.adapters.http.resources.endpoint import SITE, Endpoints, Resource
from footfall.adapters.http.resources.error_groups import decisions
from footfall.adapters.http.resources.error_groups import reports as error_groups
from footfall.adapters.http.resources.health import Liveness, Ready
from footfall.adapters.http.resources.metrics import MetricsPage
from footfall.adapters.http.resources.openapi import Docs, OpenApi
from footfall.adapters.http.resources.reports import all_sites, catalogue, funnels, properties, sessions
from footfall.adapters.http.resources.reports.changes import ChangesOfAnswers
from footfall.adapters.http.resources.services import Services
from footfall.adapters.http.resources.sharing import private_links, shared_links
from footfall.adapters.http.resources.visitors import endpoints as visitors
from footfall.adapters.http.resources.what_ifs import conversions, exclusions
from footfall.adapters.http.resources.what_ifs import rules as rule_what_ifs
from footfall.adapters.http.tracking.endpoint import Track, TrackBatch
from footfall.adapters.http.tracking.hot_path import TRACK_PATH, HotPath
from footfall.adapters.http.tracking.identify import Identify
from footfall.adapters.http.tracking.responses import TrackResponses
from footfall.adapters.http.tracking.scripts import Pixel, Script, TrackingConfig
from footfall.adapters.http.tracking.tracking_requests import Tracker
from footfall.adapters.http.wire import failures
from footfall.adapters.http.wire.body_limits import BATCH_PATH, Application, WholeBodies
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.middleware import Record, RequestFrame

App = falcon.asgi.App[Request, Response]
# Installations show the first path. Lists of ad blockers contain the second, which existing pages still load: with our
# own tag, or with that of Umami.
SCRIPT_PATHS = {"/footfall.js": "script.js", "/script.js": "umami.js", "/umami.js": "umami.js"}
_SUBJECTS = (
    *(organizations, members, invitations, own_account, api_keys, all_sites),
    *(sites, private_links, shared_links, user_secrets, history, ingestion_ledger, visitors),
    *(annotations, goals, funnels, properties, segments, exclusion_rules, page_groups, rules, targets),
    *(conversions, exclusions, rule_what_ifs, catalogue, sessions, error_groups, decisions, source_maps),
)


def endpoints() -> Endpoints:
    """Return the endpoints that admit their callers by rules, of all subjects."""
    merged = Endpoints()
    for path, methods in chain.from_iterable(subject.ENDPOINTS.items() for subject in _SUBJECTS):
        merged.include(path, methods)
    return merged


def create_app(services: Services, router: CompiledRouter | None = None) -> App:
    """Return the Falcon application; the services start and stop with the server's lifespan.

    `router` is one in the place of Falcon's own (https://falcon.readthedocs.io/en/stable/api/routing.html).
    """
    frame = RequestFrame(RequestIds(), Record(services.metrics))
    app: App = falcon.asgi.App(middleware=[Lifespan(services.start, services.stop), frame], router=router)
    app.req_options.keep_blank_qs_values = True
    app.req_options.auto_parse_qs_csv = False
    failures.install(app)
    _route(app, services)
    return app


def with_edge(app: Application, services: Services) -> Application:
    """Wrap the application for a server: bodies are read whole; single events take the hot path, all else the app."""
    record, request_ids = Record(services.metrics), RequestIds()
    tracker = Tracker(services.ingestion, TrackResponses(services.rate_limit))
    hot_path = HotPath(app, tracker, services.client_address, request_ids, record)
    return WholeBodies(hot_path, request_ids, record)


def _route(app: App, services: Services) -> None:
    app.add_route("/livez", Liveness())
    app.add_route("/readyz", _ready(services))
    app.add_route("/metrics", MetricsPage(services.render_metrics))
    app.add_route("/api/openapi.json", OpenApi())
    app.add_route("/api/docs", Docs())
    _route_tracking(app, services)
    _route_scripts(app, services)
    app.add_route(f"{SITE}/changes", ChangesOfAnswers(services.reports))
    for path, methods in endpoints().items():
        app.add_route(path, Resource(services, methods))


def _route_tracking(app: App, services: Services) -> None:
    responses, client_address = TrackResponses(services.rate_limit), services.client_address
    tracker = Tracker(services.ingestion, responses)
    app.add_route(TRACK_PATH, Track(tracker, client_address))
    app.add_route(BATCH_PATH, TrackBatch(tracker, client_address))
    app.add_route("/api/identify", Identify())
    app.add_route("/api/pixel.gif", Pixel(services.ingestion, client_address, responses))
    add_protocols(app, services.ingestion, services.directory, client_address)


def _route_scripts(app: App, services: Services) -> None:
    """Route the files that pages load: the script, and the parts and settings that the script requests."""
    for path, name in SCRIPT_PATHS.items():
        app.add_route(path, Script(name))
    vitals, config = Script("vitals.js"), TrackingConfig(services.directory, services.own_visits)
    app.add_route("/vitals.js", vitals)
    app.add_route(f"{TRACK_PATH}/vitals.js", vitals)
    for part in ("activity.js", "errors.js", "own.js"):
        app.add_route(f"{TRACK_PATH}/{part}", Script(part))
    app.add_route("/api/site/tracking-config/{site}", config)
    app.add_route(f"{TRACK_PATH}/{{site:path}}", config)


def _ready(services: Services) -> Ready:
    def set_aside() -> list[str]:
        return [stuck.stream for stuck in services.directory.set_aside]

    return Ready(
        services.readiness,
        services.reports.freshness,
        set_aside,
        services.columns_state,
        services.cell_obstacles,
    )
