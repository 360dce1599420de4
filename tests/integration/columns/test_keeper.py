"""The job of a node: files are made of what is closed, and a node without columns keeps none."""

from footfall.adapters.columns.files.keeper import Keeper, Leaver
from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.missing_files import FULL, MissingFiles
from footfall.adapters.system import SystemClock
from tests.histories import after, hit, record


async def test_a_node_closes_days_and_makes_their_files(node):
    await node.store(record(hit(), hit(after(days=40))))
    shown = []

    await keeper(node, shown).work()

    assert len(await node.listed()) == 2
    assert (shown[-1].directories, shown[-1].days, shown[-1].missing_days, shown[-1].trouble) == (
        2,
        2,
        0,
        None,
    )
    assert shown[-1].bytes == sum(path.stat().st_size for path in node.files if path.suffix == ".parquet")
    assert await node.execute("select node from column_node") == [{"node": node.layout.node_id()}]


async def test_files_that_cannot_be_made_are_said_to_be_missing(node):
    await node.store(record(hit()))
    shown = []
    node.layout.trouble.write_text(FULL)

    async def fail():
        return None

    await keeper(node, shown, fail).work()

    assert (shown[-1].missing_days, shown[-1].trouble) == (1, FULL)


async def test_a_node_without_columns_removes_its_files_and_leaves(node):
    await node.store(record(hit()))
    await keeper(node, []).work()

    await Leaver(node.layout, node.nodes).leave()

    assert not node.layout.root.exists()
    assert await node.execute("select node from column_node") == []


def keeper(node, shown, make=None):
    store, clock = node.stored.column_store(), SystemClock()

    async def make_here():
        maker = Maker(node.layout, store, clock)
        await MissingFiles(node.layout, store, maker, clock, rest=0.0).make()

    return Keeper(node.layout, store, node.nodes, clock, make or make_here, shown.append)
