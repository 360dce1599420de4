"""The page on privacy of a site: what is stored of its visitors, and texts for those who have to say so."""

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage, page
from footfall.application.access.authorization import Access
from footfall.application.languages.language import tr
from footfall.domain.sites.privacy import (
    COUNTS_KEPT_DAYS,
    NEVER_STORED,
    kept,
    privacy_notice,
    processing_record,
    readers,
    stored_data,
)


@frozen
class PrivacyPage(DashboardPage):
    """GET /sites/<site_id>/privacy."""

    access_get = Access.VIEWER

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show what the site stores of its visitors with its present settings."""
        record = await self._access.authorize_site(self.access_get, site, req)
        organization = self._services.directory.organization_name(record.site.organization_id)
        locates = self._services.locates()
        await self.renderer.render(
            req,
            resp,
            "privacy.html",
            record=record,
            stored=stored_data(record.site.config, locates=locates, say=tr),
            never=[tr(text) for text in NEVER_STORED],
            kept=kept(record.site, say=tr),
            counts_days=COUNTS_KEPT_DAYS,
            readers=readers(record.site, organization, say=tr),
            notice=privacy_notice(record.site, locates=locates, say=tr),
            processing=processing_record(record.site, organization, locates=locates, say=tr),
        )
