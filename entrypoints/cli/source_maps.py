"""`footfall sourcemaps`: uploads minified files with their source maps over HTTP, from the machine that built them."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from footfall.entrypoints.cli.output import CommandRefused, emit, emit_done, emit_table, json_option, option
from footfall.entrypoints.setting_parsers import origin
from footfall.entrypoints.sourcemaps.bundles import Bundle, Skipped, read_bundles
from footfall.entrypoints.sourcemaps.uploading import FileRefused, SourceMapClient, UploadFailed

KEY = "FOOTFALL_API_KEY"
_EPILOG = f"Environment:\n\n{KEY}: API key of a member of the site's organization."
_MOST_LISTED = 200

Result = TypeVar("Result")

_site_option = option("--site", required=True, help="The siteId or the id of the site.")
_url_option = option(
    "--url", default="http://127.0.0.1:8000", show_default=True, help="Origin of the service."
)


@click.group("sourcemaps")
def source_maps() -> None:
    """Upload source maps, so that stacks of errors are shown as written (docs/errors/source-maps.md)."""


@source_maps.command("upload", epilog=_EPILOG)
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@option("--release", required=True, help="The release that events and errors of this build name.")
@_site_option
@_url_option
@option("--prefix", default="", help="Path to put before the names of the files, as in their addresses.")
@option("--dry-run", is_flag=True, help="Show what would be uploaded, and send nothing.")
@json_option
def upload(
    directory: Path, release: str, site: str, url: str, prefix: str, *, dry_run: bool, as_json: bool
) -> None:
    """Upload the minified files below a directory with their source maps.

    The exit status is 1 when a file was refused, or when no file has a source map.
    """
    client = None if dry_run else _client(url, site)
    start = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
    lines = [_line(bundle, f"{start}{bundle.name}", client, release) for bundle in read_bundles(directory)]
    counts = Counter(line["outcome"] for line in lines)
    if as_json:
        emit({"release": release, "files": lines, "counts": counts}, [], as_json=True)
    else:
        emit_table(lines, as_json=False)
        click.echo(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    if counts["refused"]:
        raise CommandRefused(f"the service refused {counts['refused']} of the files")
    if set(counts) <= {"skipped"}:
        raise CommandRefused(f"no file below {directory} has a source map")


@source_maps.command("list", epilog=_EPILOG)
@_site_option
@_url_option
@option("--release", help="Only the files of this release.")
@json_option
def list_files(site: str, url: str, release: str | None, *, as_json: bool) -> None:
    """List the source maps that a site keeps, the latest 200 uploads."""
    query = {"limit": str(_MOST_LISTED), **({} if release is None else {"release": release})}
    listing = _answer_to(lambda: _client(url, site).listed(query))
    emit_table(listing["data"], as_json=as_json)


@source_maps.command("delete", epilog=_EPILOG)
@_site_option
@_url_option
@option("--release", required=True, help="The release whose files are deleted.")
@option("--file", help="Only the file of this name.")
@json_option
def delete(site: str, url: str, release: str, file: str | None, *, as_json: bool) -> None:
    """Delete the source maps of a release."""
    query = {"release": release, **({} if file is None else {"file": file})}
    deleted = _answer_to(lambda: _client(url, site).delete(query))
    emit_done({"deleted": deleted}, as_json=as_json)


def _line(
    bundle: Bundle | Skipped, name: str, client: SourceMapClient | None, release: str
) -> dict[str, Any]:
    if isinstance(bundle, Skipped):
        return {"file": name, "outcome": "skipped", "detail": bundle.reason}
    note = "" if bundle.has_source_text else "without source text: stacks show places, and no code"
    if client is None:
        return {"file": name, "outcome": "found", "detail": note}
    try:
        stored = _answer_to(lambda: client.put(release, name, bundle))
    except FileRefused as refusal:
        return {"file": name, "outcome": "refused", "detail": str(refusal)}
    return {"file": name, "outcome": "uploaded" if stored else "unchanged", "detail": note}


def _client(url: str, site: str) -> SourceMapClient:
    key = os.environ.get(KEY, "")
    if not key:
        raise CommandRefused(f"{KEY} must hold an API key: footfall key create makes one")
    try:
        return SourceMapClient(origin(url), site, key)
    except ValueError as fault:
        raise click.BadParameter(str(fault), param_hint="--url") from None


def _answer_to(request: Callable[[], Result]) -> Result:
    try:
        return request()
    except UploadFailed as failure:
        raise CommandRefused(str(failure)) from None
