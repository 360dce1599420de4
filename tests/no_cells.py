"""An installation without cells: everything is in the store of the journal."""


class NoCells:
    """What is told of cells where there are none."""

    async def recent(self):
        return {}

    async def obstacles(self):
        return {}

    async def lags(self):
        return {}
