"""Source maps of sites over HTTP (docs/errors/source-maps.md)."""

import asyncio
import zlib
from collections.abc import Mapping
from itertools import islice
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object, read_body
from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import PAGING, refuse_unknown
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.commands.source_map_uploads import SourceMapUploads, UploadsBusy
from footfall.application.ports.errors.source_maps import SourceMaps
from footfall.domain.error_tracking.source_maps import (
    MAX_FILE_BYTES,
    KeptFile,
    MinifiedFile,
    PackedFile,
    SourceMapNotFound,
    check_source_map,
    parse_file_name,
)
from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import parse_page
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.tracking.release import name_release, parse_release

PAGE_SIZE = 50
# JSON escapes lengthen texts: code has some quotes and line ends.
_MAX_JSON = MAX_FILE_BYTES + MAX_FILE_BYTES // 4
_FIELDS = ("code", "map")
# A body of 32 MiB could have millions of unknown fields.
_MOST_NAMED = 5
_LONGEST_NAME = 100
_GZIP = 16 + zlib.MAX_WBITS


@frozen
class SourceMapList(Resource):
    """GET, PUT and DELETE /api/sites/<site_id>/source-maps."""

    access_get = Access.MEMBER
    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _maps: SourceMaps
    _uploads: SourceMapUploads

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the files that the site keeps, the latest upload first."""
        grant = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        refuse_unknown(req, {*PAGING, "release"})
        texts = _texts(req)
        page = parse_page(texts, size=PAGE_SIZE, size_names=("limit", "page_size"))
        release = parse_release(texts["release"]) if "release" in texts else None
        listing = await self._maps.listed(grant.site_id, page, release)
        meta = {**page_meta(page, listing.total), "storedBytes": listing.stored}
        answer(resp, falcon.HTTP_200, {"data": [_file_body(file) for file in listing.files], "meta": meta})

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Keep a minified file with its map, in place of an earlier one of this name."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        release, name = _place(req)
        try:
            async with self._uploads.turn():
                packed = await asyncio.to_thread(_packed, await read_body(req), _encoding(req))
        except UploadsBusy:
            raise falcon.HTTPServiceUnavailable(
                title="Temporarily unavailable", description="Other uploads are under way", retry_after=5
            ) from None
        stored = await self._uploads.keep(grant.site_id, release, name, packed)
        body = {"success": True, "stored": stored, "digest": packed.digest}
        answer(resp, falcon.HTTP_201 if stored else falcon.HTTP_200, body)

    async def on_delete(self, req: Request, resp: Response, site: str) -> None:
        """Delete a file, or all files of a release."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        refuse_unknown(req, {"release", "file"})
        texts = _texts(req)
        release = parse_release(texts.get("release", ""))
        name = parse_file_name(texts["file"]) if "file" in texts else None
        deleted = await self._maps.delete(grant.site_id, release, name)
        if not deleted:
            raise SourceMapNotFound
        answer(resp, falcon.HTTP_200, {"success": True, "deleted": deleted})


def _place(req: Request) -> tuple[str, str]:
    refuse_unknown(req, {"release", "file"})
    texts = _texts(req)
    errors: dict[str, Any] = {}
    parts = []
    for name, parse in (("release", name_release), ("file", parse_file_name)):
        try:
            parts.append(parse(texts.get(name, "")))
        except Invalid as refusal:
            errors |= refusal.field_errors
    if errors:
        raise Invalid(errors)
    return parts[0], parts[1]


def _texts(req: Request) -> Mapping[str, str]:
    return {name: value for name, value in req.params.items() if isinstance(value, str)}


def _encoding(req: Request) -> str:
    encoding = (req.get_header("Content-Encoding") or "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise falcon.HTTPUnsupportedMediaType(
            title="Unsupported media type", description="Content-Encoding must be gzip, or absent"
        )
    return encoding


def _packed(body: bytes, encoding: str) -> PackedFile:
    """Return the file of a request.

    Raises:
        Invalid: the body is not as documented; the errors name the fields.
        HTTPContentTooLarge: it is too long when it is unpacked.

    """
    try:
        fields = decode_object(_unpacked(body) if encoding == "gzip" else body)
    except NotAnObject as fault:
        raise Invalid({}, form_errors=[str(fault)]) from None
    errors = {name: ["must be a text"] for name in _FIELDS if not isinstance(fields.get(name), str)}
    unknown = islice((name for name in fields if name not in _FIELDS), _MOST_NAMED)
    errors |= {_shown(name): ["unknown field; accepted: code, map"] for name in unknown}
    if errors:
        raise Invalid(errors)
    try:
        content = MinifiedFile(fields["code"].encode(), fields["map"].encode())
    except UnicodeEncodeError:
        raise Invalid({}, form_errors=["The texts must not contain unpaired surrogates"]) from None
    return _checked(content)


def _shown(name: str) -> str:
    # The encoding of the answer has no unpaired surrogates.
    return name[:_LONGEST_NAME].encode("utf-8", "replace").decode()


def _checked(content: MinifiedFile) -> PackedFile:
    if len(content.code) + len(content.source_map) > MAX_FILE_BYTES:
        raise _too_large()
    check_source_map(content.source_map)
    return PackedFile.of(content)


def _unpacked(body: bytes) -> bytes:
    stream = zlib.decompressobj(_GZIP)
    try:
        text = stream.decompress(body, _MAX_JSON + 1)
    except zlib.error:
        raise Invalid({}, form_errors=["The body is not gzip"]) from None
    if len(text) > _MAX_JSON:
        raise _too_large()
    if not stream.eof:
        raise Invalid({}, form_errors=["The compressed body is incomplete"])
    return text


def _too_large() -> falcon.HTTPContentTooLarge:
    limit = f"{MAX_FILE_BYTES // 1024 // 1024} MiB"
    return falcon.HTTPContentTooLarge(
        title="Payload too large", description=f"A file and its map have at most {limit} together"
    )


def _file_body(file: KeptFile) -> dict[str, Any]:
    return {
        "release": file.release,
        "file": file.name,
        "digest": file.digest,
        "bytes": file.size,
        "storedBytes": file.stored,
        "uploadedAt": instant_text(file.uploaded_at),
    }
