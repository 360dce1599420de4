"""GET /api/sites/<site_id>/changes: why an answer is another one now (docs/read/programs/citations.md)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED
from footfall.adapters.http.resources.reports.description import PAGE_SIZE, Report, State
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.report_context import POSITIONS, ReportContext
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.application.access.authorization import Access, Grant
from footfall.application.access.readers import Reader
from footfall.application.citations.changes import Arrived, Cause, Changes
from footfall.application.citations.decisions import Inquire
from footfall.application.journal.directory import Directory
from footfall.application.journal.history import type_name
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.domain.citations.changes import ChangedRow
from footfall.domain.citations.definitions import Redefinition
from footfall.domain.citations.positions import AS_OF_RULE, Positions
from footfall.domain.exceptions import Invalid, renaming
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.sites.sharing.shared_links import SharedPanel

_OWN = ("report", "from", "to", "page", "limit")
_COMMON = COMMON - {"as_of"}
# The parameters of a request that names no report: its other errors are told when it names one.
_ANY = tuple({name for report in EXPLAINED.values() for name in (*report.own, *report.named)})


@frozen
class ChangesOfAnswers:
    """The difference between two answers of one report, in parts that add up to it."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the rows that differ and, for each cause of the difference, its part of each row."""
        report = EXPLAINED.get(req.get_param("report") or "")
        panels = report.panels if report is not None else frozenset(SharedPanel)
        grant = await self._reports.grant(req, self.access_get, site, panels, past=True)
        reader = self._reports.reader_at(grant, self._reports.directory)
        if report is not None and report.access is Access.DETAILS:
            grant.require_details()
        own = (*_OWN, *((*report.own, *report.named) if report else _ANY))
        parameters = self._reports.parameters(req, reader, own=own, common=_COMMON)
        name = parameters.read(_report, "overview")
        texts = [parameters.read(partial(_text, name=name), "") for name in ("from", "to")]
        page = parameters.page(size=PAGE_SIZE)
        parameters.check()
        with renaming({"as_of": "from"}):
            since = await self._reports.positions(grant, texts[0])
        with renaming({"as_of": "to"}):
            until = await self._reports.positions(grant, texts[1])
        inquire = self._inquire(EXPLAINED[name], req, grant, until)
        explanation = await Changes(self._reports.answers, self._reports.asker(reader)).explain(
            since, until, inquire
        )
        data = {
            "report": name,
            "from": _named(since, reader),
            "to": _named(until, reader),
            "parts": [_part(cause, reader) for cause in explanation.causes],
            "rows": [_row(explanation.keys, row) for row in page.of(explanation.rows)],
        }
        if reader.limits is None:
            resp.set_header(POSITIONS, str(until))
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(explanation.rows))})

    def _inquire(self, report: Report[Any, Any], req: Request, grant: Grant, until: Positions) -> Inquire:
        """Return what reads the parameters of the report in a state; relative periods end with the later answer."""

        def inquire(directory: Directory) -> Inquiry[Any]:
            reader, own = self._reports.reader_at(grant, directory), (*_OWN, *report.own, *report.named)
            parameters = ReportParameters(req, reader, now=until.at, own=own, common=_COMMON)
            inquiry: Inquiry[Any] = report.inquiry(
                State(parameters, reader, directory, self._reports.directory, is_explained=True)
            )
            parameters.check()
            return inquiry

        return inquire


def _report(texts: Mapping[str, str]) -> str:
    name = texts.get("report", "")
    if name not in EXPLAINED:
        rule = f"must be one of {', '.join(EXPLAINED)}; lists of single sessions and errors have no figures"
        raise Invalid({"report": [rule]})
    return name


def _text(texts: Mapping[str, str], *, name: str) -> str:
    if name not in texts:
        raise Invalid({name: [f"is required: {AS_OF_RULE}"]})
    return texts[name]


def _named(state: Positions, reader: Reader) -> str:
    return str(state) if reader.limits is None else instant_text(state.at)


def _row(keys: Any, row: ChangedRow) -> dict[str, Any]:
    key = dict(zip(keys, row.key, strict=True))
    return {"key": key, "before": row.before, "after": row.after, "parts": row.parts}


def _part(cause: Cause, reader: Reader) -> dict[str, object]:
    if isinstance(cause, Redefinition):
        return {
            "cause": "definition-changed",
            "definition": cause.definition.value,
            "before": cause.before,
            "after": cause.after,
        }
    if isinstance(cause, Arrived):
        # The hits are those of all sessions, and a link can show some of them.
        hits = {"hits": cause.hits} if reader.limits is None else {}
        return {"cause": str(cause.origin), **hits}
    shown: dict[str, object] = {
        "cause": type_name(cause.type),
        "stream": cause.stream,
        "at": instant_text(cause.at),
    }
    if reader.limits is None:
        # It counts the decisions of all sites.
        shown["position"] = cause.position
    if reader.belongs:
        shown |= {"userId": cause.actor.user_id, "keyPrefix": cause.actor.key_prefix}
        if cause.rule_name is not None:
            shown["ruleName"] = cause.rule_name
    return shown
