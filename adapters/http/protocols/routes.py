"""The routes of foreign protocols."""

from typing import Any

import falcon.asgi

from footfall.adapters.http.protocols.endpoint import ForeignEndpoint, Translation
from footfall.adapters.http.protocols.plausible import Plausible
from footfall.adapters.http.protocols.plausible_script import PlausibleScript
from footfall.adapters.http.protocols.sentry import Sentry
from footfall.adapters.http.protocols.sentry_envelope import read_envelope, read_event
from footfall.adapters.http.protocols.umami import Umami, UmamiBatch
from footfall.adapters.http.wire.body_limits import ENVELOPE_PATH, STORE_PATH, UMAMI_BATCH_PATH
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.application.ingestion.foreign import ForeignIngestion
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.ingestion.sender_limit import SenderLimit
from footfall.application.journal.directory import Directory
from footfall.domain.tracking.foreign_protocol import ForeignProtocol


def add_protocols(
    app: falcon.asgi.App[Any, Any], ingestion: Ingestion, directory: Directory, client_address: ClientAddress
) -> None:
    """Add the endpoints of other services, whose scripts and SDKs sites may accept (docs/track/protocols)."""

    def of(protocol: ForeignProtocol) -> ForeignIngestion:
        return ForeignIngestion(protocol=protocol, ingestion=ingestion, directory=directory)

    umami, sentry = of(ForeignProtocol.UMAMI), of(ForeignProtocol.SENTRY)
    senders = SenderLimit(ingestion.limits.rate_limit, ingestion.clock)
    translations: dict[str, Translation] = {
        "/api/event": Plausible(of(ForeignProtocol.PLAUSIBLE)),
        "/api/send": Umami(umami),
        UMAMI_BATCH_PATH: UmamiBatch(umami),
        ENVELOPE_PATH: Sentry(sentry, senders, read_envelope),
        STORE_PATH: Sentry(sentry, senders, read_event),
    }
    for path, translation in translations.items():
        app.add_route(path, ForeignEndpoint(translation, client_address))
    app.add_route("/js/{file}", PlausibleScript())
