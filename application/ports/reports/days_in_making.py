"""The refusal of reports whose files are being made."""

from collections.abc import Sequence
from datetime import date

from footfall.application.ports.journal import StoreUnavailable


class DaysInMaking(StoreUnavailable):
    """The files of some days, ascending, are being made, and the rows of these do not fit into the memory."""

    def __init__(self, days: Sequence[date]) -> None:
        super().__init__(f"the files of {len(days)} days are being made")
        self.days = days
