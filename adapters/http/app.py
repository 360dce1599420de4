"""The Falcon application: the routes of the HTTP interface and the services behind them."""

import falcon.asgi
from attrs import field, frozen
from falcon.asgi import Request, Response
from falcon.routing import CompiledRouter

from footfall.adapters.http.lifespan import Lifespan, Step
from footfall.adapters.http.protocols.routes import add_protocols
from footfall.adapters.http.resources.accounts.api_keys import ApiKeyDetail, ApiKeyList
from footfall.adapters.http.resources.accounts.invitations import InvitationDetail, InvitationList
from footfall.adapters.http.resources.accounts.members import MemberDetail, Members, Membership
from footfall.adapters.http.resources.accounts.organizations import (
    OrganizationDetail,
    Organizations,
    OrganizationSites,
)
from footfall.adapters.http.resources.accounts.own_account import OwnAccount, SignInDetail, SignIns
from footfall.adapters.http.resources.alerts.rules import (
    AlertAcknowledgement,
    AlertFirings,
    AlertPreview,
    AlertRuleDetail,
    AlertRules,
)
from footfall.adapters.http.resources.alerts.targets import (
    AlertTargetDetail,
    AlertTargetList,
    AlertTargetTest,
)
from footfall.adapters.http.resources.aliases import SiteAlias
from footfall.adapters.http.resources.annotations import AnnotationDetail, AnnotationList
from footfall.adapters.http.resources.error_groups.decisions import (
    ErrorGroupAssignee,
    ErrorGroupComment,
    ErrorGroupComments,
    ErrorGroupMerge,
    ErrorGroupSeparation,
    ErrorGroupState,
)
from footfall.adapters.http.resources.error_groups.reports import ErrorGroup
from footfall.adapters.http.resources.exclusion_rules import ExclusionRuleDetail, ExclusionRules
from footfall.adapters.http.resources.goals import GoalDetail, GoalPreview, Goals
from footfall.adapters.http.resources.health import (
    CellObstacles,
    ColumnsState,
    Liveness,
    Readiness,
    Ready,
)
from footfall.adapters.http.resources.history import SiteHistory
from footfall.adapters.http.resources.ingestion_ledger import IngestionLedger
from footfall.adapters.http.resources.metrics import MetricsPage, Render
from footfall.adapters.http.resources.openapi import Docs, OpenApi
from footfall.adapters.http.resources.page_groups import PageGroupRules, PageGroupsWhatIf
from footfall.adapters.http.resources.reports.all_sites import AllSitesOverview
from footfall.adapters.http.resources.reports.catalogue import REPORTS
from footfall.adapters.http.resources.reports.changes import ChangesOfAnswers
from footfall.adapters.http.resources.reports.description import ENDPOINTS
from footfall.adapters.http.resources.reports.errors import ErrorResolution
from footfall.adapters.http.resources.reports.funnels import FunnelDetail, FunnelPreview, Funnels
from footfall.adapters.http.resources.reports.properties import PropertyCurrency
from footfall.adapters.http.resources.reports.sessions import SessionDetail
from footfall.adapters.http.resources.segments import SegmentDetail, SegmentList
from footfall.adapters.http.resources.sharing.private_links import PrivateLink
from footfall.adapters.http.resources.sharing.shared_links import SharedLinkDetail, SharedLinkList
from footfall.adapters.http.resources.sites import Exclusions, SiteConfiguration, SiteDetail
from footfall.adapters.http.resources.source_maps import SourceMapList
from footfall.adapters.http.resources.user_secrets import UserSecret
from footfall.adapters.http.resources.visitors.endpoints import (
    VisitorDataOf,
    VisitorErasureDetail,
    VisitorErasureList,
)
from footfall.adapters.http.resources.what_ifs.conversions import FunnelWhatIf, GoalWhatIf
from footfall.adapters.http.resources.what_ifs.exclusions import ExclusionWhatIf
from footfall.adapters.http.resources.what_ifs.rules import ExclusionRuleWhatIf
from footfall.adapters.http.tracking.endpoint import Track, TrackBatch
from footfall.adapters.http.tracking.hot_path import TRACK_PATH, HotPath
from footfall.adapters.http.tracking.identify import Identify
from footfall.adapters.http.tracking.responses import TrackResponses
from footfall.adapters.http.tracking.scripts import Pixel, Script, TrackingConfig
from footfall.adapters.http.tracking.tracker import Tracker
from footfall.adapters.http.wire import failures
from footfall.adapters.http.wire.body_limits import BATCH_PATH, Application, WholeBodies
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.middleware import Record, RequestFrame
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.application.commands.error_resolution import ErrorResolutions
from footfall.application.commands.known_error_groups import KnownErrorGroups
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.ports.metrics import Metrics
from footfall.application.services import SharedServices
from footfall.domain.sites.configuration import SETTINGS, ListSetting
from footfall.domain.tracking.rate_limit import RateLimit
from footfall.domain.traffic.refusals import TRIED

