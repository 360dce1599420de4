"""The form that marks a property of events as money."""

from urllib.parse import urlencode

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import PageRenderer, page
from footfall.adapters.web.session.access import PageAccess
from footfall.application.access.authorization import Access
from footfall.application.commands.commands import Commands


@frozen
class PropertyCurrencyForm:
    """POST /sites/<site_id>/property-currency."""

    access_post = Access.MEMBER

    renderer: PageRenderer
    _access: PageAccess
    _commands: Commands

    @page
    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Set the currency of a property, or remove it, and show the property."""
        form = await self._access.form(req)
        record = await self._access.authorize_site(self.access_post, site, req)
        event, key, currency = form.raw("event"), form.raw("property"), form.text("currency").upper() or None
        context = await self._access.command_context(req)
        await self._commands.sites.set_currency(record.site.site_id, event, key, currency, context)
        query = urlencode({"event": event, "key": key})
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/panels/property?{query}")
