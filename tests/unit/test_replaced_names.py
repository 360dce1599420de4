"""Tests pass fakes to the product: few replace names inside of its modules and classes, for a whole process."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
REPLACING = {"setattr", "delattr", "setitem", "object", "patch"}
# What a file has that replaces anything at all: most need not be parsed.
LIKELY = re.compile(
    r"\.(setattr|delattr|setitem)\(|\bpatch[.(]|^ *(?!self\b)\w+(\.\w+)+(, [\w.]+)* =", re.MULTILINE
)
# The migrations of a version are the files of its package. The others are programs of their own, which end with what
# they have replaced, and the store of a version that made cells otherwise.
ALLOWED = {
    "conftest.py",
    "e2e/failures/jumping_clock.py",
    "integration/cells/test_citus_shards.py",
    "integration/sources/killing.py",
}


def test_few_tests_replace_names_of_the_product():
    texts = {str(path.relative_to(TESTS)): path.read_text("utf-8") for path in TESTS.rglob("*.py")}

    assert {name for name, text in texts.items() if any(_replaced(text))} == ALLOWED


def _replaced(text: str) -> Iterator[ast.AST]:
    """Yield what replaces a name of the product: assignments, and calls of the means that pytest and mocks have."""
    nodes = list(ast.walk(ast.parse(text))) if LIKELY.search(text) else []
    own = {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("footfall")
        for alias in node.names
    }
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[target, *_]) if name in REPLACING:
                if _root(target) in own or str(getattr(target, "value", "")).startswith("footfall."):
                    yield node
            case ast.Attribute(ctx=ast.Store()) if _root(node) in own:
                yield node


def _root(node: ast.AST) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
