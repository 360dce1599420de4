"""The list of sites, and the form that adds one."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import PageRenderer, page
from footfall.adapters.web.session.access import PageAccess
from footfall.adapters.web.session.forms import Form
from footfall.application.access.authorization import Access
from footfall.application.commands.commands import Commands
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.configuration import ConfigChanges


@frozen
class SitesPage:
    """GET /sites: the sites of the signed-in user; POST adds a site."""

    access_get = Access.USER
    access_post = Access.USER

    renderer: PageRenderer
    _access: PageAccess
    _commands: Commands

    @page
    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the sites by organization."""
        await self._access.caller(req)
        await self.renderer.render(req, resp, "sites.html", form={}, done=req.get_param("done"))

    @page
    async def on_post(self, req: Request, resp: Response) -> None:
        """Add a site and redirect to its tracking snippet."""
        form, context = await self._access.form(req), await self._access.command_context(req)
        organization_id = form.text("organization")
        await self._access.authorize_organization(Access.ADMIN, organization_id, req)
        try:
            site_id = await self._commands.sites.register(
                organization_id,
                name=form.text("name"),
                domain=form.text("domain"),
                created_by=context.actor.user_id or "",
                context=context,
                changes=_changes(form),
            )
        except Invalid as refusal:
            status, errors = falcon.HTTP_400, refusal.field_errors
            await self.renderer.render(
                req, resp, "sites.html", status=status, field_errors=errors, form=form.values, done=None
            )
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/install")


def _changes(form: Form) -> ConfigChanges | None:
    """Return the time zone of the browser, None for one that this machine does not know."""
    try:
        return ConfigChanges(time_zone=parse_zone(form.text("timeZone")).key)
    except Invalid:
        return None
