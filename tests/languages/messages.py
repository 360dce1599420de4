"""Texts of the sources, and the catalogues that translate them: `make messages` updates these, `make check` asks."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from jinja2 import Environment

from footfall.adapters.languages.catalogues import REASON
from footfall.adapters.web.assets import script_messages
from footfall.adapters.web.labels import ACTIONS, COMPARISONS, SPOKEN_VALUES
from footfall.application.ingestion.results import OUTCOME_NAMES
from footfall.application.journal.event_codec import EVENT_TYPES
from footfall.domain.accounts.organization import Role
from footfall.domain.alerts.firings import FiringState
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.error_tracking.status import ErrorStatus
from footfall.domain.journeys.journey import JourneyStepType
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.configuration import SETTINGS
from footfall.domain.tracking.acquisition.channel import Channel
from footfall.domain.traffic.dimensions import ALL, FAMILIES, LABELS, Group
from footfall.domain.traffic.filters import FUNNEL, GOAL, GROUP_PARAMETERS, FilterType
from footfall.domain.traffic.web_vitals import Rating

ROOT = Path(__file__).parents[2]
TEMPLATES = (ROOT / "adapters/web/templates", ROOT / "adapters/mail/templates")
ROOMS = ("adapters/web", "adapters/webauthn", "application", "domain")
_MODULES = ("adapters/regular_expressions.py",)
# These talk to programs and operators, in the log and on terminals, or hold lists.
_UNSPOKEN = re.compile(
    r"application/(cells|imports|ingestion|journal|maintenance)/|application/(citations|ports)/(?!accounts|journal)"
    r"|application/(alerts/address_sealing|commands/accounts/former_users|visitors/(certificates|erasing))\.py"
    r"|application/access/(authorization|key_lookup|sign_in_uses|unwritten)\.py|application/reports/(source_stacks|turns|tables)"
    r"|domain/(bots|cells|citations/(?!past_refusals)|mail|tracking/)|domain/bot_traffic/answers|domain/examples|domain/number"
    r"|domain/error_tracking/(fingerprint|stack_trace)|domain/revenue/money|domain/alerts/(firing_decision|judged_windows)"
    r"|adapters/mail/|adapters/web/(security_headers|compression)|adapters/web/places/"
)
TEXTS, MARKED, PLURAL = ("tr", "say"), "marked", ("tr_plural", "marked_plural")
Message = str | tuple[str, str]
# Values of errors that are messages themselves, by the names that the sources have for them.
_REASONS = {"reason", "problem", "fault", "off", "expected", "reach", "among", "subject", "AS_OF_RULE"}
# Several words and no code: such a text of Python is a message, by whatever error or label it is shown.
_WORDS = re.compile(
    r"[“(;,.]?\s?[A-Za-z{][\w\u2019'{}-]*[,:;.?”]?( [(“]?[\w\u2019'{}/*%+…-]+[)”]?[,:;.?!”)]?)+.*", re.DOTALL
)
# Events that the log of a site does not have.
_OF_NO_SITE = re.compile(
    "(api-key|cell|identity|invitation|member|organization|passkey|sign|report-(un)?sub|user-[^s])"
)
_LETTERS = re.compile(r"[A-Za-z]{2,}|\bA\b")
_CODE = re.compile(r"[\n<>\\]|\w\[|\w=|default-src|charset|%s|^\{[^{}]*\} \{[^{}]*\}$|M\{|footfall ")


def messages() -> Mapping[Message, set[str]]:
    """The messages of the sources with the files that have them."""
    found = dict[Message, set[str]]()
    for name, message in (*_of_templates(), *_of_python(), *_of_labels()):
        found.setdefault(message, set()).add(name)
    # A catalogue has a text once: the one with plurals has the singular, too.
    plurals = {message[0]: message for message in found if isinstance(message, tuple)}
    for one in found.keys() & plurals.keys():
        found[plurals[one]] |= found.pop(one)
    return found


def _of_templates() -> Iterator[tuple[str, Message]]:
    environment = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    for path in (path for folder in TEMPLATES for path in sorted(folder.iterdir())):
        for _, function, texts in environment.extract_translations(path.read_text()):  # type: ignore[attr-defined]
            if function == "ngettext":
                yield str(path.relative_to(ROOT)), texts[:2]
            elif isinstance(texts, str):
                yield str(path.relative_to(ROOT)), texts
            elif texts and texts[0] is not None:
                yield str(path.relative_to(ROOT)), texts[0]


def _of_python() -> Iterator[tuple[str, Message]]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    for path in (*paths, *(ROOT / module for module in _MODULES)):
        name = str(path.relative_to(ROOT))
        if not _UNSPOKEN.match(name):
            reader = _Reader(by_looks=not name.startswith("application/languages/"))
            reader.visit(ast.parse(path.read_text()))
            yield from ((name, message) for message in reader.found)


class _Reader(ast.NodeVisitor):
    """Collects what is marked in a module, and all else that looks like a text."""

    def __init__(self, *, by_looks: bool) -> None:
        self.found: list[Message] = []
        self._by_looks = by_looks

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called in PLURAL:
            one, many = (_text(argument) for argument in node.args[:2])
            self.found.append((one, many))
        elif called in TEXTS and isinstance(node.args[0], ast.Constant):
            self.found.append(_text(node.args[0]))
        elif called == MARKED:
            self.found += [_text(text) for text in _constants(node.args[0])]
            return
        elif isinstance(node.func, ast.Attribute) and ast.unparse(node.func).startswith("_log."):
            return
        for child in (
            *node.args[len(PLURAL) if called in PLURAL else called in TEXTS :],
            *node.keywords,
            node.func,
        ):
            self.visit(child)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._look_at(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._look_at(_text(node))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def _look_at(self, text: str) -> None:
        own = re.sub(r"\{\w*\}", "", text)
        if (
            self._by_looks
            and _WORDS.fullmatch(text)
            and len(_LETTERS.findall(own)) > 1
            and not _CODE.search(text)
        ):
            self.found.append(text)


def _constants(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts of a table, without the keys of its dictionaries."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _constants(value)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _constants(child)


def _text(node: ast.expr) -> str:
    """Return a text; values within it are names in braces, as `tr` takes them, of which reasons are messages."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr), ast.unparse(node)
    values = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    names = {
        id(value): f"{_kind(value.value)}{number if number > 1 else ''}"
        for number, value in enumerate(values, 1)
    }
    return "".join(
        f"{{{names[id(part)]}}}" if isinstance(part, ast.FormattedValue) else str(part.value)
        for part in node.values
        if isinstance(part, ast.Constant | ast.FormattedValue)
    )


