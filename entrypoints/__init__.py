"""Starting points of programs: the command line and the server."""

import sys


def main() -> None:
    """Run the command line of `footfall`."""
    try:
        from footfall.entrypoints.cli import cli  # noqa: PLC0415 - the base install has no command line library
    except ModuleNotFoundError as missing:
        hint = "the command needs the server packages: pip install 'footfall[server]'"
        sys.exit(f"footfall: {hint} ({missing.name} is missing)")
    cli()
