"""What goals counted, over HTTP: their sessions, and what a goal would count (interface, section 4.2)."""

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.goal_bodies import goal_definition
from footfall.adapters.http.goals import goal_id
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.report_bodies import conversions_body, page_meta, session_body
from footfall.adapters.http.report_parameters import ReportParameters
from footfall.application.access import Access
from footfall.application.interface_names import rule_document
from footfall.application.reports import AskedGoal
from footfall.domain.errors import GoalNotFound
from footfall.domain.goal import Rule, define
from footfall.domain.page import Page, parse_page

PAGE_SIZE = 25


class GoalSessions:
    """GET /api/sites/<site_id>/goals/<goal_id>/sessions."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Answer with one page of the sessions that completed the goal, the latest end first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        listed = self._reading.directory.goal(goal_id(goal))
        if listed is None or listed.goal.site_id != site_id:
            raise GoalNotFound
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=("page", "limit"))
        question = parameters.question()
        page = parameters.read(lambda texts: parse_page(texts, size=PAGE_SIZE), Page(1, 1))
        parameters.check()
        await self._reading.freshness.catch_up()
        asked = AskedGoal(listed.goal.rule, listed.defined_at_position)
        found = await self._reading.goals.converted_sessions(
            site_id, asked, question.period, page, question.filters
        )
        body = {"data": [session_body(one) for one in found.sessions], "meta": page_meta(page, found.total)}
        answer(resp, falcon.HTTP_200, body)


class GoalPreview:
    """POST /api/sites/<site_id>/goals/preview.

    For members: it is part of defining a goal, and costs more than what is counted already.
    """

    access_post = Access.MEMBER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with what a goal would have counted in the period; nothing is saved."""
        site_id = await self._reading.site_id(req, self.access_post, site)
        parameters = ReportParameters(req, now=self._reading.clock.now())
        question = parameters.question()
        parameters.check()
        name, rule = goal_definition(await json_object(req))
        await self._reading.freshness.catch_up()
        [conversions] = await self._reading.goals.count_conversions(
            site_id, [AskedGoal(rule)], question.period, question.filters
        )
        data = {"name": _name(name, rule), **rule_document(rule), **conversions_body(conversions)}
        answer(resp, falcon.HTTP_200, {"data": data})


def _name(name: str | None, rule: Rule) -> str:
    """Return the name that the goal would get.

    Raises:
        Invalid: the goal could not have it.

    """
    [defined] = define(0, site_id=0, name=name, rule=rule)
    return str(getattr(defined, "name", ""))
