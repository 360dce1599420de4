"""The secret by which the backend of a site signs users, over HTTP (docs/track/signed-users.md)."""

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall, Unlisted
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import Invalid

ISSUE = "issue"
REVOKE = "revoke"
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/user-secret", Access.MEMBER)
async def show_secret(call: SiteCall) -> Body:
    """Answer with whether signatures are valid; the secret itself is shown once, when it is issued."""
    return _body(enabled=call.site.user_secrets.is_valid)


@ENDPOINTS.of_site("POST", "/user-secret", Access.ADMIN, parameters=Unlisted.IGNORED)
async def change_secret(call: SiteCall) -> Body:
    """Issue a new secret in place of the old one, or revoke it."""
    action = (await call.body()).get("action")
    if action == ISSUE:
        return _body(enabled=True, secret=await call.services.user_secrets.issue(call.site_id, call.context))
    if action != REVOKE:
        raise Invalid({"action": [f"must be {ISSUE} or {REVOKE}"]})
    await call.services.commands.sites.revoke_user_secret(call.site_id, call.context)
    return _body(enabled=False)


def _body(*, enabled: bool, **shown: str) -> Body:
    return {"success": True, "data": {"enabled": enabled, **shown}}
