"""The page that Prometheus reads: the samples of all workers added up, and how far the reports are behind."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import accumulate

from attrs import frozen
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import choose_encoder

from footfall.adapters.prometheus.families import (
    BUILD,
    CELL_LAG_EVENTS,
    CELL_LAG_SECONDS,
    CELL_UP,
    FAMILIES,
    LAG_EVENTS,
    LAG_SECONDS,
    MAIL_WAITING,
    MAIL_WAITING_SECONDS,
    STORE_UP,
    MetricFamily,
    MetricKind,
)
from footfall.adapters.prometheus.regions import Sample
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.mail import MailStatus
from footfall.application.ports.reports.reports import Lag

Totals = dict[MetricFamily, dict[tuple[str, ...], list[float]]]


@frozen(kw_only=True)
class Exposition:
    """Renders all metrics; `refresh` brings the samples of the asked worker up to date."""

    samples: Callable[[], Iterable[Sample]]
    refresh: Callable[[], None]
    lag: Callable[[], Awaitable[Lag]]
    cell_lags: Callable[[], Awaitable[Mapping[str, Lag | None]]]
    mail_status: Callable[[datetime], Awaitable[MailStatus]]
    now: Callable[[], datetime]
    version: str

    async def render(self, accept: str) -> tuple[bytes, str]:
        """Return the page in the format that the header asks for, and its content type; never fails for the store."""
        self.refresh()
        stores = [*await self._of_the_store(), *await self._of_cells()]
        totals = _added_up([*self.samples(), *stores, (BUILD, (self.version,), [1.0])])
        encode, content_type = choose_encoder(accept)
        return encode(_Collected(totals)), content_type

    async def _of_the_store(self) -> list[Sample]:
        try:
            now = self.now()
            lag, mail = await self.lag(), await self.mail_status(now)
        except StoreUnavailable:
            return [(STORE_UP, (), [0.0])]
        waiting_seconds = (now - (mail.waiting_since or now)).total_seconds()
        figures = {
            STORE_UP: 1.0,
            LAG_EVENTS: lag.events,
            LAG_SECONDS: lag.seconds,
            MAIL_WAITING: mail.waiting,
            MAIL_WAITING_SECONDS: waiting_seconds,
        }
        return [(family, (), [value]) for family, value in figures.items()]

    async def _of_cells(self) -> list[Sample]:
        samples: list[Sample] = []
        for cell, lag in (await self.cell_lags()).items():
            samples.append((CELL_UP, (cell,), [float(lag is not None)]))
            if lag is not None:
                samples.append((CELL_LAG_EVENTS, (cell,), [float(lag.events)]))
                samples.append((CELL_LAG_SECONDS, (cell,), [lag.seconds]))
        return samples


@frozen
class _Collected:
    """Totals as prometheus_client's encoders take them."""

    totals: Totals

    def collect(self) -> Iterator[Metric]:
        for family in FAMILIES.values():
            yield _metric(family, self.totals.get(family, {}))


def _added_up(samples: Iterable[Sample]) -> Totals:
    totals: Totals = defaultdict(dict)
    for family, labels, values in samples:
        former = totals[family].get(labels)
        totals[family][labels] = (
            values if former is None else [a + b for a, b in zip(former, values, strict=True)]
        )
    return totals


def _metric(family: MetricFamily, by_labels: dict[tuple[str, ...], list[float]]) -> Metric:
    if family.kind is MetricKind.HISTOGRAM:
        histogram = HistogramMetricFamily(family.name, family.help, labels=family.labels)
        for labels, values in by_labels.items():
            histogram.add_metric(labels, _buckets(family, values[:-1]), values[-1])
        return histogram
    of_kind = CounterMetricFamily if family.kind is MetricKind.COUNTER else GaugeMetricFamily
    metric = of_kind(family.name, family.help, labels=family.labels)
    for labels, [value] in by_labels.items():
        metric.add_metric(labels, value)
    return metric


def _buckets(family: MetricFamily, counts: list[float]) -> list[tuple[str, float]]:
    bounds = [*(str(bound) for bound in family.buckets), "+Inf"]
    return list(zip(bounds, accumulate(counts), strict=True))
