"""The adapters that commands use beside the stores; the command line imports them from here only."""

from pathlib import Path

from footfall.adapters.archive.files import (
    STREAM,
    Exported,
    archive_to_read,
    archive_to_write,
    read_archive,
    write_archive,
)
from footfall.adapters.backup.refusal import BackupRefused
from footfall.adapters.columns.files.exporting import ExportedFiles
from footfall.adapters.embedded import EmbeddedPostgresError
from footfall.adapters.geoip.bot_addresses import BotAddressFile
from footfall.adapters.geoip.bot_download import LIST, fetch_bot_lists
from footfall.adapters.geoip.bot_lists import LISTS
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.download import DownloadFailed, DownloadSource, received
from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.adapters.geoip.reader import LocationDatabase
from footfall.adapters.http.resources.openapi import document as openapi_document
from footfall.adapters.languages.catalogues import fault_of
from footfall.adapters.mail.rendering import TemplateRenderer
from footfall.adapters.postgres.database.migration import UnsupportedSchema, migrate, missing_migrations
from footfall.adapters.postgres.database.replication import Replication
from footfall.adapters.postgres.database.server_check import TRANSACTION_POOLER, Unreachable, examine
from footfall.adapters.postgres.projections.status import ProjectionStatus, ReadModelSize
from footfall.adapters.prometheus.regions import Regions
from footfall.adapters.sources.followed_logs import FollowedLogs
from footfall.adapters.sources.ga4_rows import PlaceCodes
from footfall.adapters.sources.opening import (
    ACCESS_LOG,
    ARCHIVE,
    FORMATS,
    PROTOCOLS,
    ImportOrder,
    check_places,
    logs_without_lines,
    open_followed,
    open_goals,
    open_source,
    recognise,
)
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.adapters.web.places.place_names import country_code
from footfall.adapters.web.places.region_names import region_code
from footfall.adapters.web.reports.links import dashboard_address
from footfall.application.ports.system import Clock
from footfall.domain.mail.mail import Mail, MailKind, checked
from footfall.entrypoints.settings import InvalidSettings

PLACE_CODES = PlaceCodes(country_code, region_code)


def system_clock() -> Clock:
    """Return the clock of the machine."""
    return SystemClock()


def worker_metrics_regions(workers: int) -> Regions:
    """Return the shared memory for the metrics of so many workers; a reload has twice as many for a moment."""
    return Regions(2 * workers + 2)


def require_catalogues(folder: Path | None) -> None:
    """Raise InvalidSettings where there is no such folder, or it has a file that is no catalogue of a language."""
    if folder and not folder.is_dir():
        raise InvalidSettings({"FOOTFALL_LANGUAGES": "must be a folder with catalogues of languages"})
    for path in sorted(folder.glob("*.po")) if folder else ():
        if fault := fault_of(path):
            raise InvalidSettings({"FOOTFALL_LANGUAGES": f"has {path.name}, which is no catalogue: {fault}"})


def compose_test_mail(address: str) -> Mail:
    """Return a mail that only says that mail works.

    Raises:
        Invalid: the address is not a mail address.

    """
    return checked(
        Mail(
            mail_id=SystemRandomness().sign_in_token(),
            kind=MailKind.TEST,
            recipient=address,
            content=TemplateRenderer().render(MailKind.TEST, {}),
        )
    )
