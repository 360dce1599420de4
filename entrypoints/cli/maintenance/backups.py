"""`footfall backup` and `footfall restore`."""

import os
import sys
from functools import partial
from pathlib import Path

import click

from footfall.entrypoints.cli.output import CommandRefused, emit, json_option, option, program
from footfall.entrypoints.composition.commands.backups import back_up
from footfall.entrypoints.composition.commands.restores import RestoreOptions
from footfall.entrypoints.composition.commands.restores import restore as restore_backup
from footfall.entrypoints.settings import read_settings

PASSPHRASE = "FOOTFALL_BACKUP_PASSPHRASE"  # noqa: S105 - the name of a variable
_folder = click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
_passphrase_option = option(
    "--passphrase-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"A file whose first line is the passphrase; without it {PASSPHRASE}, or a question.",
)


@click.command()
@_folder
@option("--with-secret", is_flag=True, help="Add the secret of the server, encrypted with a passphrase.")
@_passphrase_option
@json_option
def backup(directory: Path, *, with_secret: bool, passphrase_file: Path | None, as_json: bool) -> None:
    """Write a backup to DIRECTORY, which is new or empty, also while the service runs."""
    passphrase = partial(_passphrase, passphrase_file, confirm=True) if with_secret else None
    manifest = back_up(read_settings(os.environ), directory, passphrase)
    document = {
        "directory": str(directory),
        "madeAt": manifest.made_at,
        "bytes": manifest.size,
        "files": sorted(manifest.files),
        "journalPosition": manifest.journal_position,
        "hitPosition": manifest.hit_position,
        "withSecret": with_secret,
    }
    lines = [
        f"backed up to {directory}: {manifest.size:,} byte(s), events up to position {manifest.hit_position:,}"
    ]
    if not with_secret:
        lines.append("keep the secret of the server apart: without it the backup restores in part only")
    emit(document, lines, as_json=as_json)


@click.command()
@_folder
@option(
    "--erasures",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The latest erasures.log of the installation: what was erased since the backup is erased again.",
)
@option("--without-erasures", is_flag=True, help="Go on although erasures since the backup come back.")
@option("--without-secret", is_flag=True, help="Go on with a new secret: returning visitors count as new.")
@_passphrase_option
@json_option
def restore(
    directory: Path,
    *,
    erasures: Path | None,
    without_erasures: bool,
    without_secret: bool,
    passphrase_file: Path | None,
    as_json: bool,
) -> None:
    """Restore the backup in DIRECTORY to an empty data directory, and to its store or an empty database."""
    if erasures is not None and without_erasures:
        raise click.UsageError("give either --erasures or --without-erasures")
    wanted = RestoreOptions(
        passphrase=partial(_passphrase, passphrase_file, confirm=False),
        erasures=erasures,
        without_erasures=without_erasures,
        without_secret=without_secret,
    )
    settings = read_settings(os.environ)
    restored = restore_backup(settings, directory, wanted, partial(click.echo, err=True))
    manifest = restored.backup.manifest
    document = {
        "madeAt": manifest.made_at,
        "version": manifest.version,
        "hitPosition": manifest.hit_position,
        "migrations": restored.migrations,
        "sitesErased": restored.sites,
        "visitorsErased": restored.visitors,
    }
    lines = [
        f"restored the backup of {manifest.made_at}, events up to position {manifest.hit_position:,}",
        f"erased again: {restored.sites} site(s), {restored.visitors} visitor(s)",
        f"check it with {program()} projections rebuild --verify, then start {program()} serve",
    ]
    emit(document, lines, as_json=as_json)


def _passphrase(file: Path | None, *, confirm: bool) -> str:
    if file is not None:
        try:
            return file.read_text().partition("\n")[0]
        except (OSError, UnicodeError) as fault:
            raise CommandRefused(f"{file}: {getattr(fault, 'strerror', None) or 'it is no text'}") from None
    if given := os.environ.get(PASSPHRASE):
        return given
    if not sys.stdin.isatty():
        raise CommandRefused(f"give the passphrase as {PASSPHRASE} or with --passphrase-file")
    asked: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=confirm, err=True)
    return asked
