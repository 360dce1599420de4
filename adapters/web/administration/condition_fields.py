"""The filters in the forms of rules: those that are kept, each as a checkbox, and one that is added."""

import json
import re
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from attrs import evolve, frozen

from footfall.adapters.web.reports.filters.filter_texts import ADDED, with_key
from footfall.adapters.web.reports.filters.typed_filters import TypedFilter, TypedFilters
from footfall.adapters.web.services import Dashboard
from footfall.adapters.web.session.forms import Form
from footfall.application.journal.interface_documents import condition_documents, conditions_of
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.report_period import last_30_days
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.site import Site
from footfall.domain.traffic.dimensions import FAMILIES
from footfall.domain.traffic.filters import (
    PARAMETERS,
    ExpressionCompiler,
    Filter,
    FilterType,
    parse_filters,
    with_expressions,
)
from footfall.domain.traffic.report_query import ReportQuery

SomeForm = TypeVar("SomeForm", bound=Form)
ADD = "filter"
_KEPT = re.compile(r"filter-[0-9]{1,2}")


@frozen
class KeptFilter:
    """A checkbox: its name and value, and the filter that it stands for."""

    name: str
    value: str
    condition: Condition


def choices_without(refused: Container[str]) -> dict[str, Sequence[str]]:
    """Return the attributes and conditions that a rule can have; it refuses some attributes."""
    names = [name for name in (*PARAMETERS, *FAMILIES) if name not in refused]
    return {"parameters": names, "types": list(FilterType)}


def typed_filter(form: Form) -> Filter | None:
    """Return the filter that is typed; None without one, or when it is not accepted."""
    try:
        [typed] = parse_filters([_added(form)])
    except Invalid:
        return None
    return typed if form.raw("add_value") else None


async def interpreted(form: SomeForm, site: Site, services: Dashboard) -> SomeForm:
    """Return the form with what its typed filter means among the sessions of the last 30 days.

    Raises:
        Invalid: it can mean several values; the error names `filters`.
        StoreUnavailable: the store does not answer.

    """
    typed = typed_filter(form)
    if typed is None:
        return form
    period = last_30_days(services.clock.now(), site.zone).period
    async with services.present(site, period) as answer:
        filters = TypedFilters(answer.reports.breakdowns, site.site_id, ReportQuery(period))
        return with_meaning(form, await filters.interpreted(typed))


def with_meaning(form: SomeForm, typed: TypedFilter) -> SomeForm:
    """Return the form with the value that a typed filter means; one that no session has yet stays as it is.

    Raises:
        Invalid: it can mean several values; the error names them, as `filters`.

    """
    if not typed.meanings:
        return form
    if typed.found is None:
        offered = ", ".join(value.label for value in typed.offered)
        raise Invalid({"filters": [f"“{typed.condition.values[0]}” can mean {offered}: type one of them"]})
    return evolve(form, values={**form.values, "add_value": typed.found.values[0]})


def filters_in(form: Form, expressions: ExpressionCompiler) -> tuple[Filter, ...]:
    """Return the filters that are checked, and the one that is typed.

    Raises:
        Invalid: a filter is not accepted; the errors name `filters`.

    """
    documents = [_document(form.raw(name)) for name in _kept_names(form.values)]
    if form.raw("add_value") or form.text("action") == ADD:
        documents.append(_added(form))
    try:
        return with_expressions(parse_filters(documents), expressions)
    except Invalid as refusal:
        raise Invalid({"filters": refusal.messages}) from None


def with_conditions(values: Mapping[str, str], conditions: Sequence[Condition]) -> dict[str, str]:
    """Return the fields of a form with these filters to keep, and none that is typed."""
    plain = {name: text for name, text in values.items() if name not in {*_kept_names(values), *ADDED}}
    documents = condition_documents(conditions)
    return {**plain, **{f"filter-{index}": json.dumps(document) for index, document in enumerate(documents)}}


def kept_filters(values: Mapping[str, str]) -> list[KeptFilter]:
    """Return the checkboxes of a form; those whose values are no filters are left out."""
    checkboxes: list[KeptFilter] = []
    for name in _kept_names(values):
        with suppress(Invalid):
            conditions = conditions_of(parse_filters([_document(values[name])]))
            checkboxes += [KeptFilter(name, values[name], condition) for condition in conditions]
    return checkboxes


def _added(form: Form) -> dict[str, Any]:
    parameter, key, kind, value = map(form.raw, ADDED)
    return {"parameter": with_key(parameter, key), "type": kind, "value": [value]}


def _kept_names(values: Mapping[str, str]) -> list[str]:
    return [name for name in values if _KEPT.fullmatch(name)]


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
