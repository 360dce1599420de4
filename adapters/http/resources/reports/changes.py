"""GET /api/sites/<site_id>/changes: why an answer is another one now (docs/citations.md)."""

from collections.abc import Mapping
from functools import partial

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import identifier
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.adapters.http.wire.responses import timestamp
from footfall.application.access.authorization import Access
from footfall.application.access.disclosure import Reader
from footfall.application.citations.changes import Cause, ChangeQuestion, Changes, Figures
from footfall.application.journal.history import type_name
from footfall.application.reports.query_parameters import parse_report_period
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import Invalid

_PERIOD = frozenset({"start_date", "end_date", "past_minutes_start", "past_minutes_end", "time_zone"})
_OWN = ("report", "from", "to", "goal")
_REPORTS = ("overview", "goal")


@frozen
class ChangesOfAnswers:
    """The difference between two answers of one report, in parts that add up to it."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the figures of both answers and the parts of their difference."""
        reader = await self._reports.reader(req, self.access_get, site)
        now = self._reports.clock.now()
        parameters = ReportParameters(req, reader, now=now, own=_OWN, common=_PERIOD)
        goal_id = parameters.read(_goal, None)
        texts = [parameters.read(partial(_text, name=name), "") for name in ("from", "to")]
        parameters.check()
        since, until = [
            await self._positions(name, text, reader)
            for name, text in zip(("from", "to"), texts, strict=True)
        ]
        window = parameters.read(
            lambda given: parse_report_period(given, now=until.at), parse_report_period({}, now=now)
        )
        parameters.check()
        question = ChangeQuestion(since=since, until=until, period=window.period, goal_id=goal_id)
        found = await Changes(self._reports.answers).explain(question)
        data = {
            "report": "overview" if goal_id is None else "goal",
            "from": str(since),
            "to": str(until),
            "before": _shown(found.before, question),
            "after": _shown(found.after, question),
            "parts": [_part(cause, question, reader) for cause in found.causes],
        }
        answer(resp, falcon.HTTP_200, {"data": data})

    async def _positions(self, name: str, text: str, reader: Reader) -> Positions:
        try:
            return await self._reports.answers.resolve(text, reader.site_id, now=self._reports.clock.now())
        except Invalid as refusal:
            raise Invalid({name: refusal.field_errors["as_of"]}) from None


def _goal(texts: Mapping[str, str]) -> int | None:
    report = texts.get("report")
    if report not in _REPORTS:
        raise Invalid({"report": [f"must be one of {', '.join(_REPORTS)}"]})
    number = identifier(texts.get("goal", ""))
    if report == "goal" and number is None:
        raise Invalid({"goal": ["must be the id of a goal of this site"]})
    if report == "overview" and "goal" in texts:
        raise Invalid({"goal": ["is taken with report=goal only"]})
    return number


def _text(texts: Mapping[str, str], *, name: str) -> str:
    if name not in texts:
        raise Invalid({name: ["is required: the text of Footfall-Positions, or an instant"]})
    return texts[name]


def _shown(figures: Figures, question: ChangeQuestion) -> dict[str, int]:
    return {str(figure): figures.get(figure, 0) for figure in question.figures}


def _part(cause: Cause, question: ChangeQuestion, reader: Reader) -> dict[str, object]:
    difference = {"difference": _shown(cause.difference, question)}
    if cause.decision is None:
        return {"cause": str(cause.origin), **difference}
    decision = cause.decision
    shown = {"cause": type_name(decision.type), "at": timestamp(decision.at), "position": decision.position}
    if reader.belongs:
        shown |= {"userId": decision.actor.user_id, "keyPrefix": decision.actor.key_prefix}
    return shown | difference
