"""The form of the secret by which the backend of a site signs users (docs/track/signed-users.md)."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import Confirmation, FormResource
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import Invalid

_CONFIRMATIONS: Mapping[str, Callable[..., Confirmation]] = MappingProxyType(
    {
        "issue": partial(
            Confirmation,
            question="Replace the secret for signed users?",
            consequence="Signatures that are made with the current secret stop being valid.",
            button="Replace secret",
        ),
        "revoke": partial(
            Confirmation,
            question="Revoke the secret for signed users?",
            consequence="No signature of a user is valid any more.",
            button="Revoke secret",
        ),
    }
)


@frozen
class UserSecretForm(FormResource, DashboardPage):
    """POST /sites/<site_id>/user-secret: issues or revokes the secret."""

    page_of_form = "/sites/{site}/settings"
    access_post = Access.ADMIN

    _once: ShownOnce

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Do what `action` says; only the page that this leads to contains a new secret, once."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        action, site_id = form.text("action"), record.site.site_id
        if action not in _CONFIRMATIONS:
            raise Invalid({"action": [f"must be one of {', '.join(_CONFIRMATIONS)}"]})
        address = f"/sites/{site_id}/settings"
        if action == "revoke" or record.site.user_secrets.is_valid:
            form.require_confirmation(_CONFIRMATIONS[action](cancel=f"{address}#signed-users"))
        if action == "issue":
            secret = await self._services.user_secrets.issue(site_id, form.context)
            self._once.lead(req, resp, f"{address}#signed-users", {"secret": secret})
            return
        await self._services.commands.sites.revoke_user_secret(site_id, form.context)
        raise falcon.HTTPSeeOther(f"{address}?done=signed-users#signed-users")
