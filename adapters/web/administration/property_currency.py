"""The form that marks a property of events as money."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage, error_sentences
from footfall.adapters.web.reports.panels.inquiries import property_of
from footfall.adapters.web.reports.report_request import ReportAccess
from footfall.adapters.web.reports.site_page import PanelPage
from footfall.adapters.web.session.forms import FormResource
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import Invalid


@frozen
class PropertyCurrencyForm(FormResource, DashboardPage):
    """POST /sites/<site_id>/property-currency; the property is in the address, as on its page."""

    page_of_form = "/sites/{site}/panels/property"
    access_post = Access.MEMBER

    _reports: ReportAccess
    _panels: PanelPage

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Set the currency of a property, or remove it, and show the property."""
        form = await self._access.form(req)
        request = await self._reports.authorize(self.access_post, req, site, None)
        event, key = property_of(req.params)
        entered = form.text("currency")
        site_id, currency = request.record.site.site_id, entered.upper() or None
        try:
            await self._services.commands.sites.set_currency(site_id, event, key, currency, form.context)
        except Invalid as refusal:
            errors = [
                *refusal.field_errors.get("currency", []),
                *error_sentences(refusal, besides="currency"),
            ]
            values = {"entered": entered, "field_errors": {"currency": errors}}
            await self._panels.show(req, resp, request, "property", status=falcon.HTTP_400, **values)
            return
        raise falcon.HTTPSeeOther(request.view.address("/panels/property", event=event, key=key))
