"""A node with files of columns over a store."""

import pytest

from tests.stores.columns import FileColumns


@pytest.fixture
async def node(stored, tmp_path):
    """A node with files, over a store."""
    node = FileColumns(stored, tmp_path)
    yield node
    await node.engine.close()
