"""A node with files of columns over a store."""

import pytest

from tests.stores.columns import FileColumns


@pytest.fixture
async def node(stored):
    """A node with files, over a store."""
    node = FileColumns.of_process(stored)
    yield node
    await node.turns.end()