App = falcon.asgi.App[Request, Response]
# Installations show the first path. Lists of ad blockers contain the second, which existing pages still load: with our
# own tag, or with that of Umami.
SCRIPT_PATHS = {"/footfall.js": "script.js", "/script.js": "umami.js", "/umami.js": "umami.js"}
_SITE = "/api/sites/{site}"
_EXCLUSIONS = {
    "excluded-ips": ListSetting.EXCLUDED_IPS,
    "excluded-countries": ListSetting.EXCLUDED_COUNTRIES,
    "excluded-paths": ListSetting.EXCLUDED_PATHS,
    "excluded-hosts": ListSetting.EXCLUDED_HOSTS,
    "excluded-user-agents": ListSetting.EXCLUDED_USER_AGENTS,
}


@frozen(kw_only=True)
class Services(SharedServices):
    """The application services and settings that the HTTP interface uses."""

    ingestion: Ingestion
    reports: ReportContext
    rate_limit: RateLimit | None = None
    client_address: ClientAddress = field(factory=lambda: ClientAddress(()))
    readiness: Readiness
    columns_state: ColumnsState
    cell_obstacles: CellObstacles
    metrics: Metrics
    render_metrics: Render
    start: Step
    stop: Step


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
    _route_organizations(app, services)
    _route_own_account(app, services)
    _route_sites(app, services)
    _route_annotations(app, services)
    _route_goals(app, services)
    _route_alerts(app, services)
    _route_segments(app, services)
    _route_exclusions(app, services)
    _route_page_groups(app, services)
    _route_reports(app, services)
    _route_errors(app, services)


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


def _route_organizations(app: App, services: Services) -> None:
    gatekeeper, directory, commands = services.gatekeeper, services.directory, services.commands
    organization = "/api/organizations/{organization}"
    sites = OrganizationSites(gatekeeper, directory, commands, services.locates)
    app.add_route("/api/organizations", Organizations(gatekeeper, directory))
    app.add_route(organization, OrganizationDetail(gatekeeper, directory, commands))
    app.add_route(f"{organization}/sites", sites)
    app.add_route(f"{organization}/overview", AllSitesOverview(gatekeeper, directory, services.all_sites))
    app.add_route(f"{organization}/members", Members(gatekeeper, directory, services.people))
    invitations = InvitationList(gatekeeper, services.invitations)
    app.add_route(f"{organization}/invitations", invitations)
    invitation = InvitationDetail(gatekeeper, commands)
    app.add_route(f"{organization}/invitations/{{invitation}}", invitation)
    app.add_route(f"{organization}/membership", Membership(gatekeeper, commands))
    app.add_route(f"{organization}/members/{{user}}", MemberDetail(gatekeeper, commands))


def _route_own_account(app: App, services: Services) -> None:
    gatekeeper, directory, commands = services.gatekeeper, services.directory, services.commands
    app.add_route("/api/user", OwnAccount(gatekeeper, commands))
    app.add_route("/api/user/sign-ins", SignIns(gatekeeper, commands, services.sign_in_tracker))
    app.add_route("/api/user/sign-ins/{handle}", SignInDetail(gatekeeper, commands))
    app.add_route("/api/user/api-keys", ApiKeyList(gatekeeper, directory, commands, services.api_keys))
    app.add_route("/api/user/api-keys/{key}", ApiKeyDetail(gatekeeper, commands))


