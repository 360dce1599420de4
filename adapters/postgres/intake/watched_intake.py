"""The way into the traffic log of a server that may hang."""

from attrs import frozen

from footfall.adapters.postgres.database.connections import ServerWatch
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.application.ports.traffic_log import Submission
from footfall.domain.tracking.admission import Admission


@frozen
class WatchedIntake:
    """Intake whose requests wait for a hanging server no longer than it takes to find out that it hangs."""

    _intake: PostgresIntake
    _watch: ServerWatch

    async def submit(self, submission: Submission) -> Admission:
        """Return when the request's hits are committed."""
        with self._watch.watching(self._intake.give_up):
            return await self._intake.submit(submission)

    async def drain(self) -> None:
        """Refuse new hits and return when none waits any more."""
        await self._intake.drain()
