"""Names that persons give to things: one rule, which refuses what makes a list of them lie."""

import pytest

from footfall.domain.accounts import api_key, organization, user
from footfall.domain.accounts.person import parse_name
from footfall.domain.alerts import rules
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.annotations import annotations
from footfall.domain.annotations.annotations import AnnotationAdded
from footfall.domain.error_tracking import decisions
from footfall.domain.error_tracking.decisions import ErrorGroupCommented
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.funnels.funnel import funnel_plan
from footfall.domain.goals import goal
from footfall.domain.goals.goal import EventRule, GoalDefined, PathRule
from footfall.domain.sites import segment, site
from footfall.domain.sites.segment import Segment, SegmentDefined, Segments
from footfall.domain.text import named_after, shown_lines, shown_name

RULE = PathRule("/a")
GOAL = goal.apply(None, GoalDefined(1, 1, "Old \u202e", RULE))
SITE = site.register(1, public_id="a", organization_id="1", name="A", domain="a.example", created_by="1")


def _named(name):
    return shown_name("name", name, maximum=100)


def _annotate(text=None, release=None):
    return annotations.add(None, "1", at=None, text=text, release=release, user_id=None, now=NOON)


def _comment(text):
    return decisions.comment(None, "1-0", text, comment_id="1", user_id="1", now=NOON)


def _alert(name):
    return alert_plan(
        name=name,
        metric=AlertMetric.VISITORS,
        window=AlertWindow.HOUR,
        condition=AlertCondition.ABOVE,
        value=1,
    )


NAMED = {
    "goal": ("name", lambda name: goal.define(1, site_id=1, name=name, rule=RULE)),
    "changed goal": ("name", lambda name: goal.redefine(GOAL, name=name, rule=RULE)),
    "funnel": ("name", lambda name: funnel_plan(name, [RULE, RULE])),
    "segment": ("name", lambda name: segment.define(Segments(), name=name, owner=None, conditions=())),
    "changed segment": (
        "name",
        lambda name: segment.redefine(Segments({1: Segment("a", None, ())}), 1, name=name, conditions=()),
    ),
    "alert rule": ("name", _alert),
    "alert target": ("name", lambda name: rules.add_target(None, TargetKind.NTFY, name)),
    "annotation": ("text", _annotate),
    "release": ("release", lambda name: _annotate(release=name)),
    "comment": ("text", _comment),
    "site": (
        "name",
        lambda name: site.register(
            1, public_id="a", organization_id="1", name=name, domain="a.example", created_by="1"
        ),
    ),
    "renamed site": ("name", lambda name: site.rename(site.apply(None, SITE[0]), name=name)),
    "organization": ("name", lambda name: organization.register("1", name=name, owner="1")),
    "API key": ("name", lambda name: api_key.issue(1, user_id="1", name=name, key="k", now=NOON)),
    "passkey": ("name", lambda name: user.passkey_name(name, registered=0, most=1)),
    "person": ("name", parse_name),
}


@pytest.mark.parametrize(("field", "give"), NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\u200b", "\x1b", "\x85", "\U000e0041"])
def test_a_name_with_a_mark_that_turns_or_hides_text_is_refused_by_its_field(field, give, mark):
    with pytest.raises(Invalid) as refusal:
        give(f"Sign{mark}ups")

    assert set(refusal.value.field_errors) == {field}
    assert refusal.value.field_errors[field][0].startswith(f"must not contain U+{ord(mark):04X}")


@pytest.mark.parametrize("give", [give for _, give in NAMED.values()], ids=NAMED)
def test_a_name_in_any_script_is_accepted(give):
    assert give("Zoë \u05e9\u05dc\u05d5\u05dd 中文 \u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f4bb")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0915\u094d\u200d\u0937",
            "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
        ),
        *(
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f3f4\u200d\u2620\ufe0f",
            "\U0001f3f3\ufe0f\u200d\U0001f308",
        ),
        *(
            "\u2764\ufe0f\u200d\U0001f525",
            "1\ufe0f\u20e3",
            "\U0001f642\u200d\u2194\ufe0f",
            "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        ),
        *("\u845b\U000e0100\u98fe", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"),
        "e\u0301",
    ],
)
def test_joiners_selectors_and_flags_stay_where_they_shape_what_is_seen(name):
    assert _named(name) == name


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Pay\u200dPal",
            "Pay\u200cPal",
            "\u200dA",
            "A\u200d",
            "\u0645\u200c",
            "\U0001f469\u200d",
            "\U0001f469\u200d\u200d\U0001f4bb",
        ),
        *(
            "A\ufe0f\ufe0f",
            "\ufe0fA",
            "A \ufe01",
            "\U000e0100A",
            "A\u034f",
            "A\u3164",
            "A\u061c",
            "A\u2060",
            "A\ufeff",
        ),
        *(
            "\U0001f3f4\U000e0067",
            "A\U000e0067\U000e007f",
            "A\ufff0",
            "A\U0001d173",
            "A\u2028B",
            "A\xadB",
            "\u2800",
            "\u3000",
        ),
    ],
)
def test_marks_that_nothing_shows_are_refused(name):
    with pytest.raises(Invalid) as refusal:
        _named(name)

    assert set(refusal.value.field_errors) == {"name"}


def test_texts_of_lines_have_breaks_and_tabs_but_no_other_marks():
    assert shown_lines("text", " Fixed:\r\n\t- a\n", maximum=100) == "Fixed:\r\n\t- a"
    with pytest.raises(Invalid, match=r"U\+202E: control characters and marks that turn or hide text are"):
        shown_lines("text", "a\n\u202eb", maximum=100)


def test_a_goal_without_a_name_is_called_after_its_rule_with_marks_that_are_seen():
    [defined] = goal.define(1, site_id=1, name=None, rule=EventRule("pay\u202ement", "plan", "\u200bx"))

    assert defined == GoalDefined(
        1, 1, 'pay\ufffdment (plan: "\ufffdx")', EventRule("pay\u202ement", "plan", "\u200bx")
    )
    assert named_after("a\u200db") == "a\ufffdb"


def test_names_of_old_journals_stay_as_they_are():
    assert GOAL.name == "Old \u202e"
    assert goal.redefine(GOAL, name="New", rule=RULE)
    segments = segment.apply(Segments(), SegmentDefined(1, "\u202e", None, ()))
    assert segments.present[1].name == "\u202e"
    added = annotations.apply(None, AnnotationAdded("1", NOON, "a\u202e", "\u200b", None))
    assert added.by_id["1"].shown == "\u200b: a\u202e"
    commented = decisions.apply(None, ErrorGroupCommented("1-0", "1", "1", NOON, "a\u202e\x1b"))
    assert commented.of("1-0").comments[0].text == "a\u202e\x1b"


def test_comments_have_lines_up_to_their_longest_length():
    longest = "\U0001f642\n\t" * 666 + "\U0001f642\U0001f642"

    assert _comment(f" {longest}\r\n") == [ErrorGroupCommented("1-0", "1", "1", NOON, longest)]
    with pytest.raises(Invalid, match="at most 2,000"):
        _comment(longest + "x")
