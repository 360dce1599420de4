"""A turn of the reading process: a site is prepared, and then queries about it are answered."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import define, field

from footfall.adapters.columns.queries import Copy, Parameters, Rows, SiteQuestion
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reader.fresh_sets import FreshSets, Look
from footfall.application.ports.columns import ColumnFiles


@define(eq=False)
class EngineTurn:
    """A turn over the engine of this process."""

    _engine: Engine
    _sets: FreshSets
    _look: Look | None = field(default=None, init=False)

    async def prepare(self, question: SiteQuestion, copy: Copy) -> None:
        """Let the queries from now on see a state of a site.

        Raises:
            ColumnsFailed: the rows do not fit into the memory, or cannot be read.
            StoreUnavailable: the store does not bring them.

        """
        self.end()
        self._look = await self._sets.look(question, copy)

    async def query(
        self,
        text: str,
        parameters: Parameters,
        expressions: Sequence[str] = (),
        files: Sequence[ColumnFiles] = (),
        *,
        leaving_out: bool = False,
    ) -> Rows:
        """Return the rows of a query, which sees the state that was prepared last, or no rows of a site at all.

        Raises:
            ColumnsFailed: the query was not answered; the state has to be prepared anew.

        """
        look = self._look
        if look is None:
            return await self._engine.query(text, parameters, expressions)
        try:
            whole = look.complete(text, files, leaving_out=leaving_out)
            return await self._engine.query(whole, parameters, expressions, look.reading)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the transaction of the state."""
        look, self._look = self._look, None
        if look is not None:
            look.reading.end()


@contextmanager
def engine_turn(engine: Engine, sets: FreshSets) -> Iterator[EngineTurn]:
    """Lend a turn, which begins before the snapshots that it sees are taken."""
    turn = EngineTurn(engine, sets)
    with sets.turn():
        try:
            yield turn
        finally:
            turn.end()
