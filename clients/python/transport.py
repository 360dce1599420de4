"""One HTTP exchange: an attempt goes out, an answer or the reason for its absence comes back."""

import logging
import threading
from collections.abc import Mapping
from time import monotonic

import footfall
from footfall.client.answer import Answer, read_answer
from footfall.client.delivery import Attempt
from footfall.client.options import Settings

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'The clients need: pip install "footfall[client]"', name=missing.name
    ) from missing

log = logging.getLogger("footfall.client")


def _headers(settings: Settings) -> Mapping[str, str]:
    return {
        "Authorization": f"Bearer {settings.api_key}",
        "Content-Type": "application/json",
        "User-Agent": f"footfall-python/{footfall.__version__}",
    }


class Transport:
    """Sends attempts one after another, or from several threads at once."""

    def __init__(self, settings: Settings) -> None:
        self._host = settings.analytics_host.rstrip("/")
        self._settings = settings
        self._lock = threading.Lock()
        self._http: httpx2.Client | None = None

    def send(self, attempt: Attempt) -> Answer:
        """Return the answer; a failed exchange is an answer without a status."""
        attempt.begin()
        started = monotonic()
        try:
            response = self._open().post(
                self._host + attempt.path, content=attempt.content, headers=attempt.headers
            )
            answer = _read(response)
        except httpx2.HTTPError as error:
            answer = _no_answer(error)
        _note(attempt, answer, started)
        return answer

    def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            self._http.close()

    def _open(self) -> httpx2.Client:
        # Not before it is needed: loading certificates has no place in a child that was just forked.
        with self._lock:
            if self._http is None:
                self._http = httpx2.Client(headers=_headers(self._settings), timeout=self._settings.timeout)
            return self._http


class AsyncTransport:
    """The same on the running event loop."""

    def __init__(self, settings: Settings) -> None:
        self._host = settings.analytics_host.rstrip("/")
        self._http = httpx2.AsyncClient(headers=_headers(settings), timeout=settings.timeout)

    async def send(self, attempt: Attempt) -> Answer:
        """Return the answer; a failed exchange is an answer without a status."""
        attempt.begin()
        started = monotonic()
        try:
            response = await self._http.post(
                self._host + attempt.path, content=attempt.content, headers=attempt.headers
            )
            answer = _read(response)
        except httpx2.HTTPError as error:
            answer = _no_answer(error)
        _note(attempt, answer, started)
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _read(response: httpx2.Response) -> Answer:
    return read_answer(response.status_code, response.headers.get("retry-after"), response.content)


def _no_answer(error: httpx2.HTTPError) -> Answer:
    return Answer(None, fault=str(error) or type(error).__name__)


def _note(attempt: Attempt, answer: Answer, started: float) -> None:
    milliseconds = (monotonic() - started) * 1_000
    log.debug("POST %s: %s after %.0f ms", attempt.path, answer.status or answer.fault, milliseconds)
