"""Starting points of programs: the command line and the server."""

import gc
import sys


def main() -> None:
    """Run the command line of `footfall`."""
    # Commands and requests make objects by the thousand and hardly any cycles: at the usual threshold, looking for
    # these again and again takes a sixth of an import, and 3 % of a busy worker.
    gc.set_threshold(50_000, 20, 20)
    try:
        from footfall.entrypoints.cli import cli  # noqa: PLC0415 - the base install has no command line library
    except ModuleNotFoundError as missing:
        hint = "the command needs the packages of footfall[server]"
        sys.exit(f"footfall: {hint} ({missing.name} is missing)")
    cli()
