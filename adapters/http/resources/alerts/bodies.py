"""The bodies of alert rules and targets."""

from collections.abc import Mapping, Sequence
from typing import Any

from footfall.application.access.readers import Reader
from footfall.application.alerts.messages import firing_document
from footfall.application.journal.interface_documents import conditions_of, plan_document
from footfall.application.ports.alerts.watches import Watch
from footfall.application.ports.alerts.webhooks import RequestState
from footfall.domain.alerts.firing_decision import FiredSpan
from footfall.domain.alerts.firings import Firings
from footfall.domain.alerts.judged_windows import Judged
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertPlan, AlertWindow, alert_plan
from footfall.domain.alerts.rules import AlertRule, AlertTarget, TargetKind
from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.number import whole_number
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.traffic.filters import parse_filters

_CHOICES = {"metric": AlertMetric, "window": AlertWindow, "condition": AlertCondition}


def plan_of(body: Mapping[str, Any], reader: Reader, *, unnamed: str | None = None) -> AlertPlan:
    """Return the plan that a body defines; `unnamed` is the name of one that needs none.

    Raises:
        Invalid: a field is missing, of the wrong type or breaks a rule; each is named.

    """
    errors = _type_errors(body, unnamed)
    require_valid(errors)
    filters = reader.permitted(parse_filters(body.get("filters", [])))
    condition = body.get("condition")
    return alert_plan(
        name=body.get("name", unnamed),
        metric=AlertMetric(body["metric"]),
        window=AlertWindow(body["window"]),
        condition=None if condition is None else AlertCondition(condition),
        value=_float(body.get("value")),
        goal_id=whole_number(body.get("goalId")),
        filters=conditions_of(filters),
        targets=[int(number) for number in body.get("targets") or ()],
        active=body.get("active", True),
    )


def rule_body(rule: AlertRule, firings: Firings, watch: Watch | None) -> dict[str, Any]:
    """Return a rule with its running firing, and up to when it is evaluated."""
    running = firings.running
    return {
        "number": rule.number,
        **plan_document(rule.plan),
        "firing": None if running is None else firing_document(running),
        "evaluatedUntil": None if watch is None else instant_text(watch.until),
        "obstacle": None if watch is None else watch.obstacle,
    }


def target_body(target: AlertTarget, state: RequestState | None) -> dict[str, Any]:
    """Return a target, without its address, and how the latest request to it fares."""
    return {
        "number": target.number,
        "kind": target.kind.value,
        "name": target.name,
        "userId": target.user_id,
        "latest": None
        if state is None
        else {
            "outcome": state.outcome,
            "queuedAt": instant_text(state.queued_at),
            "attempts": state.attempts,
            "reason": state.reason,
            "finishedAt": None if state.finished_at is None else instant_text(state.finished_at),
        },
    }


def preview_body(judged: Sequence[Judged], fired: Sequence[FiredSpan]) -> dict[str, Any]:
    """Return the windows of a preview that have a value, and the firings."""
    return {
        "windows": [
            {
                "time": instant_text(judgement.window.period.start),
                "value": judgement.value,
                "lower": None if judgement.bounds is None else judgement.bounds.lower,
                "upper": None if judgement.bounds is None else judgement.bounds.upper,
                "meets": judgement.meets,
            }
            for judgement in judged
        ],
        "firings": [
            {
                "from": instant_text(span.opened.window.period.start),
                "to": instant_text(span.opened.window.period.end),
                "value": span.opened.value,
                "overAt": None if span.ended is None else instant_text(span.ended.window.period.end),
            }
            for span in fired
        ],
    }


def target_kind(value: Any) -> TargetKind:
    """Return the kind of a target.

    Raises:
        Invalid: there is no such kind; the error names `kind`.

    """
    if value not in list(TargetKind):
        raise Invalid({"kind": [f"must be one of {', '.join(TargetKind)}"]})
    return TargetKind(value)


def _type_errors(body: Mapping[str, Any], unnamed: str | None) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    if not isinstance(body.get("name", unnamed), str):
        errors["name"] = ["is required and must be a string"]
    for name, kind in _CHOICES.items():
        value = body.get(name)
        if value not in list(kind) and not (name == "condition" and value is None):
            errors[name] = [f"must be one of {', '.join(kind)}"]
    if not _is_number(body.get("value")):
        errors["value"] = ["must be a number"]
    if body.get("goalId") is not None and whole_number(body["goalId"]) is None:
        errors["goalId"] = ["must be the id of a goal of this site"]
    targets = body.get("targets")
    if targets is not None and not (
        isinstance(targets, list) and all(whole_number(number) is not None for number in targets)
    ):
        errors["targets"] = ["must be an array of numbers of targets"]
    if not isinstance(body.get("active", True), bool):
        errors["active"] = ["must be true or false"]
    return errors


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _float(value: float | None) -> float | None:
    try:
        return None if value is None else float(value)
    except OverflowError:
        return float("inf")
