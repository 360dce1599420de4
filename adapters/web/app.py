"""Adds the pages of the dashboard to the application."""

from collections.abc import Callable

import falcon.asgi
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.account import (
    AccountPage,
    KeyRevocation,
    LanguageForm,
    Profile,
    SignInEnd,
)
from footfall.adapters.web.administration.accounts.invitations import InvitationPage
from footfall.adapters.web.administration.accounts.link_password import LinkPasswordPage
from footfall.adapters.web.administration.accounts.mail_links import (
    AddressConfirmation,
    AddressVerification,
    MailLinkRequest,
    MailSignIn,
)
from footfall.adapters.web.administration.accounts.mail_reports import (
    AlertMails,
    MailReportEnd,
    MailReportPreview,
    MailReportsPage,
)
from footfall.adapters.web.administration.accounts.members import DeparturePage, MembersPage
from footfall.adapters.web.administration.accounts.passkeys import (
    PasskeyRegistration,
    PasskeyRegistrationOptions,
    PasskeyRemoval,
    PasskeySignInOptions,
    PasskeySignInPage,
)
from footfall.adapters.web.administration.accounts.report_recipients import (
    RECIPIENTS,
    QuestionPage,
    RecipientEnd,
    RecipientRemoval,
    RecipientsPage,
)
from footfall.adapters.web.administration.accounts.sign_in import HomePage, SignInLink, SignInPage, SignOut
from footfall.adapters.web.administration.accounts.sign_in_view import SignInView
from footfall.adapters.web.administration.accounts.single_sign_on import (
    CALLBACK,
    IdentityLink,
    IdentityRemoval,
    ProofCookies,
    SingleSignOn,
    SingleSignOnCallback,
)
from footfall.adapters.web.administration.accounts.unsubscribing import UnsubscribePage
from footfall.adapters.web.administration.alerts.forms import AlertForms
from footfall.adapters.web.administration.alerts.pages import (
    AlertPage,
    AlertPreviewPanel,
    AlertsPage,
    AlertTargetsForm,
)
from footfall.adapters.web.administration.annotations import AnnotationsPage
from footfall.adapters.web.administration.change_preview import WhatIfs
from footfall.adapters.web.administration.exclusion_rules import ExclusionRuleForm, ExclusionRulesPage
from footfall.adapters.web.administration.funnels import FunnelForms, FunnelPage, FunnelsPage
from footfall.adapters.web.administration.goals import GoalPage, GoalsPage
from footfall.adapters.web.administration.page_groups import PageGroupsPage
from footfall.adapters.web.administration.property_currency import PropertyCurrencyForm
from footfall.adapters.web.administration.settings import SettingsSection, SiteSettings
from footfall.adapters.web.administration.shared_links import SharedLinkPage, SharedLinksPage
from footfall.adapters.web.administration.site_setup import (
    AuditLog,
    EventLog,
    FirstEvent,
    GoalPreviewPanel,
    Install,
    TrackingSnippet,
)
from footfall.adapters.web.administration.sites import SitesFile, SitesPage
from footfall.adapters.web.administration.source_maps import add_source_map_pages
from footfall.adapters.web.administration.user_secrets import UserSecretForm
from footfall.adapters.web.administration.visitors import add_privacy_pages
from footfall.adapters.web.assets import Assets, EmbedScript
from footfall.adapters.web.rendering import NotFoundPage, PageRenderer
from footfall.adapters.web.reports.bots import BotsPage
from footfall.adapters.web.reports.cohorts import CohortsPage
from footfall.adapters.web.reports.error_groups import (
    ErrorCostsPage,
    ErrorGroupForm,
    ErrorGroupPage,
    ErrorGroupsPage,
)
from footfall.adapters.web.reports.explanation.explanation_page import ExplanationPage
from footfall.adapters.web.reports.filters.filter_values import FilterValues, MeantFilter, PropertyProposals
from footfall.adapters.web.reports.journeys.page import JourneysPage
from footfall.adapters.web.reports.live import LivePage
from footfall.adapters.web.reports.panels.files import PanelFile
from footfall.adapters.web.reports.report_request import ReportAccess
from footfall.adapters.web.reports.revenue import RevenuePage
from footfall.adapters.web.reports.segments.segment import SegmentPage
from footfall.adapters.web.reports.segments.segments import SegmentDeletion, SegmentsPage
from footfall.adapters.web.reports.sessions.pages import SessionPage, SessionsPage
from footfall.adapters.web.reports.site_page import OnlineVisitors, PanelPage, SitePage
from footfall.adapters.web.session.access import PageAccess
from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.page_languages import PageLanguages
from footfall.adapters.web.session.refused_forms import RefusedForms
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.reader_languages import ReaderLanguages
from footfall.application.citations.answer_states import Answers
from footfall.application.commands.known_error_groups import KnownErrorGroups
from footfall.application.languages.language import Languages
from footfall.application.notifications.mail_reports import MailReports
from footfall.application.notifications.mailer import Mailer
from footfall.application.ports.enrichment import LocationSource
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.ports.system import Sealing
from footfall.application.report_recipients.recipients import ReportRecipients
from footfall.application.reports.live import LiveReader
from footfall.application.services import SharedServices
from footfall.application.sign_in.ways import SignInWays
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.filters import ExpressionCompiler

