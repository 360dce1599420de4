"""The settings of a site: each section is a form of its own, so that two tabs do not undo each other."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC
from types import MappingProxyType
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.forms import Form
from footfall.adapters.web.pages import Pages, page
from footfall.adapters.web.panels import Reports
from footfall.application.access import Access
from footfall.application.commands import Cause, Commands
from footfall.application.directory import ListedSite
from footfall.application.ports import Clock
from footfall.domain.errors import Invalid
from footfall.domain.period import Period
from footfall.domain.quota import month_of
from footfall.domain.site import ConfigChanges, ListSetting
from footfall.domain.zone import parse_zone

# What each switch means to those who have never read about it.
SWITCHES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "block_bots": ("Refuse bots", "Crawlers, libraries and headless browsers are not counted."),
        "track_errors": ("JavaScript errors", "Keep exceptions that happen in visitors' browsers."),
        "web_vitals": ("Web vitals", "Measure how fast pages load and react for real visitors."),
        "track_outbound": ("Outbound links", "Count clicks that lead to other sites."),
        "track_url_params": ("Query strings", "Keep what follows the ? in addresses; campaign marks too."),
        "salt_user_ids": ("Forget visitors daily", "A new salt each day: nobody can be followed over days."),
        "session_replay": ("Session replay", "Only told to trackers; this service records no replays."),
    }
)
# What the fields of lists are called, in forms as in the HTTP interface.
LISTS: Mapping[ListSetting, str] = MappingProxyType(
    {
        ListSetting.EXCLUDED_IPS: "excludedIPs",
        ListSetting.EXCLUDED_COUNTRIES: "excludedCountries",
        ListSetting.EMBED_ORIGINS: "embedOrigins",
    }
)
ClientAddress = Callable[[Request], str]
Section = Callable[[ListedSite, Form, Cause], Awaitable[str]]


class SiteSettings:
    """GET /sites/<site_id>/settings."""

    access_get = Access.MEMBER

    def __init__(
        self, pages: Pages, door: Door, reports: Reports, clock: Clock, client_address: ClientAddress
    ) -> None:
        self.pages = pages
        self._door = door
        self._reports = reports
        self._clock = clock
        self._client_address = client_address

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show all sections."""
        listed = await self._door.site(self.access_get, site, req)
        await self.show(req, resp, listed, done=req.get_param("done"))

    async def show(
        self,
        req: Request,
        resp: Response,
        listed: ListedSite,
        *,
        form: Mapping[str, str] | None = None,
        done: str | None = None,
        **values: Any,
    ) -> None:
        """Show the settings; `form` is what was sent and refused."""
        caller = await self._door.caller(req)
        role = self._door.role(caller, listed.site.organization_id)
        await self.pages.show(
            req,
            resp,
            "settings.html",
            listed=listed,
            administers=role is not None and role.administers,
            switches=SWITCHES,
            pageviews=await self._pageviews(listed),
            address=self._client_address(req),
            base_url=req.forwarded_prefix,
            form=form or {},
            done=done,
            **values,
        )

    async def _pageviews(self, listed: ListedSite) -> int:
        """Return how many pageviews there have been since the first of the month, UTC."""
        now = self._clock.now()
        period = Period.local_days(month_of(now), now.astimezone(UTC).date(), parse_zone("UTC"))
        return (await self._reports.traffic.overview(listed.site.site_id, period)).pageviews


