"""The settings of a site. Each section is a form of its own, so that two tabs do not undo each other."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.change_preview import ShownRefusals, WhatIfs
from footfall.adapters.web.places.place_names import country_code, country_names
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.view import REACHES
from footfall.adapters.web.session.access import SentForm
from footfall.adapters.web.session.forms import Confirmation, Form, FormResource, refusal_page
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.reports.what_if_query import exclusion
from footfall.domain.exceptions import AliasTaken, Invalid, TooManyAliases
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.configuration import SETTINGS, ConfigChanges, ListSetting, Setting
from footfall.domain.tracking.monthly_limit import month_of
from footfall.domain.traffic.exclusion_what_if import TRIED, Exclusion
from footfall.domain.traffic.report_query import ReportQuery

# The tracking options.
SWITCHES: Mapping[str, Setting] = MappingProxyType(
    {name: setting for name, setting in SETTINGS.items() if setting.hint}
)
# Field names of lists, the same in forms and in the HTTP interface.
LISTS: Mapping[ListSetting, str] = MappingProxyType(
    {setting: SETTINGS[setting].name for setting in ListSetting}
)
_PATTERNS = (ListSetting.EXCLUDED_PATHS, ListSetting.EXCLUDED_HOSTS, ListSetting.EXCLUDED_USER_AGENTS)
_SHARING: Mapping[str, ConfigChanges] = MappingProxyType(
    {
        "publish": ConfigChanges(public=True),
        "withdraw": ConfigChanges(public=False),
        "show_details": ConfigChanges(share_details=True),
        "hide_details": ConfigChanges(share_details=False),
        "show_visits": ConfigChanges(show_visits=True),
        "hide_visits": ConfigChanges(show_visits=False),
    }
)
# Question, consequence and button of the sharing actions that are confirmed.
_CONFIRMATIONS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "generate": (
            "Replace the private link?",
            "The current link and frames that use it stop working.",
            "Replace link",
        ),
        "revoke": (
            "Revoke the private link?",
            "The link and frames that use it stop working.",
            "Revoke link",
        ),
        "publish": (
            "Make the dashboard public?",
            "Anyone can view the dashboard of this site.",
            "Make public",
        ),
        "withdraw": (
            "Make the dashboard private?",
            "Public links and frames that use them stop working.",
            "Make private",
        ),
        "show_details": (
            "Show errors and sessions?",
            "Shared and public dashboards show them. Error messages and page paths may contain personal data.",
            "Show errors and sessions",
        ),
    }
)
# The source maps that are listed here; the page of all has the others.
LATEST_MAPS = Page(1, 10)
ClientAddress = Callable[[Request], str]
Section = Callable[[SiteRecord, SentForm], Awaitable[str]]


@frozen
class SiteSettings(DashboardPage):
    """GET /sites/<site_id>/settings."""

    access_get = Access.MEMBER

    _once: ShownOnce

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show all sections; with entries of a list of exclusions, what these would have refused."""
        record = await self._access.authorize_site(self.access_get, site, req)
        tried = None
        for setting in TRIED:
            if named := req.get_param(LISTS[setting]):
                dates = {name: req.get_param(name) or "" for name in ("start_date", "end_date")}
                entries = exclusion(setting, named.splitlines())
                tried = await WhatIfs(self._services).of_exclusion(record, entries, dates)
        issued = self._once.take(req, resp).get("secret")
        await self.render(req, resp, record, done=req.get_param("done"), tried=tried, issued=issued)

    async def render(
        self,
        req: Request,
        resp: Response,
        record: SiteRecord,
        *,
        form: Mapping[str, str] | None = None,
        done: str | None = None,
        tried: ShownRefusals | None = None,
        issued: str | None = None,
        **values: Any,
    ) -> None:
        """Show the settings; `form` has the fields of a refused form, `issued` is a new secret for signed users."""
        caller = await self._access.caller(req)
        role = self._access.role(caller, record.site.organization_id)
        await self.renderer.render(
            req,
            resp,
            "settings.html",
            record=record,
            link_key=self._services.link_keys.key_of(record.site),
            administers=role is not None and role.administers,
            switches=SWITCHES,
            reaches=REACHES,
            pageviews=await self._pageviews(record),
            zone=record.site.zone,
            maps=await self._services.source_maps.listed(record.site.site_id, LATEST_MAPS),
            address=self._services.client_address(req),
            locates=self._services.locates(),
            base_url=req.forwarded_prefix,
            form=form or {},
            countries=country_names(),
            done=done,
            tried=tried,
            issued=issued,
            **values,
        )

    async def _pageviews(self, record: SiteRecord) -> int:
        """Return the number of pageviews since the first of the month, UTC."""
        now = self._services.clock.now()
        period = Period.local_days(month_of(now), now.astimezone(UTC).date(), parse_zone("UTC"))
        traffic = self._services.reports.traffic
        return (await traffic.overview(record.site.site_id, ReportQuery(period))).pageviews


