"""The groups of pages of a site: their rules in a form, which paths fall into each, and proposals."""

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.change_preview import WhatIfs
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import Form, asked, lead_to_answer, refusal_page
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import SiteRecord
from footfall.domain.exceptions import Conflict, Invalid
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.sites.page_groups import MAX_RULES, checked

_WHAT_IF, _SAVE, _UP, _ADD = "what-if", "save", "up:", "add:"
# Rows for further rules.
_MORE = 3


class PageGroupsChanged(Conflict):
    """A form was made of rules that are others by now."""

    message = "The groups were changed meanwhile; the form shows the present ones"


@frozen
class PageGroupsPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /sites/<site_id>/page-groups."""

    access_get = Access.VIEWER
    access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the rules with the paths of each, or those that the query asks about; viewers get no form."""
        record, form = await self._access.authorize_site(self.access_get, site, req), asked(req)
        is_tried = form.text("action") == _WHAT_IF
        rules = _rules(form) if is_tried else list(record.site.page_groups.rules)
        await self._show(req, resp, record, rules, done=req.get_param("done"))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Save the rules, or lead to their effect in the order that `action` asks for."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        rules, action = _rules(form), form.text("action")
        if action != _SAVE:
            tried = _tried(form, action)
            lead_to_answer(req, Form(dict(_fields(tried))), place="#rules")
            await self._show(req, resp, record, tried)
            return
        present = record.site.page_groups
        try:
            if form.text("former") != fingerprint(present):
                rules = list(present.rules)
                raise PageGroupsChanged
            await self._services.commands.page_groups.arrange(record.site.site_id, rules, form.context)
        except (Invalid, Conflict) as refusal:
            await self._show(req, resp, record, rules, **_refused(refusal))
            return
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/page-groups?done=saved")

    async def _show(
        self, req: Request, resp: Response, record: SiteRecord, rules: Sequence[GroupRule], **values: Any
    ) -> None:
        shown: dict[str, Any] = {"effect": None, "done": None, **values}
        if "status" not in values:
            try:
                shown["effect"] = await WhatIfs(self._services).of_page_groups(record, checked(rules))
            except Invalid as refusal:
                shown |= _refused(refusal)
        await self.renderer.render(
            req,
            resp,
            "page_groups.html",
            record=record,
            rows=[*rules, *[GroupRule("", "")] * max(0, min(_MORE, MAX_RULES - len(rules)))],
            former=fingerprint(record.site.page_groups),
            is_saved=tuple(rules) == record.site.page_groups.rules,
            most=MAX_RULES,
            **shown,
        )


def fingerprint(groups: PageGroups) -> str:
    """Return what tells rules from others."""
    return blake2b(repr(groups).encode(), digest_size=8).hexdigest()


def _rows(form: Form) -> dict[str, GroupRule]:
    """Return the rules of the rows that are filled in, by the numbers of these, and one more than there may be.

    A rule without a name is called after its pattern.
    """
    numbers = map(str, range(1, MAX_RULES + 2))
    rows = {number: (form.text(f"name{number}"), form.text(f"pattern{number}")) for number in numbers}
    return {
        number: GroupRule(name or pattern, pattern)
        for number, (name, pattern) in rows.items()
        if name or pattern
    }


def _rules(form: Form) -> list[GroupRule]:
    return list(_rows(form).values())


def _tried(form: Form, action: str) -> list[GroupRule]:
    """Return the rules with what an action does to them: one moved up, or one more at the end.

    What is proposed has no group, so that no rule before it has its paths, and at the end it takes those of no other.
    """
    rows, rules = list(_rows(form)), _rules(form)
    moved, added = action.removeprefix(_UP), action.removeprefix(_ADD)
    if action.startswith(_ADD) and added:
        rules.append(GroupRule(added, added))
    elif action.startswith(_UP) and moved in rows[1:]:
        place = rows.index(moved)
        rules[place - 1], rules[place] = rules[place], rules[place - 1]
    return rules


def _fields(rules: Sequence[GroupRule]) -> list[tuple[str, str]]:
    rows = [
        field
        for row, rule in enumerate(rules, start=1)
        for field in ((f"name{row}", rule.name), (f"pattern{row}", rule.pattern))
    ]
    return [*rows, ("action", _WHAT_IF)]


def _field_of(name: str) -> str:
    """Return the field of the form that an error such as `groups[0].pattern` is about: pattern1.

    What no field holds, such as a rule that excludes sessions, stands above the form.
    """
    place, _, part = name.removeprefix("groups[").partition("].")
    return f"{part}{int(place) + 1}" if part else "groups"


_refused = partial(refusal_page, whole="groups", field_of=_field_of)
