"""Adds the pages of the dashboard to the application."""

import falcon.asgi
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
from footfall.adapters.web.administration.accounts.single_sign_on import (
    CALLBACK,
    IdentityLink,
    IdentityRemoval,
    ProofCookies,
    SingleSignOn,
    SingleSignOnCallback,
)
from footfall.adapters.web.administration.accounts.unsubscribing import UnsubscribePage
from footfall.adapters.web.administration.alerts.pages import (
    AlertPage,
    AlertPreviewPanel,
    AlertsPage,
    AlertTargetsForm,
)
from footfall.adapters.web.administration.annotations import AnnotationsPage
from footfall.adapters.web.administration.exclusion_rules import ExclusionRuleForm, ExclusionRulesPage
from footfall.adapters.web.administration.funnels import FunnelPage, FunnelsPage
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
)
from footfall.adapters.web.administration.sites import SitesFile, SitesPage
from footfall.adapters.web.administration.source_maps import SourceMapDeletion, SourceMapsPage
from footfall.adapters.web.administration.user_secrets import UserSecretForm
from footfall.adapters.web.administration.visitors import (
    CertificateFile,
    PrivacyPage,
    VisitorErasureForm,
    VisitorFile,
    VisitorsPage,
)
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
from footfall.adapters.web.services import Dashboard
from footfall.adapters.web.session.access import PageAccess
from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.page_languages import PageLanguages
from footfall.adapters.web.session.refused_forms import RefusedForms
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.language_choice import LanguageChoice
from footfall.application.reports.live import LiveReader

App = falcon.asgi.App[Request, Response]
# What all pages have.
Parts = tuple[PageRenderer, PageAccess, Dashboard]


def add_dashboard(app: App, services: Dashboard) -> None:
    """Add the pages to an application."""
    cookies, assets = SignInCookies(services.secret, origin=services.origin), Assets()
    access = PageAccess(
        services.gatekeeper, services.directory, cookies, services.sign_in_tracker, services.clock
    )
    refused = RefusedForms(services.sealing, cookies)
    languages = PageLanguages(LanguageChoice(services.languages, services.directory), cookies)
    sources = services.location_source, services.network_source
    parts = PageRenderer(assets, access, refused, languages, *sources), access, services
    app.add_route("/assets/{digest}/{name}", assets)
    app.add_route("/embed.js", EmbedScript(assets))
    _add_sign_in(app, parts, cookies)
    once = ShownOnce(services.sealing, cookies)
    _add_account_pages(app, parts, once)
    _add_site_pages(app, parts, once)
    _add_reports(app, parts)
    app.add_sink(NotFoundPage(parts[0]).answer)


def _add_sign_in(app: App, parts: Parts, cookies: SignInCookies) -> None:
    services, steps = parts[-1], (*parts, cookies)
    app.add_route("/", HomePage())
    app.add_route("/sign-in", SignInPage(*steps))
    app.add_route("/sign-in/{user}/{token}", SignInLink(*steps))
    app.add_route("/share/{site}/{key}/password", LinkPasswordPage(*steps))
    app.add_route("/sign-in/mail", MailLinkRequest(*steps))
    app.add_route("/sign-in/mail/{token}", MailSignIn(*steps))
    proofs = ProofCookies(services.secret, cookies)
    app.add_route("/sign-in/oidc", SingleSignOn(*steps, proofs))
    app.add_route(CALLBACK, SingleSignOnCallback(*steps, proofs))
    app.add_route("/account/identities/link", IdentityLink(*steps, proofs))
    app.add_route("/sign-in/passkey", PasskeySignInPage(*steps))
    app.add_route("/sign-in/passkey/options", PasskeySignInOptions(*steps))
    app.add_route("/account/address", AddressVerification(*parts))
    app.add_route("/account/address/{token}", AddressConfirmation(*steps))
    app.add_route("/unsubscribe/{kind}/{digest}/{token}", UnsubscribePage(*parts))
    app.add_route("/reports/confirmation/{site:int}/{token}", QuestionPage(*parts))
    app.add_route("/reports/end/{site:int}/{recipient:int}/{token}", RecipientEnd(*parts))
    app.add_route("/invitations/{organization}/{token}", InvitationPage(*steps))
    app.add_route("/sign-out", SignOut(*steps))


def _add_account_pages(app: App, parts: Parts, once: ShownOnce) -> None:
    account = AccountPage(*parts, once)
    app.add_route("/account", account)
    app.add_route("/account/identities/{identity}/removal", IdentityRemoval(*parts))
    app.add_route("/account/passkeys", PasskeyRegistration(*parts, account))
    app.add_route("/account/passkeys/options", PasskeyRegistrationOptions(*parts))
    app.add_route("/account/passkeys/{passkey}/removal", PasskeyRemoval(*parts))
    app.add_route("/account/profile", Profile(*parts, account))
    app.add_route("/account/language", LanguageForm(*parts))
    app.add_route("/account/sign-ins/{handle}/end", SignInEnd(*parts))
    app.add_route("/account/keys/{key:int}/revocation", KeyRevocation(*parts))
    app.add_route("/account/mail-reports", MailReportsPage(*parts))
    app.add_route("/account/mail-reports/end", MailReportEnd(*parts))
    app.add_route("/account/mail-reports/alerts", AlertMails(*parts))
    app.add_route("/account/mail-reports/preview", MailReportPreview(*parts))
    app.add_route("/organizations/{organization}", MembersPage(*parts, once))
    app.add_route("/organizations/{organization}/departure", DeparturePage(*parts))
    app.add_route(RECIPIENTS, RecipientsPage(*parts))
    app.add_route(f"{RECIPIENTS}/removal", RecipientRemoval(*parts))
    app.add_route("/sites", SitesPage(*parts))
    app.add_route("/organizations/{organization}/sites/{file_type}", SitesFile(*parts))


