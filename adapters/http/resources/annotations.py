"""Annotations of charts and marks of deploys over HTTP (docs/errors/releases.md)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, Result, SiteCall
from footfall.adapters.http.wire.parameters import PAGING, page_of, prefers_csv
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.reports.query_parameters import parse_instant
from footfall.application.reports.tables import MAX_ROWS, annotations_table
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.exceptions import require_valid
from footfall.domain.periods.instant_text import instant_text

PAGE_SIZE = 50
ENDPOINTS = Endpoints()


async def _list(call: SiteCall, *, marks: bool) -> Result:
    """Answer with one page of the annotations, or of the marks of deploys alone, the latest first."""
    page = page_of(call.req, size=PAGE_SIZE, in_file=MAX_ROWS)
    annotations = call.services.directory.annotations(call.site_id).newest_first(releases=marks)
    if prefers_csv(call.req):
        return annotations_table(page.of(annotations))
    data = [annotation_body(annotation) for annotation in page.of(annotations)]
    return {"data": data, "meta": page_meta(page, len(annotations))}


async def _add(call: SiteCall, *, marks: bool) -> Body:
    """Add an annotation, or mark a deploy."""
    fields = _fields(await call.body(), marks=marks)
    annotation_id = await call.services.commands.annotations.add(call.site_id, call.context, **fields)
    return {"success": True, "annotationId": annotation_id}


for _address, _marks in {"/annotations": False, "/releases": True}.items():
    ENDPOINTS.of_site("GET", _address, Access.VIEWER, parameters=PAGING)(partial(_list, marks=_marks))
    ENDPOINTS.of_site("POST", _address, Access.MEMBER, status=201)(partial(_add, marks=_marks))


@ENDPOINTS.of_site("PUT", "/annotations/{annotation}", Access.MEMBER)
async def change_annotation(call: SiteCall) -> None:
    """Replace an annotation."""
    fields, annotation = _fields(await call.body(), marks=False), call.path["annotation"]
    await call.services.commands.annotations.change(call.site_id, annotation, call.context, **fields)


@ENDPOINTS.of_site("DELETE", "/annotations/{annotation}", Access.MEMBER)
async def remove_annotation(call: SiteCall) -> None:
    """Remove an annotation."""
    await call.services.commands.annotations.remove(call.site_id, call.path["annotation"], call.context)


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
    require_valid(field_errors)
    at = body.get("at")
    instant = None if at is None else parse_instant("at", at)
    return {"at": instant, "text": body.get("text"), "release": body.get("release")}
