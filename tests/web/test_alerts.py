"""Alert rules on the dashboard: the list, the form with its preview, and firings."""

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from footfall.application.commands.context import CommandContext
from tests.web.alert_forms import FILTER, PAGE, RULE, add_target, fire


async def test_a_rule_is_added_changed_and_deleted(world):
    browser = await world.browser("member")
    added = await browser.post(PAGE, page=PAGE, **RULE)
    listed = (await browser.get(PAGE)).text
    changed = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **{**RULE, "name": "Few", "value": "3"})
    asked = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", action="delete")
    kept = (await browser.get(PAGE)).text
    await browser.confirm(asked, f"{PAGE}/1")

    assert (added.status_code, changed.status_code) == (303, 303)
    assert "Many &lt;b&gt;" in listed
    assert "More than 0 visitors in an hour" in listed
    assert "Few" in kept
    assert "No alert rules yet" in (await browser.get(PAGE)).text


async def test_a_preview_shows_the_firings_on_a_chart_and_saves_nothing(world):
    # Of the window of the first hit nothing is judged.
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text

    assert "would have fired <strong>1</strong> time." in shown
    assert shown.count('<rect class="fired"') == shown.count('<circle class="opened"') == 1
    assert re.search(r'<path class="line" d="M[\d. ]+', shown)
    assert '<path class="limit" d="M0 180.0H720"' in shown
    assert "No alert rules yet" in shown
    assert 'value="Many &lt;b&gt;"' in shown


async def test_a_preview_draws_the_annotations_of_its_windows_with_their_texts(world):
    at = world.clock.now()
    for days, text in [(-91, "Too early"), (-80, "Sale <b>"), (0, "Now")]:
        await world.commands.annotations.add(1, CommandContext(), at=at + timedelta(days=days), text=text)
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))

    shown = (await (await world.browser("member")).post(PAGE, page=PAGE, **RULE, action="preview")).text

    lines = re.findall(r'<line class="annotated" x1="([\d.]+)".*?<title>(.*?)</title>', shown)
    assert [text for _, text in lines] == ["Sale &lt;b&gt;", "Now"]
    # Of 720 by 90 days.
    assert [float(x) for x, _ in lines] == pytest.approx([720 * 9.67 / 90, 720 * 89.67 / 90], abs=1)


async def test_the_form_previews_a_rule_as_it_is_changed_and_before_it_has_a_name(world):
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    asked = urlencode({**RULE, "name": " ", **FILTER, "add_value": ""})
    fires = await browser.get(f"/sites/1/alert-preview?{asked}")
    filtered = await browser.get(f"/sites/1/alert-preview?{urlencode({**RULE, **FILTER})}")
    wrong = await browser.get(f"/sites/1/alert-preview?{urlencode({**RULE, 'value': 'many'})}")
    gone = await browser.get(
        f"/sites/1/alert-preview?{urlencode({**RULE, 'metric': 'goal_rate', 'goalId': '9'})}"
    )
    empty = await browser.get("/sites/1/alert-preview")

    assert "would have fired <strong>1</strong> time." in fires.text
    assert fires.text.count('<rect class="fired"') == 1
    assert "would have fired <strong>0</strong> times." in filtered.text
    assert "Limit must be a number" in wrong.text
    assert {one.status_code for one in (fires, filtered, wrong, gone, empty)} == {200}
    assert all("<svg" not in one.text and "<p>" in one.text for one in (wrong, gone, empty))
    assert 'data-preview="/sites/1/alert-preview"' in (await browser.get(f"{PAGE}?topic=threshold")).text


async def test_a_preview_without_data_says_so(world):
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text

    assert "too little data" in shown


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "name-error"),
        ({"value": "many"}, "value-error"),
        ({"value": "nan"}, "value-error"),
        ({"metric": "x"}, "metric-error"),
        ({"window": "x"}, "window-error"),
        ({"condition": ""}, "condition-error"),
        ({"metric": "goal_rate"}, "goalId-error"),
        ({"metric": "goal_rate", "goalId": "99"}, "goalId-error"),
        ({"target-9": "on"}, "targets-error"),
    ],
)
async def test_a_form_that_breaks_a_rule_is_explained_beside_its_field(world, changes, words):
    browser = await world.browser("member")

    refused = await browser.post(PAGE, page=PAGE, **{**RULE, **changes})

    assert (refused.status_code, f'id="{words}"' in refused.text) == (400, True)


