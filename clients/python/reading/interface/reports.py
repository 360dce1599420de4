"""The reports by their names: generated from the OpenAPI document by `make openapi`."""

from typing import Literal, Protocol, TypeVar, Unpack, overload

from footfall.client.reading.interface import schemas
from footfall.client.reading.report import Report

Result_co = TypeVar("Result_co", covariant=True)

REPORTS = {
    report.name: report
    for report in (
        Report("goals", schemas.ListGoalsParameters, schemas.ListGoalsResponse, "page"),
        Report("bots", schemas.ListBotsParameters, schemas.ListBotsResponse, None),
        Report("properties", schemas.ListPropertiesParameters, schemas.ListPropertiesResponse, "page"),
        Report("property-values", schemas.ListPropertyValuesParameters, schemas.ListPropertyValuesResponse, "page"),
        Report("property-timeseries", schemas.GetPropertyTimeseriesParameters, schemas.GetPropertyTimeseriesResponse, None),
        Report("funnels/{funnel}", schemas.GetFunnelParameters, schemas.GetFunnelResponse, None),
        Report("journeys", schemas.GetJourneysParameters, schemas.GetJourneysResponse, None),
        Report("goals/{goal}/sessions", schemas.ListGoalSessionsParameters, schemas.ListGoalSessionsResponse, "page"),
        Report("sessions", schemas.ListSessionsParameters, schemas.ListSessionsResponse, "cursor"),
        Report("sessions/{session}", schemas.GetSessionParameters, schemas.GetSessionResponse, "page"),
        Report("overview", schemas.GetOverviewParameters, schemas.GetOverviewResponse, None),
        Report("retention", schemas.GetRetentionParameters, schemas.GetRetentionResponse, None),
        Report("revenue", schemas.GetRevenueParameters, schemas.GetRevenueResponse, "page"),
        Report("timeseries", schemas.GetTimeseriesParameters, schemas.GetTimeseriesResponse, None),
        Report("breakdown", schemas.GetBreakdownParameters, schemas.GetBreakdownResponse, "page"),
        Report("movers", schemas.GetMoversParameters, schemas.GetMoversResponse, None),
        Report("outbound", schemas.GetOutboundParameters, schemas.GetOutboundResponse, "page"),
        Report("error-names", schemas.ListErrorsParameters, schemas.ListErrorsResponse, "page"),
        Report("errors/new", schemas.ListNewErrorsParameters, schemas.ListNewErrorsResponse, "page"),
        Report("error-events", schemas.ListErrorEventsParameters, schemas.ListErrorEventsResponse, "page"),
        Report("error-bucketed", schemas.GetErrorBucketsParameters, schemas.GetErrorBucketsResponse, None),
        Report("errors", schemas.ListErrorGroupsParameters, schemas.ListErrorGroupsResponse, "page"),
        Report("errors/costs", schemas.ListErrorCostsParameters, schemas.ListErrorCostsResponse, None),
        Report("errors/{group}/cost", schemas.GetErrorCostParameters, schemas.GetErrorCostResponse, None),
        Report("annotations", schemas.ListAnnotationsParameters, schemas.ListAnnotationsResponse, "page"),
        Report("pages", schemas.GetPagesParameters, schemas.GetPagesResponse, "page"),
        Report("web-vitals", schemas.GetWebVitalsParameters, schemas.GetWebVitalsResponse, "page"),
        Report("live", schemas.GetLiveParameters, schemas.GetLiveResponse, None),
        Report("realtime", schemas.GetRealtimeParameters, schemas.GetRealtimeResponse, None),
    )
}


class Call(Protocol[Result_co]):
    """A call of a report with its parameters; each report has a signature of its own."""

    @overload
    def __call__(
        self, site: str | int, report: Literal["goals"], /, **parameters: Unpack[schemas.ListGoalsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["bots"], /, **parameters: Unpack[schemas.ListBotsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["properties"], /, **parameters: Unpack[schemas.ListPropertiesParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["property-values"], /, **parameters: Unpack[schemas.ListPropertyValuesParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["property-timeseries"], /, **parameters: Unpack[schemas.GetPropertyTimeseriesParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["funnels/{funnel}"], /, **parameters: Unpack[schemas.GetFunnelParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["journeys"], /, **parameters: Unpack[schemas.GetJourneysParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["goals/{goal}/sessions"], /, **parameters: Unpack[schemas.ListGoalSessionsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["sessions"], /, **parameters: Unpack[schemas.ListSessionsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["sessions/{session}"], /, **parameters: Unpack[schemas.GetSessionParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["overview"], /, **parameters: Unpack[schemas.GetOverviewParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["retention"], /, **parameters: Unpack[schemas.GetRetentionParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["revenue"], /, **parameters: Unpack[schemas.GetRevenueParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["timeseries"], /, **parameters: Unpack[schemas.GetTimeseriesParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["breakdown"], /, **parameters: Unpack[schemas.GetBreakdownParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["movers"], /, **parameters: Unpack[schemas.GetMoversParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["outbound"], /, **parameters: Unpack[schemas.GetOutboundParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["error-names"], /, **parameters: Unpack[schemas.ListErrorsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["errors/new"], /, **parameters: Unpack[schemas.ListNewErrorsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["error-events"], /, **parameters: Unpack[schemas.ListErrorEventsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["error-bucketed"], /, **parameters: Unpack[schemas.GetErrorBucketsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["errors"], /, **parameters: Unpack[schemas.ListErrorGroupsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["errors/costs"], /, **parameters: Unpack[schemas.ListErrorCostsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["errors/{group}/cost"], /, **parameters: Unpack[schemas.GetErrorCostParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["annotations"], /, **parameters: Unpack[schemas.ListAnnotationsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["pages"], /, **parameters: Unpack[schemas.GetPagesParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["web-vitals"], /, **parameters: Unpack[schemas.GetWebVitalsParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["live"], /, **parameters: Unpack[schemas.GetLiveParameters]
    ) -> Result_co: ...

    @overload
    def __call__(
        self, site: str | int, report: Literal["realtime"], /, **parameters: Unpack[schemas.GetRealtimeParameters]
    ) -> Result_co: ...
