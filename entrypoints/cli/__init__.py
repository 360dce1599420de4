"""`footfall`, the command."""

import click

from footfall import __version__
from footfall.entrypoints.cli import (
    bench,
    demonstration,
    keys,
    operations,
    organizations,
    projections,
    retention,
    serving,
    sites,
    transfer,
    users,
)
from footfall.entrypoints.cli.output import Refusing


@click.group(cls=Refusing, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="footfall")
def cli() -> None:
    """Self-hosted web analytics: an acknowledged event is never lost.

    Configuration comes from environment variables named FOOTFALL_..., see the operator's guide.
    """


for command in (
    serving.serve,
    serving.init,
    organizations.org,
    organizations.member,
    sites.site,
    keys.key,
    users.user,
    retention.retention,
    transfer.export,
    transfer.import_events,
    demonstration.demo,
    bench.bench,
    operations.history,
    operations.migrate,
    operations.doctor,
    operations.openapi,
    projections.projections,
):
    cli.add_command(command)
