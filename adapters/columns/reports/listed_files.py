"""Files that were listed before a snapshot, for all reports of the answer that the snapshot is for."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import frozen

from footfall.application.ports.columns import ColumnFiles, FileCatalogue

_DAY = timedelta(days=1)


@frozen
class ListedFiles:
    """FileCatalogue over the files of a list: one that is made later may hold what the snapshot does not."""

    _catalogue: FileCatalogue
    _listed: Sequence[ColumnFiles]

    async def files(self, site_id: int, start: datetime, end: datetime) -> Sequence[ColumnFiles]:  # noqa: ARG002 - the list is of one site
        """Return those files of the list that hold a day which the span touches."""
        return [one for one in self._listed if any(start - _DAY < day.day < end for day in one.days)]

    def distrust(self, files: Sequence[ColumnFiles]) -> None:
        """Use files no more that could not be read."""
        self._catalogue.distrust(files)