App = falcon.asgi.App[Request, Response]


@frozen(kw_only=True)
class Dashboard(SharedServices):
    """The services that the pages call; `client_address` finds the visitor's address behind trusted proxies.

    `origin` is where users reach the service.
    """

    reports: ReportSet
    freshness: Freshness
    answers: Answers
    mailer: Mailer
    mail_reports: MailReports
    report_recipients: ReportRecipients
    sign_in_ways: SignInWays
    expressions: ExpressionCompiler
    compile_patterns: PatternCompiler
    sealing: Sealing
    client_address: Callable[[Request], str]
    location_source: Callable[[], LocationSource | None]
    network_source: Callable[[], LocationSource | None]
    languages: Languages
    origin: str
    secret: bytes = field(repr=False)
    snippet: TrackingSnippet = field(factory=TrackingSnippet)


def add_dashboard(app: App, dashboard: Dashboard) -> None:
    """Add the pages to an application."""
    cookies, assets = SignInCookies(dashboard.secret, origin=dashboard.origin), Assets()
    access = PageAccess(
        dashboard.gatekeeper, dashboard.directory, cookies, dashboard.sign_in_tracker, dashboard.clock
    )
    refused = RefusedForms(dashboard.sealing, cookies, origin=dashboard.origin)
    languages = PageLanguages(ReaderLanguages(dashboard.languages, dashboard.directory), cookies)
    sources = dashboard.location_source, dashboard.network_source
    renderer = PageRenderer(assets, access, refused, languages, *sources)
    app.add_route("/assets/{digest}/{name}", assets)
    app.add_route("/embed.js", EmbedScript(assets))
    _add_sign_in(app, dashboard, renderer, access, cookies)
    once = ShownOnce(dashboard.sealing, cookies, origin=dashboard.origin)
    _add_account_pages(app, dashboard, renderer, access, once)
    _add_site_pages(app, dashboard, renderer, access, once)
    _add_setup_pages(app, dashboard, renderer, access)
    _add_reports(app, dashboard, renderer, access)
    app.add_sink(NotFoundPage(renderer).answer)


