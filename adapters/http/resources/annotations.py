"""Annotations of charts and marks of deploys over HTTP (docs/errors/releases.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.parameters import page_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.responses import CSV_TYPE, JSON_TYPE
from footfall.application.access.authorization import Access
from footfall.application.commands.sites.annotations import AnnotationCommands
from footfall.application.journal.directory import Directory
from footfall.application.reports.query_parameters import parse_instant
from footfall.application.reports.tables import MAX_ROWS, annotations_table
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import MAX_PAGE_SIZE
from footfall.domain.periods.instant_text import instant_text

PAGE_SIZE = 50


@frozen
class AnnotationList(Resource):
    """GET and POST /api/sites/<site_id>/annotations, and with `releases` …/releases."""

    access_get = Access.VIEWER
    access_post = Access.MEMBER

    _directory: Directory
    _commands: AnnotationCommands
    _releases: bool = False

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the annotations, the latest first."""
        record = await self._gatekeeper.site(self.access_get, site, credentials(req))
        csv = req.client_prefers((JSON_TYPE, CSV_TYPE)) == CSV_TYPE
        size, largest = (MAX_ROWS, MAX_ROWS) if csv else (PAGE_SIZE, MAX_PAGE_SIZE)
        page = page_of(req, size=size, maximum=largest)
        annotations = self._directory.annotations(record.site.site_id).newest_first(releases=self._releases)
        if csv:
            answer_csv(resp, annotations_table(page.of(annotations)))
            return
        data = [annotation_body(annotation) for annotation in page.of(annotations)]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(annotations))})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Add an annotation, or mark a deploy."""
        grant = await self._admitted(req, self.access_post, site)
        fields = _fields(await json_object(req), marks=self._releases)
        context = command_context(req, grant.actor)
        annotation_id = await self._commands.add(grant.site_id, context, **fields)
        answer(resp, falcon.HTTP_201, {"success": True, "annotationId": annotation_id})


@frozen
class AnnotationDetail(Resource):
    """PUT and DELETE /api/sites/<site_id>/annotations/<annotation_id>."""

    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _commands: AnnotationCommands

    async def on_put(self, req: Request, resp: Response, site: str, annotation: str) -> None:
        """Replace an annotation."""
        grant = await self._admitted(req, self.access_put, site)
        fields = _fields(await json_object(req), marks=False)
        await self._commands.change(grant.site_id, annotation, command_context(req, grant.actor), **fields)
        answer(resp, falcon.HTTP_200, {"success": True})

    async def on_delete(self, req: Request, resp: Response, site: str, annotation: str) -> None:
        """Remove an annotation."""
        grant = await self._admitted(req, self.access_delete, site)
        await self._commands.remove(grant.site_id, annotation, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def annotation_body(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation."""
    return {
        "annotationId": annotation.annotation_id,
        "at": instant_text(annotation.at),
        "text": annotation.text,
        "release": annotation.release,
        "userId": annotation.user_id,
    }


def _fields(body: Mapping[str, Any], *, marks: bool) -> dict[str, Any]:
    """Return the fields of a body; the mark of a deploy needs a release."""
    field_errors = {
        name: ["must be a string"]
        for name in ("at", "text", "release")
        if not isinstance(body.get(name), str | None)
    }
    if marks and body.get("release") is None:
        field_errors["release"] = ["is required: the name of the release that was deployed"]
    if field_errors:
        raise Invalid(field_errors)
    at = body.get("at")
    instant = None if at is None else parse_instant("at", at)
    return {"at": instant, "text": body.get("text"), "release": body.get("release")}
