"""The account page: name and address, API keys and signed-in browsers."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import Confirmation, Form, FormResource
from footfall.adapters.web.session.page_languages import CHOSEN
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.authorization import Access
from footfall.application.languages.language import tr
from footfall.domain.accounts.user import User
from footfall.domain.exceptions import ApiKeyNotFound, Invalid


@frozen
class AccountPage(ShowsRefusedForms, DashboardPage):
    """GET /account; POST creates an API key."""

    access_get = access_post = Access.USER

    _once: ShownOnce

    async def on_get(self, req: Request, resp: Response) -> None:
        """Show name and address, the keys and the signed-in browsers."""
        await self.render(req, resp, issued=self._once.take(req, resp))

    async def on_post(self, req: Request, resp: Response) -> None:
        """Create a key; only the page that this leads to contains its text, once."""
        form = await self._access.form(req)
        try:
            issued = await self._services.commands.api_keys.issue(
                form.caller.user_id, name=form.text("name"), context=form.context, expires_in_days=_days(form)
            )
        except Invalid as refusal:
            status, errors = falcon.HTTP_400, refusal.field_errors
            await self.render(req, resp, status=status, field_errors=errors, form=form.values)
            return
        self._once.lead(req, resp, "/account#keys", {"name": issued.state.name, "key": issued.key})

    async def render(self, req: Request, resp: Response, **values: Any) -> None:
        """Make the page the response; `form` and `profile_form` hold what a refused form had.

        `issued` is a new key with its name.
        """
        caller, services = await self._access.caller(req), self._services
        ways, directory = services.sign_in_ways, services.directory
        sign_ins, own_handle = self._access.sign_ins(caller, req)
        values = {"form": {}, "profile_form": None, "passkey_name": "", "issued": {}} | values
        every = directory.keys_of(caller.user_id)
        keys = list_page(req, every, lambda record: f"{record.key.name} {record.key.prefix}", path="/account")
        await self.renderer.render(
            req,
            resp,
            "account.html",
            keys=keys,
            last_uses=await services.api_keys.last_used([record.key.key_id for record in keys.items]),
            person=await services.commands.people.of(caller.user_id),
            sign_ins=sign_ins,
            own_handle=own_handle,
            uses=await services.sign_in_tracker.of(sign_in.handle for sign_in in sign_ins),
            passkeys=await ways.passkeys.of_user(caller.user_id),
            identities=await ways.identities.of_user(caller.user_id),
            by_identity=ways.identities.enabled,
            passkeys_off=ways.passkeys.off,
            origin=ways.passkeys.origin,
            rp_id=ways.passkeys.rp_id,
            by_mail=services.mailer.enabled,
            failed_mails=await services.mailer.outbox.given_up_of(caller.user_id),
            languages=self.renderer.languages.offered(),
            language=directory.state.users.get(caller.user_id, User()).language,
            done=req.get_param("done"),
            **values,
        )


@frozen
class AccountForm(FormResource, DashboardPage):
    """A form of the account page."""

    page_of_form = "/account"
    access_post = Access.USER


@frozen
class ShownAccountForm(AccountForm):
    """A form that the account page shows again when it is refused."""

    _account: AccountPage


@frozen
class Profile(ShowsRefusedForms, ShownAccountForm):
    """POST /account/profile: changes name and address."""

    async def on_post(self, req: Request, resp: Response) -> None:
        """Change name and address; an empty field removes one."""
        form = await self._access.form(req)
        try:
            await self._services.commands.people.change(
                form.caller.user_id,
                name=form.raw("person_name"),
                address=form.raw("address"),
                context=form.context,
            )
        except Invalid as refusal:
            errors = dict(refusal.field_errors)
            errors["person_name"] = errors.pop("name", [])
            status = falcon.HTTP_400
            await self._account.render(
                req, resp, status=status, field_errors=errors, profile_form=form.values
            )
            return
        raise falcon.HTTPSeeOther("/account?done=saved")


@frozen
class LanguageForm(AccountForm):
    """POST /account/language: chooses the language of pages and mails."""

    async def on_post(self, req: Request, _resp: Response) -> None:
        """Choose a language; an empty field leaves it to the organization and the browser."""
        form = await self._access.form(req)
        language = self.renderer.languages.chosen(form)
        await self._services.commands.people.choose_language(form.caller.user_id, language, form.context)
        raise falcon.HTTPSeeOther(f"/account?done={CHOSEN}#language")


@frozen
class SignInEnd(AccountForm):
    """POST /account/sign-ins/<handle>/end."""

    async def on_post(self, req: Request, _resp: Response, handle: str) -> None:
        """Sign one browser out; ending the own sign-in leads to the sign-in page."""
        form = await self._access.form(req)
        await self._services.commands.sign_in.end(form.caller.user_id, handle, form.context)
        raise falcon.HTTPSeeOther("/account?done=ended")


@frozen
class KeyRevocation(AccountForm):
    """POST /account/keys/<key_id>/revocation."""

    async def on_post(self, req: Request, _resp: Response, key: int) -> None:
        """Revoke a key; browsers that signed in with it are signed out."""
        form = await self._access.form(req)
        form.require_confirmation(_revocation(self._name(form.caller.user_id, key)))
        await self._services.commands.api_keys.revoke(form.caller.user_id, key, form.context)
        raise falcon.HTTPSeeOther("/account?done=revoked")

    def _name(self, user_id: str, key_id: int) -> str:
        for record in self._services.directory.keys_of(user_id):
            if record.key.key_id == key_id:
                return record.key.name
        raise ApiKeyNotFound


def _revocation(name: str) -> Confirmation:
    return Confirmation(
        question=tr("Revoke the API key “{name}”?", name=name),
        consequence="Programs that use this key stop working, and browsers that signed in with it are signed out.",
        button="Revoke key",
        cancel="/account",
    )


def _days(form: Form) -> int | None:
    text = form.text("expires_in_days")
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:  # noqa: PLR2004 - far above the limit
        raise Invalid(
            {"expiresInDays": ["must be a whole number of days, or empty for a key that does not expire"]}
        )
    return int(text)