def _add_sign_in(
    app: App, dashboard: Dashboard, renderer: PageRenderer, access: PageAccess, cookies: SignInCookies
) -> None:
    commands = dashboard.commands
    app.add_route("/", HomePage())
    links = dashboard.sign_in_ways.mail_links
    view = SignInView(renderer, dashboard.sign_in_ways, cookies, dashboard.client_address)
    app.add_route("/sign-in", SignInPage(view, access, cookies, commands))
    app.add_route("/sign-in/{user}/{token}", SignInLink(view, commands))
    app.add_route("/share/{site}/{key}/password", LinkPasswordPage(view, access, cookies))
    app.add_route("/sign-in/mail", MailLinkRequest(view))
    app.add_route("/sign-in/mail/{token}", MailSignIn(view))
    proofs = ProofCookies(dashboard.secret, origin=dashboard.origin)
    app.add_route("/sign-in/oidc", SingleSignOn(view, proofs))
    app.add_route(CALLBACK, SingleSignOnCallback(view, access, proofs))
    app.add_route("/account/identities/link", IdentityLink(view, access, proofs))
    app.add_route("/sign-in/passkey", PasskeySignInPage(view))
    app.add_route("/sign-in/passkey/options", PasskeySignInOptions(view))
    app.add_route("/account/address", AddressVerification(renderer, access, links))
    app.add_route("/account/address/{token}", AddressConfirmation(renderer, view, access))
    recipients = dashboard.report_recipients
    unsubscribe = UnsubscribePage(renderer, dashboard.mailer.unsubscribing, recipients)
    app.add_route("/unsubscribe/{kind}/{digest}/{token}", unsubscribe)
    app.add_route("/reports/confirmation/{site:int}/{token}", QuestionPage(renderer, recipients))
    app.add_route("/reports/end/{site:int}/{recipient:int}/{token}", RecipientEnd(renderer, recipients))
    invitation = InvitationPage(renderer, access, cookies, commands, dashboard.invitations, view.client)
    app.add_route("/invitations/{organization}/{token}", invitation)
    app.add_route("/sign-out", SignOut(renderer, access, cookies, commands, links))


def _add_account_pages(
    app: App, dashboard: Dashboard, renderer: PageRenderer, access: PageAccess, once: ShownOnce
) -> None:
    directory, commands = dashboard.directory, dashboard.commands
    ways, tracker = dashboard.sign_in_ways, dashboard.sign_in_tracker
    account = AccountPage(
        renderer, access, directory, commands, dashboard.api_keys, dashboard.mailer, tracker, ways, once
    )
    app.add_route("/account", account)
    passkeys, identities = ways.passkeys, ways.identities
    app.add_route("/account/identities/{identity}/removal", IdentityRemoval(renderer, access, identities))
    app.add_route("/account/passkeys", PasskeyRegistration(account, access, passkeys))
    app.add_route("/account/passkeys/options", PasskeyRegistrationOptions(renderer, access, passkeys))
    app.add_route("/account/passkeys/{passkey}/removal", PasskeyRemoval(renderer, access, passkeys))
    app.add_route("/account/profile", Profile(account, access, commands))
    app.add_route("/account/language", LanguageForm(renderer, access, commands))
    app.add_route("/account/sign-ins/{handle}/end", SignInEnd(renderer, access, commands))
    app.add_route("/account/keys/{key:int}/revocation", KeyRevocation(renderer, access, directory, commands))
    reports = MailReportsPage(renderer, access, directory, commands, dashboard.mailer, dashboard.mail_reports)
    app.add_route("/account/mail-reports", reports)
    app.add_route("/account/mail-reports/end", MailReportEnd(renderer, access, commands))
    alert_mails = AlertMails(renderer, access, commands, dashboard.mailer)
    app.add_route("/account/mail-reports/alerts", alert_mails)
    preview = MailReportPreview(renderer, access, dashboard.mail_reports, dashboard.mailer, dashboard.clock)
    app.add_route("/account/mail-reports/preview", preview)
    members = MembersPage(
        renderer, access, directory, commands, dashboard.people, dashboard.invitations, once
    )
    app.add_route("/organizations/{organization}", members)
    departure = DeparturePage(renderer, access, directory, commands)
    app.add_route("/organizations/{organization}/departure", departure)
    recipients = dashboard.report_recipients
    app.add_route(RECIPIENTS, RecipientsPage(renderer, access, directory, dashboard.people, recipients))
    app.add_route(f"{RECIPIENTS}/removal", RecipientRemoval(renderer, access, directory, recipients))
    app.add_route("/sites", SitesPage(renderer, access, commands, directory, dashboard.all_sites))
    sites_file = SitesFile(renderer, access, directory, dashboard.all_sites)
    app.add_route("/organizations/{organization}/sites/{file_type}", sites_file)


