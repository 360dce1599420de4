"""What the HTTP interface uses of a process."""

from attrs import field, frozen

from footfall.adapters.http.lifespan import Step
from footfall.adapters.http.resources.health import CellObstacles, ColumnsState, Readiness
from footfall.adapters.http.resources.metrics import Render
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.ports.metrics import Metrics
from footfall.application.services import SharedServices
from footfall.domain.tracking.rate_limit import RateLimit


@frozen(kw_only=True)
class Services(SharedServices):
    """The application services and settings that the HTTP interface uses."""

    ingestion: Ingestion
    reports: ReportContext
    rate_limit: RateLimit | None = None
    client_address: ClientAddress = field(factory=lambda: ClientAddress(()))
    readiness: Readiness
    columns_state: ColumnsState
    cell_obstacles: CellObstacles
    metrics: Metrics
    render_metrics: Render
    start: Step
    stop: Step
