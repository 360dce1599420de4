"""Texts of templates that are not marked for translation: on pages, in attributes that are read out, in values."""

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

from tests.languages.messages import TEMPLATES

# What is the same in all languages.
NAMES = {"Footfall", "CSV", "JSON", "KiB", "example.com", "UTC", "p50", "p75", "p90", "ms", "light dark"}
_READ_OUT = re.compile(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"')
_TAG = re.compile(r"<[^<>]*>")
_UNREAD = re.compile(r"<(script|style|code|pre)\b.*?</\1>|<!--.*?-->", re.DOTALL)
_NO_TEXT = re.compile(r"&\w+;|data-[\w-]+")
_WORD = re.compile(r"[A-Za-z][A-Za-z.]*[A-Za-z]")
_TEXT = re.compile(r"[A-Z][a-z]+( .*)?|[a-z]+ .*[a-z]")
_CODE = re.compile(r"[=/<>_&]|^(required|inputmode|footfall) ")


def untranslated() -> Iterator[str]:
    """Yield the texts of templates that no language can translate."""
    environment = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)
    for path in (path for folder in TEMPLATES for path in sorted(folder.iterdir())):
        yield from (f"{path.name}: not marked: {text}" for text in _texts(path, environment))


def _texts(path: Path, environment: Environment) -> Iterator[str]:
    tree = environment.parse(path.read_text())
    # What is not literal is a digit here, which no word has.
    markup = "".join(
        part.data if isinstance(part, nodes.TemplateData) else "0"
        for output in tree.find_all(nodes.Output)
        for part in output.nodes
    )
    for text in (*_READ_OUT.findall(markup), *_TAG.split(_UNREAD.sub("", markup))):
        # Styles have braces, and attributes of tags that conditions cut are no text.
        words = set(_WORD.findall(_NO_TEXT.sub("", text))) - NAMES
        if words and "{" not in text:
            yield " ".join(text.split())
    marked = {id(argument) for call in tree.find_all(nodes.Call) if _marks(call) for argument in call.args}
    shown = (value for output in tree.find_all((nodes.Output, nodes.Assign)) for value in _constants(output))
    for value in shown:
        if (
            id(value) not in marked
            and value.value not in NAMES
            and _TEXT.fullmatch(value.value)
            and not _CODE.search(value.value)
        ):
            yield value.value


def _marks(call: nodes.Call) -> bool:
    return isinstance(call.node, nodes.Name) and call.node.name in ("_", "gettext", "ngettext")


def _constants(node: nodes.Node) -> Iterator[nodes.Const]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Const):
            if isinstance(child.value, str):
                yield child
        elif isinstance(child, nodes.Filter):
            # What filters take are names of units and of dimensions.
            yield from _constants(nodes.Output([child.node] if child.node else []))
        elif not isinstance(child, nodes.Compare | nodes.Output):
            yield from _constants(child)