def _add_site_pages(
    app: App, dashboard: Dashboard, renderer: PageRenderer, access: PageAccess, once: ShownOnce
) -> None:
    directory, commands, reports = dashboard.directory, dashboard.commands, dashboard.reports
    clock, expressions, links = dashboard.clock, dashboard.expressions, dashboard.link_keys
    what_ifs = WhatIfs(
        directory=directory,
        answers=dashboard.answers,
        clock=dashboard.clock,
        expressions=dashboard.expressions,
        compile_patterns=dashboard.compile_patterns,
    )
    exclusion_rules = ExclusionRulesPage(
        renderer, access, commands.exclusions, what_ifs, dashboard.answers, expressions, clock
    )
    app.add_route("/sites/{site}/exclusions", exclusion_rules)
    rule_form = ExclusionRuleForm(renderer, access, commands.exclusions)
    app.add_route("/sites/{site}/exclusions/{rule:int}", rule_form)
    page_groups = PageGroupsPage(renderer, access, commands.page_groups, what_ifs)
    app.add_route("/sites/{site}/page-groups", page_groups)
    settings = SiteSettings(
        renderer,
        access,
        reports,
        dashboard.clock,
        dashboard.client_address,
        dashboard.locates,
        what_ifs,
        links,
        dashboard.source_maps,
        once,
    )
    app.add_route("/sites/{site}/settings", settings)
    section = SettingsSection(settings, renderer, access, commands, links)
    app.add_route("/sites/{site}/settings/{section}", section)
    add_privacy_pages(app, renderer, access, directory, dashboard.locates, dashboard.visitors)
    parts = (renderer, access, commands.links, links, dashboard.link_tracker, dashboard.clock)
    app.add_route("/sites/{site}/links", SharedLinksPage(*parts))
    app.add_route("/sites/{site}/links/{link:int}", SharedLinkPage(*parts))
    secrets = UserSecretForm(renderer, access, commands, dashboard.user_secrets, once)
    app.add_route("/sites/{site}/user-secret", secrets)
    add_source_map_pages(app, renderer, access, dashboard.source_maps, dashboard.source_map_uploads)
    annotations = AnnotationsPage(renderer, access, directory, commands.annotations, dashboard.clock)
    app.add_route("/sites/{site}/annotations", annotations)
    rules = AlertForms(
        alerts=dashboard.alerts,
        commands=commands.alerts,
        directory=directory,
        expressions=dashboard.expressions,
        answers=dashboard.answers,
        clock=dashboard.clock,
    )
    alerts = AlertsPage(renderer, access, directory, rules, once)
    app.add_route("/sites/{site}/alerts", alerts)
    app.add_route("/sites/{site}/alerts/{alert:int}", AlertPage(renderer, access, directory, rules))
    app.add_route("/sites/{site}/alert-preview", AlertPreviewPanel(renderer, access, rules))
    app.add_route("/sites/{site}/alert-targets", AlertTargetsForm(renderer, access, alerts, rules))
    app.add_route("/sites/{site}/goals", GoalsPage(renderer, access, directory, commands, reports.goals))
    app.add_route("/sites/{site}/goals/{goal:int}", GoalPage(renderer, access, directory, commands, what_ifs))
    forms = FunnelForms(directory, reports.funnels, dashboard.freshness, clock, expressions)
    app.add_route("/sites/{site}/funnels", FunnelsPage(renderer, access, forms, commands))
    funnel = FunnelPage(renderer, access, forms, commands, what_ifs)
    app.add_route("/sites/{site}/funnels/{funnel:int}", funnel)


