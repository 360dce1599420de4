"""The last use of API keys, in memory."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import define, field


@define
class MemoryKeyUses:
    """KeyUses over a dict."""

    _uses: dict[int, datetime] = field(factory=dict, init=False)

    async def record(self, uses: Mapping[int, datetime]) -> None:
        """Store the use of each key unless a later one is stored."""
        for key_id, at in uses.items():
            self._uses[key_id] = max(at, self._uses.get(key_id, at))

    async def of(self, key_ids: Sequence[int]) -> dict[int, datetime]:
        """Return the last use of each of these keys that was used."""
        return {key_id: self._uses[key_id] for key_id in key_ids if key_id in self._uses}