def _route_sites(app: App, services: Services) -> None:
    gatekeeper, directory, commands = services.gatekeeper, services.directory, services.commands
    locates, ledger = services.locates, IngestionLedger(gatekeeper, services.outcomes, services.clock)
    app.add_route(_SITE, SiteDetail(gatekeeper, directory, commands))
    app.add_route(f"{_SITE}/config", SiteConfiguration(gatekeeper, commands, locates))
    for name, setting in _EXCLUSIONS.items():
        app.add_route(f"{_SITE}/{name}", Exclusions(gatekeeper, SETTINGS[setting].name, locates))
    app.add_route(f"{_SITE}/private-link-config", PrivateLink(gatekeeper, commands, services.link_keys))
    links = SharedLinkList(gatekeeper, services.link_keys, services.link_tracker, services.clock)
    app.add_route(f"{_SITE}/links", links)
    link = SharedLinkDetail(gatekeeper, commands, services.link_keys)
    app.add_route(f"{_SITE}/links/{{link}}", link)
    secrets = UserSecret(gatekeeper, commands, services.user_secrets)
    app.add_route(f"{_SITE}/user-secret", secrets)
    alias = SiteAlias(gatekeeper, commands.aliases)
    app.add_route(f"{_SITE}/aliases/{{alias:path}}", alias)
    app.add_route(f"{_SITE}/history", SiteHistory(gatekeeper, services.history, services.people))
    app.add_route(f"{_SITE}/ingestion", ledger)
    app.add_route(f"{_SITE}/visitor-data", VisitorDataOf(gatekeeper, services.visitors))
    app.add_route(f"{_SITE}/visitor-erasures", VisitorErasureList(gatekeeper, services.visitors))
    erasure = VisitorErasureDetail(gatekeeper, services.visitors)
    app.add_route(f"{_SITE}/visitor-erasures/{{erasure}}", erasure)


def _route_annotations(app: App, services: Services) -> None:
    gatekeeper, directory = services.gatekeeper, services.directory
    commands = services.commands.annotations
    marks = AnnotationList(gatekeeper, directory, commands, releases=True)
    app.add_route(f"{_SITE}/annotations", AnnotationList(gatekeeper, directory, commands))
    app.add_route(f"{_SITE}/annotations/{{annotation}}", AnnotationDetail(gatekeeper, commands))
    app.add_route(f"{_SITE}/releases", marks)


def _route_alerts(app: App, services: Services) -> None:
    gatekeeper, directory, alerts = services.gatekeeper, services.directory, services.alerts
    expressions = services.reports.expressions
    commands, watches, targets = services.commands.alerts, alerts.watches, alerts.targets
    rules, rule = f"{_SITE}/alerts", f"{_SITE}/alerts/{{alert}}"
    app.add_route(rules, AlertRules(gatekeeper, directory, commands, watches, expressions))
    preview = AlertPreview(gatekeeper, directory, commands, alerts.backtests, expressions)
    app.add_route(f"{rules}/preview", preview)
    app.add_route(f"{rules}/targets", AlertTargetList(gatekeeper, directory, targets))
    app.add_route(f"{rules}/targets/{{target}}", AlertTargetDetail(gatekeeper, targets))
    app.add_route(f"{rules}/targets/{{target}}/test", AlertTargetTest(gatekeeper, targets))
    app.add_route(rule, AlertRuleDetail(gatekeeper, directory, commands, watches, expressions))
    app.add_route(f"{rule}/firings", AlertFirings(gatekeeper, directory))
    app.add_route(f"{rule}/firings/{{firing}}/acknowledge", AlertAcknowledgement(gatekeeper, commands))