def _add_setup_pages(app: App, dashboard: Dashboard, renderer: PageRenderer, access: PageAccess) -> None:
    reports, clock = dashboard.reports, dashboard.clock
    install = Install(renderer, access, dashboard.snippet, dashboard.own_visits, dashboard.outcomes, clock)
    app.add_route("/sites/{site}/install", install)
    app.add_route("/sites/{site}/history", AuditLog(renderer, access, dashboard.history, dashboard.people))
    app.add_route("/sites/{site}/ingestion", EventLog(renderer, access, dashboard.outcomes, clock))
    first_event = FirstEvent(renderer, access, reports, dashboard.outcomes, clock)
    app.add_route("/sites/{site}/first-event", first_event)
    preview = GoalPreviewPanel(renderer, access, dashboard.answers, clock, dashboard.expressions)
    app.add_route("/sites/{site}/goal-preview", preview)


def _add_reports(app: App, dashboard: Dashboard, renderer: PageRenderer, access: PageAccess) -> None:
    reports, clock = dashboard.reports, dashboard.clock
    answers, directory, people = dashboard.answers, dashboard.directory, dashboard.people
    report_access = ReportAccess(access, directory, answers, clock, dashboard.expressions, reports.traffic)
    explanation = ExplanationPage(renderer, report_access, answers, directory, people, clock)
    live_reader = LiveReader(reports.live, dashboard.freshness, clock)
    panels, files = PanelPage(renderer, report_access), PanelFile(renderer, report_access)
    currency = PropertyCurrencyForm(renderer, access, report_access, panels, dashboard.commands)
    app.add_route("/sites/{site}/property-currency", currency)
    app.add_route("/sites/{site}/values/properties", PropertyProposals(renderer, report_access))
    segments = SegmentsPage(renderer, access, report_access, directory, dashboard.commands)
    app.add_route("/sites/{site}/segments", segments)
    segment = SegmentPage(renderer, access, report_access, directory, dashboard.commands)
    app.add_route("/sites/{site}/segments/{segment:int}", segment)
    deletion = SegmentDeletion(renderer, access, dashboard.commands)
    app.add_route("/sites/{site}/segments/{segment:int}/deletion", deletion)
    app.add_route("/sites/{site}/sessions", SessionsPage(renderer, report_access))
    session_page = SessionPage(renderer, report_access, reports.sessions, dashboard.compile_patterns)
    app.add_route("/sites/{site}/sessions/{session}", session_page)
    group = ErrorGroupPage(renderer, report_access, directory, people, dashboard.source_stacks)
    for path in ("/sites/{site}", "/share/{site}/{key}"):
        app.add_route(path, SitePage(renderer, report_access, dashboard.origin))
        app.add_route(f"{path}/panels/{{panel}}", panels)
        app.add_route(f"{path}/panels/{{panel}}/{{file_type}}", files)
        app.add_route(f"{path}/live", LivePage(renderer, report_access, directory, live_reader))
        app.add_route(f"{path}/changes", explanation)
        app.add_route(f"{path}/values", FilterValues(renderer, report_access))
        app.add_route(f"{path}/values/meant", MeantFilter(renderer, report_access))
        app.add_route(f"{path}/online", OnlineVisitors(renderer, report_access, reports, clock))
        app.add_route(f"{path}/errors", ErrorGroupsPage(renderer, report_access))
        app.add_route(f"{path}/errors/{{group}}", group)
        app.add_route(f"{path}/errors/costs", ErrorCostsPage(renderer, report_access))
        app.add_route(f"{path}/bots", BotsPage(renderer, report_access))
        app.add_route(f"{path}/journeys", JourneysPage(renderer, report_access, dashboard.compile_patterns))
        app.add_route(f"{path}/retention", CohortsPage(renderer, report_access))
        app.add_route(f"{path}/revenue", RevenuePage(renderer, report_access))
    known = KnownErrorGroups(dashboard.commands.error_groups, reports.error_groups, dashboard.freshness)
    form = ErrorGroupForm(renderer, access, known, group, clock)
    app.add_route("/sites/{site}/errors/{group}/{action}", form)
