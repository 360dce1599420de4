"""What every endpoint that reads a site's reports begins with."""

from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.http.requests import credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.breakdowns import BreakdownReports
from footfall.application.directory import Directory
from footfall.application.error_reports import ErrorReports
from footfall.application.ports import Clock
from footfall.application.reports import Freshness, GoalReports, TrafficReports


@frozen(kw_only=True)
class Reading:
    """The reports, and what is asked before they are."""

    gatekeeper: Gatekeeper
    directory: Directory
    goals: GoalReports
    traffic: TrafficReports
    breakdowns: BreakdownReports
    errors: ErrorReports
    freshness: Freshness
    clock: Clock

    async def site_id(self, req: Request, access: Access, site: str) -> int:
        """Return the numeric id of a site that the request may read.

        Raises:
            Unauthenticated: no credential was presented that counts, and the rule needs one.
            SiteNotFound: there is no such site.
            AccessDenied: the caller is known and not admitted.
            StoreUnavailable: the store does not answer.

        """
        await self.directory.catch_up()
        return (await self.gatekeeper.site(access, site, credentials(req))).site.site_id