@frozen
class SettingsSection(ShowsRefusedForms, FormResource, DashboardPage):
    """POST /sites/<site_id>/settings/<section>."""

    page_of_form = "/sites/{site}/settings"
    access_post = Access.ADMIN

    _settings: SiteSettings
    _sections: Mapping[str, Section] = field(init=False)

    @_sections.default
    def _changes(self) -> Mapping[str, Section]:
        return {
            "details": self._details,
            "time-zone": self._time_zone,
            "tracking": self._tracking,
            "aliases": self._aliases,
            "lists": self._lists,
            "sharing": self._sharing,
            "deletion": self._deletion,
        }

    async def on_post(self, req: Request, resp: Response, site: str, section: str) -> None:
        """Change the settings of one section."""
        change = self._sections.get(section)
        if change is None:
            raise falcon.HTTPNotFound(title="Settings section not found")
        record, form = await self._access.form_for_site(self.access_post, site, req)
        try:
            address = await change(record, form)
        except (Invalid, AliasTaken, TooManyAliases) as refusal:
            await self._settings.render(
                req,
                resp,
                record,
                form=form.values,
                **refusal_page(refusal, section if isinstance(refusal, Invalid) else "alias"),
            )
            return
        raise falcon.HTTPSeeOther(address)

    async def _details(self, record: SiteRecord, form: SentForm) -> str:
        name, domain = (
            None if _is_unchanged(form, field) else form.text(field) for field in ("name", "domain")
        )
        await self._services.commands.sites.rename(
            record.site.site_id, name=name, domain=domain, context=form.context
        )
        return _section_address(record, "details")

    async def _time_zone(self, record: SiteRecord, form: SentForm) -> str:
        changes = ConfigChanges(time_zone=form.text("timeZone"))
        await self._services.commands.sites.configure(record.site.site_id, changes, form.context)
        return _section_address(record, "time-zone")

    async def _tracking(self, record: SiteRecord, form: SentForm) -> str:
        # Changes only the options that differ in this tab; another tab may have changed the others since.
        changed: dict[str, Any] = {
            name: form.is_checked(name)
            for name in SWITCHES
            if form.is_checked(name) != (form.text(f"was_{name}") == "on")
        }
        if (reach := form.text("visitorReach")) != form.text("was_visitorReach"):
            changed["visitor_reach"] = reach
        if changed:
            await self._services.commands.sites.configure(
                record.site.site_id, ConfigChanges(**changed), form.context
            )
        return _section_address(record, "tracking")

    async def _aliases(self, record: SiteRecord, form: SentForm) -> str:
        site_id, commands = record.site.site_id, self._services.commands.aliases
        if removed := form.text("remove"):
            await commands.remove(site_id, removed, form.context)
        else:
            await commands.add(site_id, form.text("alias"), form.context)
        return _section_address(record, "aliases")

    async def _lists(self, record: SiteRecord, form: SentForm) -> str:
        # Adds or removes single entries; another tab may have changed the list since this one was loaded.
        setting, site_id = _list_setting(form), record.site.site_id
        name = LISTS[setting]
        if removed := form.text("remove"):
            await self._services.commands.sites.remove_entry(site_id, setting, removed, form.context)
            return _section_address(record, setting.value)
        # A user agent holds commas.
        entries = form.entries(name) if setting not in _PATTERNS else tuple(filter(None, [form.text(name)]))
        if not entries:
            raise Invalid({name: ["must not be empty"]})
        if setting is ListSetting.EXCLUDED_COUNTRIES:
            entries = tuple(country_code(entry) or entry for entry in entries)
        if form.text("action") == "what-if":
            if setting not in TRIED:
                raise Invalid({name: ["cannot be tried without saving"]})
            return _what_if(record, exclusion(setting, entries), form)
        await self._services.commands.sites.add_entries(site_id, setting, entries, form.context)
        return _section_address(record, setting.value)

    async def _sharing(self, record: SiteRecord, form: SentForm) -> str:
        site_id, action = record.site.site_id, form.text("action")
        if confirmation := _sharing_confirmation(record, action):
            form.require_confirmation(confirmation)
        match action:
            case "generate":
                await self._services.link_keys.generate(site_id, form.context)
            case "revoke":
                await self._services.commands.sites.revoke_private_link(site_id, form.context)
            case _ if action in _SHARING:
                await self._services.commands.sites.configure(site_id, _SHARING[action], form.context)
            case _:
                raise Invalid({"action": [f"must be one of generate, revoke, {', '.join(_SHARING)}"]})
        return _section_address(record, "sharing")

    async def _deletion(self, record: SiteRecord, form: SentForm) -> str:
        if form.text("confirmation") != record.site.name:
            raise Invalid({"confirmation": [f"must be the name of the site: {record.site.name}"]})
        await self._services.commands.sites.delete(record.site.site_id, form.context)
        return "/sites?done=deleted"


def _is_unchanged(form: Form, name: str) -> bool:
    # Another tab may have changed the site since this one was loaded.
    return form.raw(name) == form.raw(f"was_{name}") and f"was_{name}" in form.values


def _list_setting(form: Form) -> ListSetting:
    try:
        return ListSetting(form.text("setting"))
    except ValueError:
        raise Invalid({"setting": [f"must be one of {', '.join(ListSetting)}"]}) from None


def _sharing_confirmation(record: SiteRecord, action: str) -> Confirmation | None:
    """Return the confirmation of an action that ends links or shows more to others; a first link needs none."""
    if action not in _CONFIRMATIONS or (action == "generate" and not record.site.private_link):
        return None
    question, consequence, button = _CONFIRMATIONS[action]
    cancel = f"/sites/{record.site.site_id}/settings#sharing"
    return Confirmation(question=question, consequence=consequence, button=button, cancel=cancel)


def _section_address(record: SiteRecord, section: str) -> str:
    return f"/sites/{record.site.site_id}/settings?done={section}#{section}"


def _what_if(record: SiteRecord, tried: Exclusion, form: Form) -> str:
    """Return the address of the settings that say what entries of a list would have refused."""
    dates = {name: form.text(name) for name in ("start_date", "end_date") if form.text(name)}
    query = urlencode({LISTS[tried.setting]: "\n".join(tried.entries), **dates})
    return f"/sites/{record.site.site_id}/settings?{query}#what-if"