class SettingsSection:
    """POST /sites/<site_id>/settings/<section>; opened, it leads back to the settings."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    def __init__(self, settings: SiteSettings, pages: Pages, door: Door, commands: Commands) -> None:
        self.pages = pages
        self._settings = settings
        self._door = door
        self._commands = commands
        self._sections: dict[str, Section] = {
            "details": self._details,
            "tracking": self._tracking,
            "lists": self._lists,
            "sharing": self._sharing,
            "deletion": self._deletion,
        }

    @page
    async def on_get(self, req: Request, _resp: Response, site: str, section: str) -> None:  # noqa: ARG002 - of the route
        """Lead back: this is the address that a browser shows after a wrong entry."""
        listed = await self._door.site(self.access_get, site, req)
        raise falcon.HTTPSeeOther(f"/sites/{listed.site.site_id}/settings")

    @page
    async def on_post(self, req: Request, resp: Response, site: str, section: str) -> None:
        """Change what one section is about."""
        change = self._sections.get(section)
        if change is None:
            raise falcon.HTTPNotFound(title="There is no such section")
        form = await self._door.form(req)
        listed = await self._door.site(self.access_post, site, req)
        try:
            address = await change(listed, form, await self._door.cause(req))
        except Invalid as refusal:
            await self._settings.show(
                req, resp, listed, form=form.values, status=falcon.HTTP_400, faults=_faults(refusal, section)
            )
            return
        raise falcon.HTTPSeeOther(address)

    async def _details(self, listed: ListedSite, form: Form, cause: Cause) -> str:
        name, domain = (None if _untouched(form, one) else form.text(one) for one in ("name", "domain"))
        await self._commands.rename_site(listed.site.site_id, name=name, domain=domain, cause=cause)
        return _done(listed, "details")

    async def _tracking(self, listed: ListedSite, form: Form, cause: Cause) -> str:
        # Only what this tab changed: another tab may have changed the rest since.
        changed: dict[str, Any] = {
            name: form.ticked(name)
            for name in SWITCHES
            if form.ticked(name) != (form.text(f"was_{name}") == "on")
        }
        if changed:
            await self._commands.configure_site(listed.site.site_id, ConfigChanges(**changed), cause)
        return _done(listed, "tracking")

    async def _lists(self, listed: ListedSite, form: Form, cause: Cause) -> str:
        # Entry by entry: another tab may have added or removed others since this one was loaded.
        setting, site_id = _list_setting(form), listed.site.site_id
        name = LISTS[setting]
        if gone := form.text("remove"):
            await self._commands.remove_entry(site_id, setting, gone, cause)
            return _done(listed, setting.value)
        if not (entries := form.lines(name)):
            raise Invalid({name: ["must have an entry"]})
        await self._commands.add_entries(site_id, setting, entries, cause)
        return _done(listed, setting.value)

    async def _sharing(self, listed: ListedSite, form: Form, cause: Cause) -> str:
        site_id = listed.site.site_id
        match form.text("action"):
            case "generate":
                await self._commands.generate_private_link(site_id, cause)
            case "revoke":
                await self._commands.revoke_private_link(site_id, cause)
            case "publish" | "withdraw" as action:
                changes = ConfigChanges(public=action == "publish")
                await self._commands.configure_site(site_id, changes, cause)
            case _:
                raise Invalid({"action": ["must be one of generate, revoke, publish, withdraw"]})
        return _done(listed, "sharing")

    async def _deletion(self, listed: ListedSite, form: Form, cause: Cause) -> str:
        if form.text("confirmation") != listed.site.name:
            raise Invalid({"confirmation": [f"must be the name of the site: {listed.site.name}"]})
        await self._commands.delete_site(listed.site.site_id, cause)
        return "/sites?done=deleted"


def _untouched(form: Form, name: str) -> bool:
    # Another tab may have changed the site since this one was loaded.
    return form.raw(name) == form.raw(f"was_{name}") and f"was_{name}" in form.values


def _list_setting(form: Form) -> ListSetting:
    try:
        return ListSetting(form.text("setting"))
    except ValueError:
        raise Invalid({"setting": [f"must be one of {', '.join(ListSetting)}"]}) from None


def _done(listed: ListedSite, section: str) -> str:
    return f"/sites/{listed.site.site_id}/settings?done={section}#{section}"


def _faults(refusal: Invalid, section: str) -> dict[str, list[str]]:
    return {**refusal.faults, section: refusal.forms} if refusal.forms else dict(refusal.faults)
