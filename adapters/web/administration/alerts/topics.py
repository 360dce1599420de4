"""The topics of alert rules: what a member chooses first, and which fields the form of each has."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

from footfall.adapters.web.administration.alerts.sentences import number_text
from footfall.adapters.web.formatting import sentence
from footfall.application.languages.language import marked, tr
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertPlan, AlertWindow

ABOVE, BELOW = AlertCondition.ABOVE, AlertCondition.BELOW
HIGH, LOW, UNUSUAL = (
    AlertCondition.UNUSUALLY_HIGH,
    AlertCondition.UNUSUALLY_LOW,
    AlertCondition.UNUSUAL,
)
# The number of deviations that a new rule begins with.
USUAL_DEVIATIONS = "4"


@frozen(kw_only=True)
class Topic:
    """What a rule tells of: a title with a sentence, the metrics and conditions to choose from, and what is proposed.

    `value` is the proposed limit. `window_label` is what the form calls the window.
    """

    key: str
    title: str
    lead: str
    metrics: tuple[AlertMetric, ...]
    conditions: tuple[AlertCondition, ...]
    value: str = ""
    window: AlertWindow = AlertWindow.HOUR
    window_label: str = marked("Measured over")

    @property
    def is_silence(self) -> bool:
        """Whether there is neither a condition nor a value to choose."""
        return self.metrics == (AlertMetric.NOTHING_RECEIVED,)

    @property
    def has_limit(self) -> bool:
        """Whether a condition compares with a limit."""
        return not self.is_silence and any(not condition.is_relative for condition in self.conditions)

    @property
    def has_usual(self) -> bool:
        """Whether a condition compares with earlier weeks."""
        return any(condition.is_relative for condition in self.conditions)

    @property
    def takes_filters(self) -> bool:
        """Whether a metric takes filters."""
        return any(metric.takes_filters for metric in self.metrics)

    @property
    def takes_goal(self) -> bool:
        """Whether a metric is about a goal."""
        return any(metric.of_goal for metric in self.metrics)

    @property
    def has_other(self) -> bool:
        """Whether a metric is about no goal."""
        return any(not metric.of_goal for metric in self.metrics)

    @property
    def unit(self) -> str:
        """The units of limits other than counts, as a sentence; empty where all are counts."""
        units = {
            AlertMetric.GOAL_RATE: "conversion rates are in percent",
            AlertMetric.LCP: "paints are in milliseconds",
        }
        return sentence("; ".join(tr(text) for metric, text in units.items() if metric in self.metrics))

    def holds(self, metric: str, condition: str) -> bool:
        """Whether the form of the topic can show a rule."""
        return metric in self.metrics and (self.is_silence or condition in self.conditions)

    def proposal(self) -> dict[str, str]:
        """Return the fields of the form for a new rule."""
        return {
            "topic": self.key,
            "name": tr(self.title),
            "metric": self.metrics[0].value,
            "condition": self.conditions[0].value,
            "window": self.window.value,
            "deviations": USUAL_DEVIATIONS,
            "value": self.value,
            "active": "on",
        }


_EVERY = tuple(metric for metric in AlertMetric if metric is not AlertMetric.NOTHING_RECEIVED)
_ALL = (
    Topic(
        key="errors_rise",
        title=marked("Errors rise"),
        lead=marked("More errors than this weekday and time usually bring, or more than a limit"),
        metrics=(AlertMetric.ERRORS,),
        conditions=(HIGH, ABOVE),
        value="20",
    ),
    Topic(
        key="new_errors",
        title=marked("New errors appear"),
        lead=marked("Errors that were never seen before, or that come back after they were resolved"),
        metrics=(AlertMetric.NEW_ERRORS,),
        conditions=(ABOVE,),
        value="0",
    ),
    Topic(
        key="conversions_fall",
        title=marked("Conversions fall"),
        lead=marked("Fewer conversions of a goal, or a lower rate, than usual or than a limit"),
        metrics=(AlertMetric.GOAL_CONVERSIONS, AlertMetric.GOAL_RATE),
        conditions=(LOW, BELOW),
        window=AlertWindow.DAY,
    ),
    Topic(
        key="traffic_stops",
        title=marked("Traffic stops"),
        lead=marked("No visit at all, as when the site is down or its script is gone"),
        metrics=(AlertMetric.NOTHING_RECEIVED,),
        conditions=(BELOW,),
        window_label=marked("No visits for"),
    ),
    Topic(
        key="traffic_changes",
        title=marked("Traffic is unusual"),
        lead=marked("Far more or far fewer visitors than this weekday and time usually bring"),
        metrics=(AlertMetric.VISITORS, AlertMetric.SESSIONS, AlertMetric.PAGEVIEWS),
        conditions=(UNUSUAL, LOW, HIGH),
    ),
    Topic(
        key="slow_pages",
        title=marked("Pages get slow"),
        lead=marked("Visitors wait longer for the main part of a page than a limit, or than usual"),
        metrics=(AlertMetric.LCP,),
        conditions=(ABOVE, HIGH),
        value="4000",
    ),
    Topic(
        key="refused_events",
        title=marked("Events are refused"),
        lead=marked("Events arrive that are not accepted, as with a wrong key or a limit that is reached"),
        metrics=(AlertMetric.EVENTS_NOT_ACCEPTED,),
        conditions=(ABOVE, HIGH),
        value="100",
    ),
    Topic(
        key="threshold",
        title=marked("A threshold"),
        lead=marked("Any figure that rises above a limit, or falls below one"),
        metrics=_EVERY,
        conditions=(ABOVE, BELOW),
    ),
    Topic(
        key="unusual",
        title=marked("Anything unusual"),
        lead=marked("Any figure that is far from what this weekday and time usually bring"),
        metrics=tuple(metric for metric in _EVERY if metric.is_usual),
        conditions=(UNUSUAL, HIGH, LOW),
    ),
)
TOPICS: Mapping[str, Topic] = MappingProxyType({topic.key: topic for topic in _ALL})


def topic_of(fields: Mapping[str, str]) -> Topic:
    """Return the topic of a form: the one that it names, or the first that can show its metric and condition."""
    metric, condition = fields.get("metric", ""), fields.get("condition", "")
    named = TOPICS.get(fields.get("topic", ""))
    if named is not None and (metric in named.metrics or metric not in list(AlertMetric)):
        return named
    return next((topic for topic in _ALL if topic.holds(metric, condition)), TOPICS["threshold"])


def fields_of(plan: AlertPlan, topic: str | None = None) -> dict[str, str]:
    """Return the fields that a form of a topic shows of a plan, by default of the first that can show it."""
    value, is_relative = number_text(plan.value), plan.condition.is_relative
    shown = {
        "metric": plan.metric.value,
        "condition": plan.condition.value,
        "deviations": value if is_relative else USUAL_DEVIATIONS,
        "value": "" if is_relative else value,
    }
    of_plan = topic_of(shown)
    chosen = TOPICS.get(topic or "", of_plan)
    if chosen is of_plan or chosen.holds(plan.metric, plan.condition):
        return {**shown, "topic": chosen.key}
    proposal = chosen.proposal()
    return {name: proposal[name] for name in (*shown, "topic")}
