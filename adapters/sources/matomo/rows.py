"""Actions and conversions of Matomo 4 and 5."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from attrs import frozen

from footfall.adapters.sources.matomo.values import number_in, plain_in, text_in, unescaped
from footfall.adapters.sources.matomo.visits import MatomoSite, MatomoVisit, dimensions_of, visitor_of
from footfall.adapters.sources.reading.mysql import Values
from footfall.adapters.sources.reading.time_order import time_of
from footfall.adapters.sources.reading.values import web_address
from footfall.application.ports.imports import LeftOut, LeftOutRow, Row, SourceRow, UnreadableRow
from footfall.domain.tracking.acquisition.campaign import NO_CAMPAIGN, Utm, parse_utm
from footfall.domain.tracking.hit import HitType

ORDER = "ecommerceOrder"
SEARCH = "site_search"
_ORDER_NUMBER = 0
_PAGE, _OUTLINK, _DOWNLOAD, _TITLE, _SEARCH = 1, 2, 3, 4, 8
_MOST_TYPES = 20
_PREFIXES = {0: "http://", 1: "http://www.", 2: "https://", 3: "https://www."}
# Parameters of campaigns in addresses, the first of them that has a value.
_PARAMETERS = {
    "source": ("mtm_source", "pk_source"),
    "medium": ("mtm_medium", "pk_medium"),
    "campaign": ("mtm_campaign", "matomo_campaign", "pk_campaign", "pk_cpn", "piwik_campaign"),
    "term": ("mtm_keyword", "mtm_kwd", "matomo_kwd", "pk_keyword", "pk_kwd", "piwik_kwd"),
    "content": ("mtm_content", "pk_content"),
}
_MARKS = ("mtm_", "matomo_", "pk_", "piwik_")
_AMOUNTS = {
    "revenue": "revenue",
    "revenue_subtotal": "subtotal",
    "revenue_tax": "tax",
    "revenue_shipping": "shipping",
    "revenue_discount": "discount",
}
_CONTENT = ("idaction_content_name", "idaction_content_piece")
_split = lru_cache(maxsize=4_096)(web_address)


@frozen
class Name:
    """A row of the table of names: of an address, of a title, a keyword or a part of an event."""

    type: int
    # As an address, whole, and as a text that Matomo keeps as it stands in HTML.
    address: str
    text: str


_NO_NAME = Name(0, "", "")


@frozen
class References:
    """What rows refer to: the site, visits and names by their ids as rows have them; None is an unreadable visit."""

    site: MatomoSite
    visits: Mapping[bytes, MatomoVisit | None]
    names: Mapping[bytes, Name]

    def visit(self, values: Values) -> MatomoVisit | None:
        """Return the visit of a row; None for one that is gone.

        Raises:
            ValueError: a value of the visit is of another kind.

        """
        number = values["idvisit"] or b""
        if number not in self.visits:
            return None
        if (visit := self.visits[number]) is None:
            raise ValueError(number)
        return visit

    def name(self, values: Values, column: str) -> Name | None:
        """Return the name that a column refers to; 0 and a row that is gone are none."""
        return self.names.get(values.get(column) or b"")


def name_of(values: Values) -> Name:
    """Return a row of the table of names."""
    text, prefix = text_in(values, "name") or "", values["url_prefix"]
    whole = text if prefix is None else f"{_PREFIXES.get(int(prefix), '')}{text}"
    return Name(int(values["type"] or 0), whole, unescaped(text))


def is_reference(value: bytes | None) -> bool:
    """Whether a value refers to a row: 0 and null do not."""
    return value is not None and value != b"0"


def place_of_action(values: Values) -> str:
    """Return how messages name an action."""
    return f"action {text_in(values, 'idlink_va')}"


def place_of_conversion(values: Values) -> str:
    """Return how messages name a conversion."""
    return f"conversion of visit {text_in(values, 'idvisit')}, goal {text_in(values, 'idgoal')}"


def action_row(at: int, values: Values, references: References) -> Row:
    """Return the row of an action.

    Raises:
        KeyError, TypeError, ValueError: a value is missing or of another kind.

    """
    url, title = references.name(values, "idaction_url"), references.name(values, "idaction_name")
    properties = dimensions_of(values, references.site.of_actions)
    row = _Row(at, values, references.visit(values))
    if is_reference(values.get("idaction_event_category")):
        event = references.name(values, "idaction_event_action")
        name = event.text if event else None
        return row.event(name, page=url, properties=properties | _event(values, title, references))
    if any(is_reference(values.get(column)) for column in _CONTENT):
        return row.left_out("content")
    of_page = references.name(values, "idaction_url_ref")
    if title and title.type == _SEARCH:
        return row.event(SEARCH, page=url or of_page, properties=properties | _search(values, title))
    if url is None and is_reference(values.get("idaction_url")):
        return UnreadableRow(place_of_action(values), "the row of its address is missing in log_action")
    if url and url.type in (_OUTLINK, _DOWNLOAD):
        of_title = references.name(values, "idaction_name_ref")
        return row.of(
            HitType.OUTBOUND, page=of_page, title=of_title, properties=properties | {"url": url.address}
        )
    if _is_page(values, url, title):
        product = _product(values, references)
        return row.of(HitType.PAGEVIEW, page=url, title=title, properties=properties | product)
    number = (url or title or _NO_NAME).type
    return row.left_out(f"action type {number}" if 0 < number < _MOST_TYPES else "another type")


def _is_page(values: Values, url: Name | None, title: Name | None) -> bool:
    """Whether an action is a view of a page, which can lack its address: it is 0 then, and null in other actions."""
    if url is not None:
        return url.type == _PAGE
    return title.type == _TITLE if title else values["idaction_url"] is not None


def conversion_row(at: int, values: Values, references: References) -> Row:
    """Return the row of a conversion: of an order, or of a goal whose conversions pages report.

    Raises:
        KeyError, TypeError, ValueError: a value is missing or of another kind.

    """
    number = int(values["idgoal"] or b"")
    goal = references.site.goals.get(number)
    row = _Row(at, values, references.visit(values))
    if number != _ORDER_NUMBER and not (goal and goal.by_code):
        return row.left_out("conversion")
    amounts: dict[str, Any] = {name: number_in(values, column) for column, name in _AMOUNTS.items()}
    if number == _ORDER_NUMBER:
        amounts |= {"items": number_in(values, "items"), "order": plain_in(values, "idorder")}
    elif not amounts["revenue"]:
        amounts = {}
    if amounts.get("revenue") is not None:
        amounts["currency"] = references.site.currency
    return row.event(
        goal.name if goal else ORDER,
        page=Name(_PAGE, text_in(values, "url") or "", ""),
        properties=_present(**amounts),
    )


@frozen
class _Row:
    """A row with its visit."""

    _at: int
    _values: Values
    _visit: MatomoVisit | None

    def left_out(self, kind: str) -> LeftOutRow:
        return LeftOutRow(time_of(self._at), kind, LeftOut.NOT_CARRIED)

    def event(self, name: str | None, *, page: Name | None, properties: Mapping[str, Any]) -> SourceRow:
        return self.of(HitType.CUSTOM_EVENT, page=page, event_name=name, properties=properties)

    def of(
        self,
        kind: HitType,
        *,
        page: Name | None,
        title: Name | None = None,
        event_name: str | None = None,
        properties: Mapping[str, Any],
    ) -> SourceRow:
        address = _split(page.address if page else "")
        visit = self._visit or _no_visit(self._values)
        is_first = visit.began_at is not None and text_in(self._values, "server_time") == visit.began_at
        return SourceRow(
            type=kind,
            occurred_at=time_of(self._at),
            visitor=visit.visitor,
            hostname=address.hostname,
            pathname=address.path or ("/" if address.hostname else None),
            querystring=address.query or None,
            page_title=(title.text or None) if title else None,
            referrer=visit.referrer if is_first else None,
            utm=_utm(address.query, visit.campaign if is_first else NO_CAMPAIGN),
            event_name=event_name,
            properties={**visit.dimensions, **properties} or None,
            **visit.described,
        )


def _no_visit(values: Values) -> MatomoVisit:
    """Return what an action still tells of a visit that is gone."""
    return MatomoVisit(visitor_of(values), None, None, NO_CAMPAIGN, {}, {})


def _event(values: Values, title: Name | None, references: References) -> dict[str, Any]:
    category = references.name(values, "idaction_event_category")
    return _present(
        category=category.text if category else None,
        name=title.text if title else None,
        value=number_in(values, "custom_float"),
    )


def _search(values: Values, keyword: Name) -> dict[str, Any]:
    return _present(
        keyword=keyword.text,
        category=plain_in(values, "search_cat"),
        results=number_in(values, "search_count"),
    )


def _product(values: Values, references: References) -> dict[str, Any]:
    """Return the product or category that a page shows."""
    named = {
        column: references.name(values, f"idaction_product_{column}") for column in ("name", "sku", "cat")
    }
    if not any(named.values()):
        return {}
    name, sku, category = (name_of and name_of.text for name_of in named.values())
    return _present(
        product=name,
        product_sku=sku,
        product_category=category,
        product_price=number_in(values, "product_price"),
    )


def _present(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "")}


@lru_cache(maxsize=4_096)
def _utm(query: str, campaign: Utm) -> Utm | None:
    """Return the campaign: each part is that of the query, or else of Matomo's parameters in it, or else of the visit.

    None stands for that of the query, which needs no other one.
    """
    of_query = parse_utm(query)
    own = dict(parse_qsl(query)) if any(mark in query for mark in _MARKS) else {}
    if not own and campaign == NO_CAMPAIGN:
        return None
    merged = Utm(
        **{
            part: getattr(of_query, part) or _first(map(own.get, names)) or getattr(campaign, part)
            for part, names in _PARAMETERS.items()
        }
    )
    return None if merged == of_query else merged


def _first(values: Iterable[str | None]) -> str | None:
    return next(filter(None, values), None)