def _kind(value: ast.expr) -> str:
    is_reason = isinstance(value, ast.IfExp) or getattr(value, "id", getattr(value, "attr", "")) in _REASONS
    return REASON if is_reason else "value"


def _of_labels() -> Iterator[tuple[str, Message]]:
    """Yield the labels and words of the domain, which pages translate where they show them."""
    dimensions = [word for one in ALL for word in (one.label, one.tab)]
    values = [label for by in SPOKEN_VALUES | {"automation"} for label in LABELS.get(by, {}).values()]
    settings = [word for one in SETTINGS.values() for word in (one.label, one.hint)]
    families = [family.label for family in FAMILIES.values()]
    signs = {part for label in LABELS["automation"].values() for part in label.split(", ")}
    enumerations = (
        Role,
        Interval,
        ErrorStatus,
        TargetKind,
        FiringState,
        Rating,
        Group,
        Channel,
        JourneyStepType,
    )
    words = [member.value for enumeration in enumerations for member in enumeration]
    words += [kind.replace("_", " ") for kind in FilterType if kind not in COMPARISONS]
    words += [name.replace("_", " ").capitalize() for name in (*GROUP_PARAMETERS, GOAL, FUNNEL)]
    words += [
        name.replace("-", " ").capitalize()
        for name in EVENT_TYPES
        if name not in ACTIONS and not _OF_NO_SITE.match(name)
    ]
    reasons = [word.replace("_", " ") for pair in OUTCOME_NAMES.values() for word in pair]
    for word in (*dimensions, *values, *settings, *families, *signs, *words, *reasons):
        if _LETTERS.search(word):
            yield "domain", word
    yield from (("adapters/web/static", message) for message in script_messages())
