"""The base of resources whose requests the gatekeeper admits."""

from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.parameters import refuse_unknown
from footfall.application.access.authorization import Access, Gatekeeper, Grant


@frozen
class Resource:
    """A resource with the check of its access."""

    _gatekeeper: Gatekeeper

    async def _admitted(self, req: Request, access: Access, site: str) -> Grant:
        """Return the access that a request without parameters has to a site.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied: as the gatekeeper does.
            Invalid: the request has a parameter.

        """
        grant = await self._gatekeeper.admit(access, site, credentials(req))
        refuse_unknown(req)
        return grant
