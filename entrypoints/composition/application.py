"""Builds the ASGI application from ports: the HTTP interface and the dashboard over the same services."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import fields, frozen
from falcon.routing import CompiledRouter

from footfall.adapters.http.app import App, create_app, with_edge
from footfall.adapters.http.lifespan import Step
from footfall.adapters.http.resources.services import Services
from footfall.adapters.http.tracking.additional_names import Renamed
from footfall.adapters.http.wire.body_limits import Application
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.web.app import add_dashboard
from footfall.adapters.web.services import Dashboard, TrackingSnippet
from footfall.application.citations.answer_states import Answers
from footfall.application.journal.directory import Directory
from footfall.application.services import SharedServices
from footfall.entrypoints.composition.ports import Ports
from footfall.entrypoints.composition.service import Service, build_service
from footfall.entrypoints.settings import Settings


@frozen
class Lifecycle:
    """The steps at the start and at the stop of the server: connections and background jobs."""

    start: Step
    stop: Step


@frozen(kw_only=True)
class FootfallApp:
    """The application that a server runs, with the Falcon application and the services inside it."""

    application: Application
    framework: App
    service: Service


def build_app(
    ports: Ports,
    settings: Settings,
    *,
    secret: bytes,
    lifecycle: Callable[[Service], Lifecycle],
    inherited: Directory | None = None,
    router: CompiledRouter | None = None,
) -> FootfallApp:
    """Return the application over these ports; nothing is opened before the server's lifespan begins.

    `inherited` is a directory that was read before the fork: the application reads only later events.
    `router` takes the place of Falcon's own.
    """
    service = build_service(ports, settings, secret=secret, inherited=inherited)
    shared = {field.name: getattr(service, field.name) for field in fields(SharedServices)}
    services = _services(ports, settings, service, lifecycle(service), shared)
    framework = create_app(services, router)
    add_dashboard(framework, _dashboard(ports, settings, service, shared))
    edge = with_edge(framework, services)
    return FootfallApp(
        application=Renamed(edge, settings.renamed) if settings.renamed else edge,
        framework=framework,
        service=service,
    )


def _services(
    ports: Ports, settings: Settings, service: Service, lifecycle: Lifecycle, shared: Mapping[str, Any]
) -> Services:
    return Services(
        **shared,
        ingestion=service.ingestion,
        reports=_report_context(ports, service),
        rate_limit=settings.rate_limit,
        client_address=ClientAddress(settings.trusted_proxies),
        readiness=ports.readiness,
        columns_state=ports.columns_state,
        cell_obstacles=ports.cell_obstacles,
        metrics=ports.metrics,
        render_metrics=ports.render_metrics,
        start=lifecycle.start,
        stop=lifecycle.stop,
    )


def _report_context(ports: Ports, service: Service) -> ReportContext:
    return ReportContext(
        gatekeeper=service.gatekeeper,
        directory=service.journal.directory,
        present=ports.reports,
        freshness=ports.freshness,
        answers=_answers(ports, service),
        clock=ports.clock,
        expressions=ports.expressions,
        compile_patterns=ports.compile_patterns,
    )


def _answers(ports: Ports, service: Service) -> Answers:
    return Answers(
        snapshots=ports.report_snapshots,
        freshness=ports.freshness,
        directory=service.journal.directory,
        events=ports.event_store,
    )


def _dashboard(ports: Ports, settings: Settings, service: Service, shared: Mapping[str, Any]) -> Dashboard:
    return Dashboard(
        **shared,
        reports=ports.reports,
        freshness=ports.freshness,
        answers=_answers(ports, service),
        mailer=service.mailer,
        mail_reports=service.mail_reports,
        report_recipients=service.report_recipients,
        sign_in_ways=service.sign_in_ways,
        expressions=ports.expressions,
        compile_patterns=ports.compile_patterns,
        sealing=service.sealing,
        client_address=ClientAddress(settings.trusted_proxies).of,
        location_source=ports.geolocation.source,
        network_source=ports.networks.source,
        languages=ports.languages,
        origin=settings.public_origin,
        secret=service.secret,
        snippet=TrackingSnippet(settings.script_path, settings.track_path),
    )
