"""Organizations for people: their sites and members."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.forms import Form
from footfall.adapters.web.pages import Pages, page, sentences
from footfall.application.access import Access
from footfall.application.commands import Cause, Commands
from footfall.application.directory import Directory, ListedOrganization
from footfall.domain.errors import AccessDenied, Conflict, Invalid, NotFound, OrganizationNotFound
from footfall.domain.organization import Role


class Sites:
    """GET /sites: everything that whoever is signed in can look at; POST registers a new site."""

    access_get = Access.USER
    access_post = Access.USER

    def __init__(self, pages: Pages, door: Door, directory: Directory, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._directory = directory
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the sites by organization."""
        await self._door.caller(req)
        await self.pages.show(req, resp, "sites.html", form={}, done=req.get_param("done"))

    @page
    async def on_post(self, req: Request, resp: Response) -> None:
        """Register a site and show how to track it."""
        form, cause = await self._door.form(req), await self._door.cause(req)
        organization_id = form.text("organization")
        _require_admin(self._door, self._directory, await self._door.caller(req), organization_id)
        try:
            site_id = await self._commands.register_site(
                organization_id,
                name=form.text("name"),
                domain=form.text("domain"),
                created_by=cause.actor.user_id or "",
                cause=cause,
            )
        except Invalid as refusal:
            await self.pages.show(
                req,
                resp,
                "sites.html",
                status=falcon.HTTP_400,
                faults=refusal.faults,
                form=form.values,
                done=None,
            )
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/install")


class Members:
    """GET and POST /organizations/<organization_id>: who belongs to it, and in which role."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    def __init__(self, pages: Pages, door: Door, directory: Directory, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._directory = directory
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Show the members."""
        await self._show(req, resp, organization)

    @page
    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Add a member, give one another role, or remove one: `action` says which."""
        form = await self._door.form(req)
        caller, cause = await self._door.caller(req), await self._door.cause(req)
        _require_admin(self._door, self._directory, caller, organization)
        try:
            added = await self._change(organization, form, cause)
        except Invalid as refusal:
            faults = {"members": sentences(refusal)}
            await self._show(req, resp, organization, status=falcon.HTTP_400, faults=faults)
            return
        except (Conflict, NotFound, AccessDenied) as refusal:
            status = falcon.HTTP_403 if isinstance(refusal, AccessDenied) else falcon.HTTP_409
            await self._show(req, resp, organization, status=status, faults={"members": [refusal.message]})
            return
        await self._show(req, resp, organization, added=added)

    async def _change(self, organization: str, form: Form, cause: Cause) -> tuple[str, str] | None:
        """Return a new user with their sign-in link; None for every other change."""
        user_id = form.text("user")
        match form.text("action"):
            case "add":
                role, user_id = _role(form), await self._commands.register_user()
                await self._commands.add_member(organization, user_id, role, cause)
                return user_id, await self._commands.issue_sign_in_link(user_id, cause)
            case "role":
                await self._commands.change_role(organization, user_id, _role(form), cause)
            case "remove":
                await self._commands.remove_member(organization, user_id, cause)
            case _:
                raise Invalid({"action": ["must be one of add, role, remove"]})
        return None

    async def _show(
        self,
        req: Request,
        resp: Response,
        organization: str,
        *,
        added: tuple[str, str] | None = None,
        **values: Any,
    ) -> None:
        caller = await self._door.caller(req)
        listed = _organization(self._directory, organization)
        role = self._door.role(caller, organization)
        if role is None:
            raise AccessDenied
        await self.pages.show(
            req,
            resp,
            "members.html",
            organization=listed.organization,
            administers=role.administers,
            roles=list(Role),
            added=added,
            base_url=req.forwarded_prefix,
            **values,
        )


def _require_admin(door: Door, directory: Directory, caller: Any, organization_id: str) -> None:
    _organization(directory, organization_id)
    role = door.role(caller, organization_id)
    if role is None or not role.administers:
        raise AccessDenied


def _organization(directory: Directory, organization_id: str) -> ListedOrganization:
    listed = directory.organization(organization_id)
    if listed is None:
        raise OrganizationNotFound
    return listed


def _role(form: Form) -> Role:
    try:
        return Role(form.text("role"))
    except ValueError:
        raise Invalid({"role": [f"must be one of {', '.join(Role)}"]}) from None
