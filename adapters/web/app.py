"""Adds the dashboard to the application: which resource shows which page."""

from collections.abc import Callable

import falcon.asgi
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.account import Account, KeyRevocation
from footfall.adapters.web.assets import Assets
from footfall.adapters.web.door import Door
from footfall.adapters.web.errors import ErrorResolution
from footfall.adapters.web.goals import GoalPage, Goals
from footfall.adapters.web.insights import FirstEvent, GoalPreview, Ledger
from footfall.adapters.web.organizations import Members, Sites
from footfall.adapters.web.pages import Nowhere, Pages
from footfall.adapters.web.panels import PanelContents, Reports
from footfall.adapters.web.settings import SettingsSection, SiteSettings
from footfall.adapters.web.sign_in import FirstPage, SignInLink, SignInPage, SignOut
from footfall.adapters.web.signing import Signer
from footfall.adapters.web.site_page import Entrance, Online, PanelPage, SitePage
from footfall.adapters.web.site_pages import Install, SiteHistory
from footfall.application.access import Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory
from footfall.application.error_resolution import ErrorResolutions
from footfall.application.history import History
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Clock

App = falcon.asgi.App[Request, Response]


@frozen(kw_only=True)
class Dashboard:
    """What the dashboard drives; `client_address` finds the visitor behind trusted proxies."""

    gatekeeper: Gatekeeper
    directory: Directory
    commands: Commands
    history: History
    reports: Reports
    outcomes: Outcomes
    clock: Clock
    client_address: Callable[[Request], str]
    secret: bytes = field(repr=False)


def add_dashboard(app: App, dashboard: Dashboard) -> None:
    """Add the pages to an application."""
    signer, assets = Signer(dashboard.secret), Assets()
    door = Door(dashboard.gatekeeper, dashboard.directory, signer)
    pages = Pages(assets, door)
    app.add_route("/assets/{digest}/{name}", assets)
    _add_sign_in(app, dashboard, pages, door, signer)
    _add_site_pages(app, dashboard, pages, door)
    _add_numbers(app, dashboard, pages, door)
    app.add_sink(Nowhere(pages).answer)


def _add_sign_in(app: App, dashboard: Dashboard, pages: Pages, door: Door, signer: Signer) -> None:
    directory, commands = dashboard.directory, dashboard.commands
    app.add_route("/", FirstPage())
    app.add_route("/sign-in", SignInPage(pages, signer, directory, commands))
    app.add_route("/sign-in/{user}/{token}", SignInLink(pages, signer, commands))
    app.add_route("/sign-out", SignOut(pages, door, signer, commands))
    app.add_route("/account", Account(pages, door, directory, commands))
    app.add_route("/account/keys/{key:int}/revocation", KeyRevocation(pages, door, commands))
    app.add_route("/organizations/{organization}", Members(pages, door, directory, commands))


def _add_site_pages(app: App, dashboard: Dashboard, pages: Pages, door: Door) -> None:
    directory, commands = dashboard.directory, dashboard.commands
    settings = SiteSettings(pages, door, dashboard.reports, dashboard.clock, dashboard.client_address)
    app.add_route("/sites", Sites(pages, door, directory, commands))
    app.add_route("/sites/{site}/settings", settings)
    app.add_route("/sites/{site}/settings/{section}", SettingsSection(settings, pages, door, commands))
    app.add_route("/sites/{site}/install", Install(pages, door))
    app.add_route("/sites/{site}/history", SiteHistory(pages, door, dashboard.history))
    app.add_route("/sites/{site}/goals", Goals(pages, door, directory, commands))
    app.add_route("/sites/{site}/goals/{goal:int}", GoalPage(pages, door, directory, commands))


def _add_numbers(app: App, dashboard: Dashboard, pages: Pages, door: Door) -> None:
    reports, clock = dashboard.reports, dashboard.clock
    entrance, contents = Entrance(door, clock), PanelContents(reports, dashboard.directory)
    site_page, panel = SitePage(pages, entrance, reports, clock), PanelPage(pages, entrance, contents)
    online = Online(pages, entrance, reports, clock)
    for way in ("/sites/{site}", "/share/{site}/{key}"):
        app.add_route(way, site_page)
        app.add_route(f"{way}/panels/{{panel}}", panel)
        app.add_route(f"{way}/online", online)
    resolutions = ErrorResolutions(dashboard.commands, reports.errors, reports.freshness)
    app.add_route("/sites/{site}/errors/resolution", ErrorResolution(pages, door, resolutions, clock))
    app.add_route("/sites/{site}/ingestion", Ledger(pages, door, dashboard.outcomes, clock))
    app.add_route("/sites/{site}/first-event", FirstEvent(pages, door, reports))
    app.add_route("/sites/{site}/goal-preview", GoalPreview(pages, door, reports, clock))
