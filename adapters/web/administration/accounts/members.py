"""The page of an organization: its name and members."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import who
from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage, error_sentences
from footfall.adapters.web.session.access import SentForm
from footfall.adapters.web.session.forms import Confirmation, Form, FormResource
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.authorization import Access
from footfall.application.invitations.invitations import SentInvitation
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import OrganizationRecord
from footfall.application.languages.language import tr
from footfall.domain.accounts.organization import Organization, Role, SiteLimit
from footfall.domain.exceptions import (
    AccessDenied,
    Conflict,
    Invalid,
    InvitationNotFound,
    MemberNotFound,
    NotFound,
    OrganizationNotFound,
    existing,
)
from footfall.domain.number import identifier

# The fields that show their errors beside themselves, by action.
_OWN_ERROR = MappingProxyType({"rename": "name", "invite": "address"})


@frozen
class MembersPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /organizations/<organization_id>.

    Admins and owners invite; a person becomes a member by accepting.
    """

    access_get = Access.VIEWER
    access_post = Access.ADMIN

    _once: ShownOnce

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Show the members."""
        await self._render(req, resp, organization, sent=self._once.take(req, resp))

    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Rename the organization, change a member's role or sites, or remove a member, as `action` says."""
        form = await self._access.form(req)
        await self._access.authorize_organization(self.access_post, organization, req)
        try:
            if form.text("action") == "invite":
                sent = await self._invite(organization, form)
                texts = {"address": sent.address, "link": sent.link, "mailed": "on" if sent.mailed else ""}
                self._once.lead(req, resp, f"/organizations/{organization}#invite", texts)
                return
            done = await self._change(organization, form)
        except Invalid as refusal:
            errors = {
                **refusal.field_errors,
                "members": error_sentences(refusal, besides=_OWN_ERROR.get(form.text("action"))),
            }
            await self._render(
                req, resp, organization, status=falcon.HTTP_400, field_errors=errors, form=form.values
            )
            return
        except (Conflict, NotFound, AccessDenied) as refusal:
            status = falcon.HTTP_403 if isinstance(refusal, AccessDenied) else falcon.HTTP_409
            errors = {"members": [refusal.message]}
            await self._render(req, resp, organization, status=status, field_errors=errors)
            return
        # Members who remove themselves can no longer open the page of the organization.
        left = self._access.role(form.caller, organization) is None
        raise falcon.HTTPSeeOther("/sites" if left else f"/organizations/{organization}?done={done}")

    async def _change(self, organization: str, form: SentForm) -> str:
        commands, context = self._services.commands, form.context
        action, user_id = form.text("action"), form.text("user")
        match action:
            case "rename":
                await commands.organizations.rename(organization, form.text("name"), context)
            case "language":
                language = self.renderer.languages.chosen(form)
                await commands.organizations.choose_language(organization, language, context)
            case "role":
                await commands.organizations.change_member(organization, user_id, context, role=_role(form))
            case "sites":
                await commands.organizations.change_member(organization, user_id, context, limit=_limit(form))
            case "revoke":
                number = existing(identifier(form.text("invitation")), InvitationNotFound)
                await commands.invitations.revoke(organization, number, context)
            case "remove":
                if user_id not in _organization(self._services.directory, organization).organization.roles:
                    raise MemberNotFound
                person = await commands.people.of(user_id)
                form.require_confirmation(_removal(organization, who(person)))
                await commands.organizations.remove_member(organization, user_id, context)
            case _:
                raise Invalid(
                    {"action": ["must be one of invite, rename, language, role, sites, revoke, remove"]}
                )
        return action

    async def _invite(self, organization: str, form: SentForm) -> SentInvitation:
        return await self._services.invitations.invite(
            organization,
            address=form.text("address"),
            role=_role(form),
            site_ids=_limit(form).site_ids if _marked(form) else None,
            context=form.context,
        )

    async def _render(
        self,
        req: Request,
        resp: Response,
        organization: str,
        *,
        sent: Mapping[str, str] = MappingProxyType({}),
        form: Mapping[str, str] | None = None,
        **values: Any,
    ) -> None:
        caller = await self._access.authorize_organization(self.access_get, organization, req)
        record = _organization(self._services.directory, organization)
        roles = record.organization.roles
        role, people = roles[caller.user_id], await self._services.people_of(roles)
        members = list_page(req, list(roles.items()), lambda member: people[member[0]].shown_name)
        await self.renderer.render(
            req,
            resp,
            "members.html",
            organization=record.organization,
            people=people,
            members=members,
            sites=self._services.directory.sites_for(caller.user_id, organization),
            administers=role.administers,
            edits=role.edits,
            owns=role is Role.OWNER,
            roles=list(Role),
            invitable=[
                choice for choice in reversed(Role) if record.organization.grants(choice, caller.user_id)
            ],
            invitations=await self._services.invitations.of(organization) if role.administers else [],
            languages=self.renderer.languages.offered(),
            sent=sent,
            mails=self._services.invitations.mailer.enabled,
            form=form or {},
            done=req.get_param("done"),
            **values,
        )


@frozen
class DeparturePage(FormResource, DashboardPage):
    """POST /organizations/<organization_id>/departure: leaves the organization."""

    page_of_form = "/organizations/{organization}"
    access_post = Access.VIEWER

    async def on_post(self, req: Request, _resp: Response, organization: str) -> None:
        """Let the signed-in user leave, after a confirmation."""
        form = await self._access.form(req)
        caller = await self._access.authorize_organization(self.access_post, organization, req)
        record = _organization(self._services.directory, organization)
        form.require_confirmation(_departure(record.organization))
        await self._services.commands.organizations.leave(organization, caller.user_id, form.context)
        raise falcon.HTTPSeeOther("/sites?done=left")


def _organization(directory: Directory, organization_id: str) -> OrganizationRecord:
    return existing(directory.organization(organization_id), OrganizationNotFound)


def _role(form: Form) -> Role:
    try:
        return Role(form.text("role"))
    except ValueError:
        raise Invalid({"role": [f"must be one of {', '.join(Role)}"]}) from None


def _limit(form: Form) -> SiteLimit:
    if form.is_checked("all"):
        return SiteLimit(None)
    numbers = [identifier(text) for text in _marked(form)]
    if None in numbers:
        raise Invalid({"siteIds": ["must be the numbers of sites"]})
    return SiteLimit(tuple(number for number in numbers if number is not None))


def _marked(form: Form) -> list[str]:
    """Return the numbers of the marked sites, as they were sent."""
    return [name.removeprefix("site-") for name in form.values if name.startswith("site-")]


def _departure(organization: Organization) -> Confirmation:
    return Confirmation(
        question=tr("Leave {name}?", name=organization.name),
        consequence="You can no longer view its sites. To come back, you need an invitation.",
        button="Leave",
        cancel=f"/organizations/{organization.organization_id}",
    )


def _removal(organization_id: str, name: str) -> Confirmation:
    return Confirmation(
        question=tr("Remove {name}?", name=name),
        consequence="This user can no longer view the sites of the organization.",
        button="Remove member",
        cancel=f"/organizations/{organization_id}",
    )
