"""The caller's own account over HTTP: name, address, and signed-in browsers (docs/share/users.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, Unlisted, UserCall
from footfall.application.access.authorization import Access
from footfall.domain.accounts.person import Person
from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.periods.instant_text import instant_text

_FIELDS = ("name", "address")
ENDPOINTS = Endpoints()


@ENDPOINTS.of_user("GET", "/api/user", Access.USER)
async def show_account(call: UserCall) -> Body:
    """Answer with the caller's name and address."""
    return _body(await call.services.commands.people.of(call.caller.user_id))


@ENDPOINTS.of_user("PUT", "/api/user", Access.USER, parameters=Unlisted.IGNORED)
async def change_account(call: UserCall) -> Body:
    """Change the caller's name, address or both."""
    texts, people = _texts(await call.body()), call.services.commands.people
    before = await people.of(call.caller.user_id)
    after = await people.change(
        call.caller.user_id,
        name=texts.get("name", before.name),
        address=texts.get("address", before.address),
        context=call.context,
    )
    return _body(after)


@ENDPOINTS.of_user("GET", "/api/user/sign-ins", Access.USER)
async def list_sign_ins(call: UserCall) -> Body:
    """Answer with the browsers that are signed in to the caller's account, the latest sign-in first."""
    sign_ins = call.services.gatekeeper.sign_ins_of(call.caller.user_id)
    uses = await call.services.sign_in_tracker.of(sign_in.handle for sign_in in sign_ins)
    data = [
        {
            "signInId": sign_in.handle,
            "device": uses[sign_in.handle].device if sign_in.handle in uses else None,
            "createdAt": instant_text(sign_in.began_at),
            "expiresAt": instant_text(sign_in.expires_at),
            "lastUsedAt": instant_text(uses[sign_in.handle].last_used_at) if sign_in.handle in uses else None,
        }
        for sign_in in sign_ins
    ]
    return {"data": data}


@ENDPOINTS.of_user("DELETE", "/api/user/sign-ins", Access.USER, parameters=Unlisted.IGNORED)
async def sign_out_everywhere(call: UserCall) -> None:
    """Sign all browsers of the caller out, and void unused sign-in links."""
    await call.services.commands.sign_in.sign_out_everywhere(call.caller.user_id, call.context)


@ENDPOINTS.of_user("DELETE", "/api/user/sign-ins/{handle}", Access.USER, parameters=Unlisted.IGNORED)
async def sign_out(call: UserCall) -> None:
    """Sign one browser of the caller out."""
    await call.services.commands.sign_in.end(call.caller.user_id, call.path["handle"], call.context)


def _body(person: Person) -> dict[str, Any]:
    return {
        "userId": person.user_id,
        "name": person.name,
        "address": person.address,
        "addressVerified": person.verified_address is not None,
    }


def _texts(body: Mapping[str, Any]) -> dict[str, str | None]:
    texts = {name: body[name] for name in _FIELDS if name in body}
    if not texts:
        raise Invalid({}, form_errors=[f"give {' or '.join(_FIELDS)}"])
    errors = {
        name: ["must be a text, or null for none"]
        for name, value in texts.items()
        if not isinstance(value, str | None)
    }
    require_valid(errors)
    return texts
