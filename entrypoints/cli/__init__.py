"""`footfall`, the command."""

import click

from footfall import __version__
from footfall.entrypoints.cli import (
    bench,
    demonstration,
    geoip,
    imports,
    mail,
    mcp,
    operations,
    serving,
    source_maps,
)
from footfall.entrypoints.cli.administration import keys, organizations, sites, users
from footfall.entrypoints.cli.maintenance import (
    backups,
    cells,
    columns,
    projections,
    retention,
    transfer,
    visitors,
)
from footfall.entrypoints.cli.output import Refusing


@click.group(cls=Refusing, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="footfall")
def cli() -> None:
    """Self-hosted web analytics: an acknowledged event is never lost.

    Configuration comes from environment variables named FOOTFALL_...: footfall serve --help lists them.
    """


for command in (
    serving.serve,
    serving.init,
    organizations.org,
    organizations.member,
    sites.site,
    keys.key,
    users.user,
    mail.mail,
    backups.backup,
    backups.restore,
    retention.retention,
    transfer.export,
    imports.import_,
    visitors.visitor,
    geoip.geoip,
    demonstration.demo,
    bench.bench,
    mcp.mcp,
    operations.history,
    operations.journal,
    operations.migrate,
    operations.doctor,
    operations.openapi,
    projections.projections,
    cells.cell,
    columns.columns,
    source_maps.source_maps,
):
    cli.add_command(command)
