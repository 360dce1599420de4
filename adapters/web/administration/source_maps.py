"""Source maps of a site: their list, the form that uploads one, and their deletion."""

import asyncio
from typing import Any
from urllib.parse import urlencode

import falcon
import falcon.asgi
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import upload_command
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import (
    Confirmation,
    Form,
    FormResource,
    FormWithFiles,
    SentFile,
    refusal_page,
)
from footfall.application.access.authorization import Access
from footfall.application.commands.source_map_uploads import UploadsBusy
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import tr
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.error_tracking.source_maps import (
    MinifiedFile,
    PackedFile,
    SourceMapNotFound,
    check_source_map,
    parse_file_name,
)
from footfall.domain.exceptions import Invalid, noting, require_valid
from footfall.domain.pagination import parse_page
from footfall.domain.tracking.release import name_release, parse_release

SIZE = 100


@frozen
class SourceMapsPage(DashboardPage):
    """GET and POST /sites/<site_id>/source-maps."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the files that the site keeps, of one release or of all, and an empty form."""
        record = await self._access.authorize_site(self.access_get, site, req)
        await self._render(req, resp, record, Form({}))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Keep a file, and redirect to the error that the address names, or to the list."""
        # The body may be large: it is read after the user was admitted, and in turn.
        record = await self._access.authorize_site(self.access_post, site, req)
        site_id, sent = record.site.site_id, FormWithFiles(Form({}), {})
        try:
            async with self._services.source_map_uploads.turn():
                sent = await self._access.form_with_files(req)
                release, name, packed = await asyncio.to_thread(_uploaded, sent)
            await self._services.source_map_uploads.keep(site_id, release, name, packed)
        except UploadsBusy:
            raise falcon.HTTPServiceUnavailable(
                title="Other uploads are under way", description="Try again in a moment.", retry_after=5
            ) from None
        except Invalid as refusal:
            await self._render(req, resp, record, sent.form, **refusal_page(refusal, "file"))
            return
        raise falcon.HTTPSeeOther(_origin(req, site_id))

    async def _render(
        self, req: Request, resp: Response, record: SiteRecord, form: Form, **values: Any
    ) -> None:
        shown_page = parse_page({"page": req.get_param("page") or "1"}, size=SIZE)
        shown = req.get_param("release")
        release = None if shown is None else parse_release(shown)
        await self.renderer.render(
            req,
            resp,
            "source_maps.html",
            record=record,
            form=form,
            zone=record.site.zone,
            maps=await self._services.source_maps.listed(record.site.site_id, shown_page, release),
            page=shown_page,
            release=release,
            command=upload_command(record.site.site_id, release or "1.0.0", req.forwarded_prefix),
            # A form that was refused still leads back to the error that it came from.
            action=req.relative_uri if "group" in req.params else _address(record.site.site_id),
            done=req.get_param("done"),
            **values,
        )


@frozen
class SourceMapDeletion(FormResource, DashboardPage):
    """POST /sites/<site_id>/source-maps/deletion."""

    page_of_form = "/sites/{site}/source-maps"
    access_post = Access.MEMBER

    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Delete a file, or all files of a release, after a confirmation."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id, release = record.site.site_id, parse_release(form.text("release"))
        name = parse_file_name(form.text("file")) if form.text("file") else None
        form.require_confirmation(_deletion(site_id, release, name))
        if not await self._services.source_maps.delete(site_id, release, name):
            raise SourceMapNotFound
        raise falcon.HTTPSeeOther(_address(site_id, done="deleted"))


def _uploaded(sent: FormWithFiles) -> tuple[str, str, PackedFile]:
    """Return the release, the name and the content of the file that a form uploads.

    Raises:
        Invalid: a field is not accepted; the errors name all of these.

    """
    form, code, source_map = sent.form, sent.files.get("code"), sent.files.get("map")
    errors: dict[str, list[str]] = {}
    release = name = ""
    with noting(errors):
        release = name_release(form.text("release"))
    try:
        name = parse_file_name(form.text("file") or ("" if code is None else code.name))
    except Invalid as refusal:
        errors |= refusal.field_errors
    contents = {field: _text_of(field, file, errors) for field, file in (("code", code), ("map", source_map))}
    if "map" not in errors:
        with noting(errors):
            check_source_map(contents["map"])
    require_valid(errors)
    return release, name, PackedFile.of(MinifiedFile(contents["code"], contents["map"]))


def _text_of(field: str, file: SentFile | None, errors: dict[str, list[str]]) -> bytes:
    """Return the content of a file, which is a text in UTF-8; faults go to `errors`."""
    if file is None:
        errors[field] = ["is required"]
        return b""
    try:
        file.content.decode()
    except UnicodeDecodeError:
        errors[field] = ["must be a text in UTF-8"]
    return file.content


def _deletion(site_id: int, release: str, name: str | None) -> Confirmation:
    question = (
        tr("Delete all source maps of release {release}?", release=release)
        if name is None
        else tr("Delete the source map of {name} of release {release}?", name=name, release=release)
    )
    return Confirmation(
        question=question,
        consequence="Stacks of this code are shown as they were sent, until it is uploaded again.",
        button="Delete",
        cancel=_address(site_id),
    )


def _address(site_id: int, **parameters: str) -> str:
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"/sites/{site_id}/source-maps{query}"


def _origin(req: Request, site_id: int) -> str:
    group = req.get_param("group") or ""
    if not is_fingerprint(group):
        return _address(site_id, done="uploaded")
    kept = {name: value for name, value in req.params.items() if name != "group"}
    query = urlencode(kept, doseq=True)
    return f"/sites/{site_id}/errors/{group}{'?' if query else ''}{query}"
