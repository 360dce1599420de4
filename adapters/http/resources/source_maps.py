"""Source maps of sites over HTTP (docs/errors/source-maps.md)."""

import asyncio
import zlib
from itertools import islice
from typing import Any

import falcon
from falcon.asgi import Request

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object, read_body
from footfall.adapters.http.wire.parameters import PAGING, page_of, texts_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.commands.source_map_uploads import UploadsBusy
from footfall.domain.error_tracking.source_maps import (
    MAX_FILE_BYTES,
    KeptFile,
    MinifiedFile,
    PackedFile,
    SourceMapNotFound,
    check_source_map,
    parse_file_name,
)
from footfall.domain.exceptions import Invalid, noting, require_valid
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.tracking.release import name_release, parse_release

PAGE_SIZE = 50
# JSON escapes lengthen texts: code has some quotes and line ends.
_MAX_JSON = MAX_FILE_BYTES + MAX_FILE_BYTES // 4
_FIELDS = ("code", "map")
# The parameters that name a file.
_FILE = frozenset({"release", "file"})
# A body of 32 MiB could have millions of unknown fields.
_MOST_NAMED = 5
_LONGEST_NAME = 100
_GZIP = 16 + zlib.MAX_WBITS
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/source-maps", Access.MEMBER, parameters=PAGING | {"release"})
async def list_files(call: SiteCall) -> Body:
    """Answer with one page of the files that the site keeps, the latest upload first."""
    page, texts = page_of(call.req, size=PAGE_SIZE), texts_of(call.req)
    release = parse_release(texts["release"]) if "release" in texts else None
    listing = await call.services.source_maps.listed(call.site_id, page, release)
    meta = {**page_meta(page, listing.total), "storedBytes": listing.stored}
    return {"data": [_file_body(file) for file in listing.files], "meta": meta}


@ENDPOINTS.of_site("PUT", "/source-maps", Access.MEMBER, parameters=_FILE)
async def keep_file(call: SiteCall) -> Body:
    """Keep a minified file with its map, in place of an earlier one of this name."""
    release, name = _place(call.req)
    uploads = call.services.source_map_uploads
    try:
        async with uploads.turn():
            packed = await asyncio.to_thread(_packed, await read_body(call.req), _encoding(call.req))
    except UploadsBusy:
        raise falcon.HTTPServiceUnavailable(
            title="Temporarily unavailable", description="Other uploads are under way", retry_after=5
        ) from None
    stored = await uploads.keep(call.site_id, release, name, packed)
    call.resp.status = falcon.HTTP_201 if stored else falcon.HTTP_200
    return {"success": True, "stored": stored, "digest": packed.digest}


@ENDPOINTS.of_site("DELETE", "/source-maps", Access.MEMBER, parameters=_FILE)
async def delete_files(call: SiteCall) -> Body:
    """Delete a file, or all files of a release."""
    texts = texts_of(call.req)
    release = parse_release(texts.get("release", ""))
    name = parse_file_name(texts["file"]) if "file" in texts else None
    deleted = await call.services.source_maps.delete(call.site_id, release, name)
    if not deleted:
        raise SourceMapNotFound
    return {"success": True, "deleted": deleted}


def _place(req: Request) -> tuple[str, str]:
    texts = texts_of(req)
    errors: dict[str, Any] = {}
    parts = []
    for name, parse in (("release", name_release), ("file", parse_file_name)):
        with noting(errors):
            parts.append(parse(texts.get(name, "")))
    require_valid(errors)
    return parts[0], parts[1]


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
    require_valid(errors)
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
