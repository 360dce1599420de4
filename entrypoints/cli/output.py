"""The output of commands: data on standard output, one clear line on standard error, an exit status."""

import errno
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.exceptions import DomainError
from footfall.entrypoints.composition.commands.command_adapters import (
    BackupRefused,
    DatabaseUnreadable,
    EmbeddedPostgresError,
    UnsupportedSchema,
)
from footfall.entrypoints.composition.secret import SecretUnreadable
from footfall.entrypoints.composition.stores import StoreRefused
from footfall.entrypoints.server.address import AddressUnusable
from footfall.entrypoints.settings import InvalidSettings

_FULL = {errno.ENOSPC, errno.EDQUOT}
Command = TypeVar("Command", bound=Callable[..., Any])

_EXPECTED = (
    DomainError,
    AddressUnusable,
    BackupRefused,
    EmbeddedPostgresError,
    InvalidSettings,
    SecretUnreadable,
    StoreRefused,
    DatabaseUnreadable,
    UnsupportedSchema,
)


class CommandRefused(click.ClickException):
    """A command that was refused or failed: one line, exit status 1."""

    def show(self, file: Any = None) -> None:
        """Print the line on standard error."""
        click.echo(f"footfall: {self.message}", err=True, file=file)


class Refusing(click.Group):
    """A group whose commands turn every expected refusal into one line."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except StoreUnavailable as refusal:
            raise CommandRefused(f"{refusal}: footfall doctor says more") from None
        except _EXPECTED as refusal:
            raise CommandRefused(str(refusal)) from None
        except OSError as fault:
            if fault.errno not in _FULL:
                raise
            raise CommandRefused(f"{fault.strerror}: {fault.filename or 'the disk is full'}") from None


def option(name: str, *names: str, **attributes: Any) -> Callable[[Command], Command]:
    """Return an option with its environment twin: `--port` is FOOTFALL_PORT, `--json` is FOOTFALL_JSON."""
    twin = f"FOOTFALL_{name.removeprefix('--').replace('-', '_').upper()}"
    return click.option(name, *names, envvar=twin, show_envvar=True, **attributes)


def json_option(command: Command) -> Command:
    """Give a command the flag `--json`."""
    return option("--json", "as_json", is_flag=True, help="Answer with one JSON document.")(command)


def emit(data: Any, lines: Sequence[str], *, as_json: bool) -> None:
    """Print the data as one JSON document, or the lines for people."""
    click.echo(json.dumps(data, indent=2) if as_json else "\n".join(lines))


def emit_fields(document: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the fields of one thing, one on a line for people."""
    emit(document, [f"{name}: {_cell(value)}" for name, value in document.items()], as_json=as_json)


def emit_done(document: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the result as one JSON document; without --json the exit status is the answer."""
    if as_json:
        emit(document, [], as_json=True)


def program() -> str:
    """Return how the user calls `footfall`: by its path in a clone, by its name otherwise."""
    return sys.argv[0] if Path(sys.argv[0]).name == "footfall" else "footfall"


def emit_table(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print rows of the same columns, aligned for people."""
    emit(rows, table(rows), as_json=as_json)


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the lines of rows of the same columns, aligned for people."""
    if not rows:
        return ["nothing yet"]
    cells = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) or "-"
    return str(value).lower() if isinstance(value, bool) else _printable(str(value))


def _printable(text: str) -> str:
    """Return a text whose control characters are escaped: what visitors sent must not move the cursor of a terminal."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else json.dumps(character)[1:-1] for character in text
    )
