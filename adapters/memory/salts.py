"""Daily salts in memory."""

from footfall.application.ports import Randomness


class MemorySalts:
    """Salts that end with the process."""

    def __init__(self, randomness: Randomness) -> None:
        self._randomness = randomness
        self._salts: dict[str, bytes] = {}

    async def of_day(self, day: str) -> bytes:
        """Return the day's salt, the same for everybody who asks."""
        return self._salts.setdefault(day, self._randomness.salt())

    async def destroy_before(self, day: str) -> None:
        """Forget the salts of earlier days."""
        self._salts = {kept: salt for kept, salt in self._salts.items() if kept >= day}