async def test_silence_needs_no_value(world):
    browser = await world.browser("member")

    fields = {**RULE, "metric": "nothing_received", "condition": "unusual", "value": ""}
    added = await browser.post(PAGE, page=PAGE, **fields)

    assert added.status_code == 303
    assert "No visits for an hour" in (await browser.get(PAGE)).text


async def test_a_firing_is_shown_and_acknowledged(world):
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, **RULE)
    await fire(world)

    listed, shown = (await browser.get(PAGE)).text, (await browser.get(f"{PAGE}/1")).text
    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", acknowledge="1")
    after = (await browser.get(f"{PAGE}/1")).text

    assert "Open since" in listed
    assert "4, above 0" in shown
    assert ("Acknowledge</button>" in shown, "Acknowledge</button>" in after) == (True, False)
    assert "Acknowledged" in after


async def test_regions_have_different_names_while_firings_are_shown(world):
    await add_target(world)
    browser = await world.browser("owner")
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    await browser.post(PAGE, page=PAGE, **RULE)
    await fire(world)

    pages = [
        (await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **RULE, action="preview")).text,
        (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text,
    ]

    for shown in pages:
        headings = dict(re.findall(r'<h\d id="([^"]+)">(.*?)</h\d>', shown))
        names = re.findall(r'role="region" aria-label="([^"]+)"', shown)
        names += [headings[one] for one in re.findall(r'<section [^>]*aria-labelledby="([^"]+)"', shown)]
        assert "Alerts of the preview" in names
        assert sorted(set(names)) == sorted(names)
    assert "List of alerts" in pages[0]


async def test_a_preview_has_axes_and_says_how_many_weeks_could_be_judged(world):
    await world.hit()
    world.clock.advance(timedelta(days=10))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    fixed = (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text
    usual = {**RULE, "topic": "unusual", "condition": "unusual", "deviations": "4"}
    relative = (await browser.post(PAGE, page=PAGE, **usual, action="preview")).text

    chart = fixed.partition('<svg class="alert-preview"')[2].partition("<p class")[0]
    texts = re.findall(r"<text [^>]*>(.*?)</text>", chart)
    assert texts[:3] == ["2", "1", "0"]
    # 90 days before 24 March 2026.
    assert texts[3:] == ["25 Dec", "16 Jan", "7 Feb", "2 Mar", "24 Mar"]
    assert "2 of 13 weeks could be judged." in fixed
    assert re.search(r"11 weeks\s+lie before the first event of the site, 14 Mar 2026", fixed)
    assert "Nothing can be judged yet" in relative
    assert re.search(r"2 weeks\s+have too few weeks before", relative)


async def test_a_limit_far_above_the_values_is_said_and_not_drawn(world):
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **{**RULE, "value": "1000000"}, action="preview")).text

    assert "The limit 1,000,000 lies above the chart." in shown
    assert 'class="limit"' not in shown


async def test_channels_have_the_language_of_the_organization_and_programs_english(world):
    browser = await world.browser("owner")
    await browser.submit("/organizations/1", page="/organizations/1", action="language", language="de")
    for kind in ("webhook", "slack"):
        fields = {"kind": kind, "targetName": kind, "url": "https://hooks.example.com/path"}
        await browser.submit("/sites/1/alert-targets", page=PAGE, **fields)

    for target in ("1", "2"):
        await browser.post("/sites/1/alert-targets", page=PAGE, action="test", target=target)

    program, channel = [request.body for request in world.ports.alerts.queue.requests.values()]
    assert "This target is told about alerts." in program
    assert "Dieser Empfänger wird über Warnungen benachrichtigt." in channel