def _route_goals(app: App, services: Services) -> None:
    gatekeeper, commands, reports = services.gatekeeper, services.commands, services.reports
    app.add_route(f"{_SITE}/goals/preview", GoalPreview(reports))
    app.add_route(f"{_SITE}/goals/{{goal}}", GoalDetail(gatekeeper, commands))
    app.add_route(f"{_SITE}/property-currency", PropertyCurrency(gatekeeper, commands))
    app.add_route(f"{_SITE}/funnels", Funnels(gatekeeper, reports.directory, commands))
    app.add_route(f"{_SITE}/funnels/preview", FunnelPreview(reports))
    app.add_route(f"{_SITE}/changes", ChangesOfAnswers(reports))
    app.add_route(f"{_SITE}/goals/{{goal}}/what-if", GoalWhatIf(reports))
    app.add_route(f"{_SITE}/funnels/{{funnel}}/what-if", FunnelWhatIf(reports))
    for name, setting in _EXCLUSIONS.items():
        if setting in TRIED:
            app.add_route(f"{_SITE}/{name}/what-if", ExclusionWhatIf(reports, setting))


def _route_segments(app: App, services: Services) -> None:
    parts = (services.gatekeeper, services.directory, services.commands, services.reports.expressions)
    app.add_route(f"{_SITE}/segments", SegmentList(*parts))
    app.add_route(f"{_SITE}/segments/{{segment}}", SegmentDetail(*parts))


def _route_exclusions(app: App, services: Services) -> None:
    commands, rules = services.commands.exclusions, f"{_SITE}/exclusions"
    parts = (services.gatekeeper, commands, services.reports.expressions)
    app.add_route(rules, ExclusionRules(*parts))
    app.add_route(f"{rules}/what-if", ExclusionRuleWhatIf(services.reports))
    app.add_route(f"{rules}/{{rule}}", ExclusionRuleDetail(*parts))


def _route_page_groups(app: App, services: Services) -> None:
    groups, commands = f"{_SITE}/page-groups", services.commands.page_groups
    app.add_route(groups, PageGroupRules(services.gatekeeper, commands))
    app.add_route(f"{groups}/what-if", PageGroupsWhatIf(services.reports))


def _route_reports(app: App, services: Services) -> None:
    reports, commands = services.reports, (services.gatekeeper, services.commands)
    # Reports whose addresses take decisions, too.
    resources = {"goals": Goals, "funnels/{funnel}": FunnelDetail}
    for address, report in REPORTS.items():
        if address in resources:
            resource = resources[address](reports, report, *commands)
        else:
            resource = ENDPOINTS[report.access](reports, report)
        app.add_route(f"{_SITE}/{address}", resource)
    app.add_route(f"{_SITE}/sessions/{{session}}", SessionDetail(reports))


def _route_errors(app: App, services: Services) -> None:
    reports = services.reports
    resolutions = ErrorResolutions(services.commands.error_groups, reports.present.errors, reports.freshness)
    app.add_route(f"{_SITE}/errors/resolve", ErrorResolution(services.gatekeeper, resolutions))
    _route_error_groups(app, services)
    source_maps = SourceMapList(services.gatekeeper, services.source_maps, services.source_map_uploads)
    app.add_route(f"{_SITE}/source-maps", source_maps)


def _route_error_groups(app: App, services: Services) -> None:
    gatekeeper, reports, group = services.gatekeeper, services.reports, f"{_SITE}/errors/{{group}}"
    known_groups = KnownErrorGroups(
        services.commands.error_groups, reports.present.error_groups, reports.freshness
    )
    app.add_route(group, ErrorGroup(reports, services.source_stacks))
    app.add_route(f"{group}/state", ErrorGroupState(gatekeeper, known_groups))
    app.add_route(f"{group}/assignee", ErrorGroupAssignee(gatekeeper, known_groups))
    app.add_route(f"{group}/merge", ErrorGroupMerge(gatekeeper, known_groups))
    app.add_route(f"{group}/separate", ErrorGroupSeparation(gatekeeper, known_groups))
    app.add_route(f"{group}/comments", ErrorGroupComments(gatekeeper, known_groups))
    app.add_route(f"{group}/comments/{{comment}}", ErrorGroupComment(gatekeeper, known_groups))
