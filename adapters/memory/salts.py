"""Daily salts in memory."""

from attrs import define, field

from footfall.application.ports.system import Randomness


@define
class MemorySalts:
    """Salts that end with the process."""

    _randomness: Randomness
    _salts: dict[str, bytes] = field(factory=dict, init=False)

    async def of_day(self, day: str) -> bytes:
        """Return the day's salt, the same on every call."""
        return self._salts.setdefault(day, self._randomness.salt())

    async def destroy_before(self, day: str) -> None:
        """Forget the salts of earlier days."""
        self._salts = {salt_day: salt for salt_day, salt in self._salts.items() if salt_day >= day}
