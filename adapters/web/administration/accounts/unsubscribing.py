"""Unsubscribing from mails: the page, and the endpoint that mail programs call (RFC 8058)."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage
from footfall.application.access.authorization import Access
from footfall.application.commands.context import CommandContext
from footfall.domain.mail.mail import MailKind

# In the query of the form on the page, whose answer is a redirect; mail programs follow none.
BY_PAGE = "page"


@frozen
class UnsubscribePage(DashboardPage):
    """GET and POST /unsubscribe/<kind>/<digest>/<token>.

    GET only shows a button, because programs open the links of mails to check them. POST needs no sign-in and no form
    token: the link itself is the proof, and a mail program sends nothing else.
    """

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, kind: str, digest: str, token: str) -> None:
        """Show the button that unsubscribes, or that the address is unsubscribed."""
        verified = self._services.mailer.unsubscribing.verified_kind(kind, digest, token)
        done = await self._services.mailer.unsubscribing.is_obeyed(digest, verified)
        await self._render(req, resp, kind=verified, done=done)

    async def on_post(self, req: Request, resp: Response, kind: str, digest: str, token: str) -> None:
        """Unsubscribe the address of the link; doing it twice changes nothing."""
        verified = await self._services.mailer.unsubscribing.unsubscribe(kind, digest, token)
        if verified is MailKind.REPORT_QUESTION:
            context = CommandContext(request_id=req.context.request_id)
            await self._services.report_recipients.end_unanswered(digest, context)
        if req.get_param("by") == BY_PAGE:
            raise falcon.HTTPSeeOther(req.path)
        await self._render(req, resp, kind=verified, done=True)

    async def _render(self, req: Request, resp: Response, *, kind: MailKind, done: bool) -> None:
        action = f"{req.path}?by={BY_PAGE}"
        await self.renderer.render(req, resp, "unsubscribe.html", action=action, kind=kind, done=done)