def _add_site_pages(app: App, parts: Parts, once: ShownOnce) -> None:
    path = "/sites/{site}"
    app.add_route(f"{path}/exclusions", ExclusionRulesPage(*parts))
    app.add_route(f"{path}/exclusions/{{rule:int}}", ExclusionRuleForm(*parts))
    app.add_route(f"{path}/page-groups", PageGroupsPage(*parts))
    settings = SiteSettings(*parts, once)
    app.add_route(f"{path}/settings", settings)
    app.add_route(f"{path}/settings/{{section}}", SettingsSection(*parts, settings))
    app.add_route(f"{path}/privacy", PrivacyPage(*parts))
    app.add_route(f"{path}/visitors", VisitorsPage(*parts))
    app.add_route(f"{path}/visitors/data", VisitorFile(*parts))
    app.add_route(f"{path}/visitors/erasure", VisitorErasureForm(*parts))
    app.add_route(f"{path}/visitors/{{erasure}}", CertificateFile(*parts))
    app.add_route(f"{path}/links", SharedLinksPage(*parts))
    app.add_route(f"{path}/links/{{link:int}}", SharedLinkPage(*parts))
    app.add_route(f"{path}/user-secret", UserSecretForm(*parts, once))
    app.add_route(f"{path}/source-maps", SourceMapsPage(*parts))
    app.add_route(f"{path}/source-maps/deletion", SourceMapDeletion(*parts))
    app.add_route(f"{path}/annotations", AnnotationsPage(*parts))
    alerts = AlertsPage(*parts, once)
    app.add_route(f"{path}/alerts", alerts)
    app.add_route(f"{path}/alerts/{{alert:int}}", AlertPage(*parts))
    app.add_route(f"{path}/alert-preview", AlertPreviewPanel(*parts))
    app.add_route(f"{path}/alert-targets", AlertTargetsForm(*parts, alerts))
    app.add_route(f"{path}/goals", GoalsPage(*parts))
    app.add_route(f"{path}/goals/{{goal:int}}", GoalPage(*parts))
    app.add_route(f"{path}/goal-preview", GoalPreviewPanel(*parts))
    app.add_route(f"{path}/funnels", FunnelsPage(*parts))
    app.add_route(f"{path}/funnels/{{funnel:int}}", FunnelPage(*parts))
    app.add_route(f"{path}/install", Install(*parts))
    app.add_route(f"{path}/history", AuditLog(*parts))
    app.add_route(f"{path}/ingestion", EventLog(*parts))
    app.add_route(f"{path}/first-event", FirstEvent(*parts))


def _add_reports(app: App, parts: Parts) -> None:
    renderer, access, services = parts
    report_access = ReportAccess(access, services)
    of_reports = renderer, report_access, services
    panels, group = PanelPage(*of_reports), ErrorGroupPage(*of_reports)
    app.add_route("/sites/{site}/property-currency", PropertyCurrencyForm(*parts, report_access, panels))
    app.add_route("/sites/{site}/values/properties", PropertyProposals(*of_reports))
    app.add_route("/sites/{site}/segments", SegmentsPage(*parts, report_access))
    app.add_route("/sites/{site}/segments/{segment:int}", SegmentPage(*parts, report_access))
    app.add_route("/sites/{site}/segments/{segment:int}/deletion", SegmentDeletion(*parts))
    app.add_route("/sites/{site}/sessions", SessionsPage(*of_reports))
    app.add_route("/sites/{site}/sessions/{session}", SessionPage(*of_reports))
    live = LivePage(*of_reports, LiveReader(services.reports.live, services.freshness, services.clock))
    for path in ("/sites/{site}", "/share/{site}/{key}"):
        app.add_route(path, SitePage(*of_reports))
        app.add_route(f"{path}/panels/{{panel}}", panels)
        app.add_route(f"{path}/panels/{{panel}}/{{file_type}}", PanelFile(*of_reports))
        app.add_route(f"{path}/live", live)
        app.add_route(f"{path}/changes", ExplanationPage(*of_reports))
        app.add_route(f"{path}/values", FilterValues(*of_reports))
        app.add_route(f"{path}/values/meant", MeantFilter(*of_reports))
        app.add_route(f"{path}/online", OnlineVisitors(*of_reports))
        app.add_route(f"{path}/errors", ErrorGroupsPage(*of_reports))
        app.add_route(f"{path}/errors/{{group}}", group)
        app.add_route(f"{path}/errors/costs", ErrorCostsPage(*of_reports))
        app.add_route(f"{path}/bots", BotsPage(*of_reports))
        app.add_route(f"{path}/journeys", JourneysPage(*of_reports))
        app.add_route(f"{path}/retention", CohortsPage(*of_reports))
        app.add_route(f"{path}/revenue", RevenuePage(*of_reports))
    app.add_route("/sites/{site}/errors/{group}/{action}", ErrorGroupForm(*parts, group))
