"""Journeys on the dashboard: the flow, its tables, and the form that asks about them."""

import re
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import EventRule
from footfall.domain.paths.page_groups import GroupRule
from footfall.domain.tracking.engagement import Measure, RecordedMeasure
from footfall.domain.tracking.hit import HitType
from tests.links import new_link

PAGE = "/sites/1/journeys"


@pytest.fixture
async def visited(world):
    """A site with a goal and three sessions."""
    goals = world.commands.goals
    await goals.define(1, name="Sign-up", rule=EventRule("signup"), context=CommandContext())
    for visitor, pages in enumerate([["/", "/pricing", "/docs"], ["/", "/pricing"], ["/", "/blog"]]):
        for path in pages:
            await world.hit(pathname=path, visitor_id=visitor)
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="signup", pathname="/docs", visitor_id=0)
    return world


def rows_of(page):
    """Return the rows of each table: name, sessions, share."""
    return [
        [
            (
                unescape(re.sub(r"<[^>]+>|Filter<span.*?</span>", "", name)).strip(),
                re.sub(r"<[^>]+>", "", sessions),
                share,
            )
            for name, sessions, share in re.findall(
                r'<th scope="row">(.*?)</th>\s*<td[^>]*>(.*?)</td>\s*<td[^>]*>(.*?)</td>', table
            )
        ]
        for table in re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    ]


def links_of(page, text):
    """Return the addresses of the links with a text."""
    found = re.findall(r'<a [^>]*?href="([^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL)
    return [unescape(address) for address, shown in found if text in shown]


async def test_the_tables_have_each_step_with_the_share_of_its_sessions(visited):
    browser = await visited.browser("member")

    page = (await browser.get(PAGE)).text

    assert rows_of(page) == [
        [("/", "3", "100%")],
        [("/pricing", "2", "66.7%"), ("/blog", "1", "33.3%")],
        [("/docs", "1", "33.3%"), ("Left", "2", "66.7%")],
        [("Left", "1", "33.3%")],
    ]
    assert "<title>/pricing: 2 sessions, 66.7% of all</title>" in page


async def test_a_click_on_a_step_keeps_its_sessions_and_a_second_one_takes_the_choice_back(visited):
    browser = await visited.browser("member")
    [address, *_] = links_of((await browser.get(PAGE)).text, "/pricing")

    chosen = (await browser.get(address)).text
    again = links_of(chosen, "/pricing")

    assert address == f"{PAGE}?step_2=page%3A%2Fpricing"
    assert rows_of(chosen)[0] == [("/", "2", "100%")]
    assert PAGE in again


async def test_the_form_leads_to_the_address_of_what_it_asks_about(visited):
    browser = await visited.browser("member")

    sent = await browser.get(f"{PAGE}?period=7d&direction=before&kind=goal:1&value=&custom_events=true")
    page = (await browser.get(sent.headers["location"])).text

    assert sent.status_code == 303
    assert sent.headers["location"] == f"{PAGE}?period=7d&before=goal%3A1&custom_events=true"
    assert '<option value="goal:1" selected>' in page
    assert rows_of(page)[0] == [("/docs", "1", "100%")]


async def test_a_comparison_has_the_sessions_of_the_compared_period_beside_each_step(visited):
    browser = await visited.browser("member")

    alone = (await browser.get(PAGE)).text
    page = (await browser.get(f"{PAGE}?compare=previous")).text
    file = await browser.get("/sites/1/panels/journeys/csv?compare=previous")

    assert ("Compared with" in alone, "Compared with" in page) == (False, True)
    [first, *_] = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", first)]
    assert cells == ["3", "100%", "0", "new"]
    assert file.text.splitlines()[0].endswith(",previous")


@pytest.mark.parametrize(
    ("reported", "columns", "title"),
    [
        ({"engaged_ms": 61_000}, ["Engaged"], 'title="Mean time looked at, of 1 pageview">1m 01s</td>'),
        ({"scroll_percent": 62}, ["Scroll"], 'title="Mean scroll depth, of 1 pageview">62.0%</td>'),
        ({"engaged_ms": 0, "scroll_percent": 5}, ["Engaged", "Scroll"], ">5.0%</td>"),
    ],
)
async def test_engagement_stands_beside_steps_once_there_is_some(visited, reported, columns, title):
    browser = await visited.browser("member")
    before = (await browser.get(PAGE)).text
    await visited.hit(pathname="/tour", visitor_id=9, pageview_key=7)
    received_at, newest = visited.log.hits[-1].hit.received_at, visited.log.newest
    measure = Measure(site_id=1, pageview_key=7, received_at=received_at, **reported)
    visited.log.measures.append(RecordedMeasure(newest + 1, measure))

    page = (await browser.get(PAGE)).text

    headings = [re.findall(r">(Engaged|Scroll)</th>", text) for text in (before, page)]
    assert [list(dict.fromkeys(found)) for found in headings] == [[], columns]
    assert title in page


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ("direction=after&kind=page&value=/pricing", "after=page%3A%2Fpricing"),
        ("direction=after&kind=page&value=", "after=start"),
        ("direction=before&kind=&value=", "before=end"),
    ],
)
async def test_without_a_path_the_form_asks_about_whole_sessions(visited, fields, asked):
    browser = await visited.browser("member")

    sent = await browser.get(f"{PAGE}?{fields}")

    assert sent.headers["location"] == f"{PAGE}?{asked}"


async def test_a_way_leads_to_a_funnel_of_its_steps_in_the_order_of_time(visited):
    browser = await visited.browser("member")
    asked = f"{PAGE}?before=goal:1&step_1=page:/docs&step_2=page:/pricing"
    [funnel] = links_of((await browser.get(asked)).text, "Make a funnel")

    form = (await browser.get(funnel)).text

    assert [unescape(value) for value in re.findall(r'name="value\d" type="text" value="([^"]+)"', form)] == [
        "/pricing",
        "/docs",
    ]
    assert 'name="name" type="text" value="/pricing → /docs → Sign-up"' in form
    assert "/pricing <strong>2</strong> → /docs <strong>1</strong> → Sign-up <strong>1</strong>" in form


@pytest.mark.parametrize(("rules", "leads"), [(("Docs", "All"), True), (("All", "Docs"), False)])
async def test_a_group_is_a_step_of_a_funnel_if_no_earlier_rule_has_some_of_its_paths(visited, rules, leads):
    patterns = {"Docs": "/docs*", "All": "/d*"}
    arranged = [GroupRule(name, patterns[name]) for name in rules]
    await visited.commands.page_groups.arrange(1, arranged, CommandContext())
    await visited.directory.catch_up()
    browser = await visited.browser("member")

    page = (await browser.get(f"{PAGE}?before=goal:1&groups=true&step_1=group:Docs")).text

    assert bool(links_of(page, "Make a funnel")) is leads


async def test_those_who_may_not_add_a_funnel_are_not_led_to_its_form(visited):
    key, reader = await new_link(visited.commands), visited.stranger()

    page = (await reader.get(f"/share/1/{key}/journeys?step_1=page:/&step_2=page:/pricing")).text

    assert rows_of(page)[1] == [("/pricing", "2", "100%")]
    assert links_of(page, "Make a funnel") == []


async def test_labels_are_cut_as_texts_and_not_inside_of_what_a_page_escapes_them_to(world):
    await world.hit(pathname="/&&&&&&&<b>&&&&&&&&&&&&&&&&&")
    browser = await world.browser("member")

    page = (await browser.get(PAGE)).text

    labels = [unescape(label) for label in re.findall(r'<text x="\d+" y="[\d.]+">(.*?)</text>', page)]
    assert labels[1] == "/&&&&&&&<b>&&&&&&&&&&&&…"


@pytest.mark.parametrize("path", ["/a*b", "/pricing*", ""])
async def test_a_way_with_a_page_that_no_pattern_means_leads_to_no_funnel(visited, path):
    for one in ("/", path):
        await visited.hit(pathname=one, visitor_id=7)
    browser = await visited.browser("member")

    page = (await browser.get(PAGE, params={"step_1": "page:/", "step_2": f"page:{path}"})).text

    assert rows_of(page)[1] == [(path or "(none)", "1", "100%")]
    assert links_of(page, "Make a funnel") == []


async def test_the_page_names_what_it_does_not_accept(visited):
    browser = await visited.browser("member")

    refused = await browser.get(f"{PAGE}?after=page:/&before=end")

    assert refused.status_code == 400
    assert "must not come together with after" in refused.text


async def test_a_page_without_sessions_says_so(world):
    browser = await world.browser("member")

    assert "No sessions in this period" in (await browser.get(PAGE)).text


GROUPED = [GroupRule("Prices", "/pricing*"), GroupRule("Docs", "/d*")]


@pytest.mark.parametrize("groups", [[], GROUPED])
@pytest.mark.parametrize(
    "asked",
    [
        "",
        "custom_events=true",
        "before=end&custom_events=true",
        "after=page:/&step_2=page:/docs",
        "after=page:/pricing",
        "before=goal:1",
        "filter=entry_page,equals,/&after=event:signup",
        "groups=off&step_2=page:/pricing",
    ],
)
async def test_figures_of_journeys_open_as_many_visits(visited, groups, asked):
    await visited.commands.page_groups.arrange(1, groups, CommandContext())
    await visited.directory.catch_up()
    browser = await visited.browser("member")

    page = (await browser.get(f"{PAGE}?{asked}")).text
    figures = [
        (int(figure), unescape(address))
        for address, figure in re.findall(r'<a href="([^"]*)" title="List these sessions">(\d+)</a>', page)
    ]
    lists = [(await browser.get(address)).text for _, address in figures]
    files = [
        (await browser.get(address.replace("/sessions", "/panels/visits/csv"))).text for _, address in figures
    ]

    counts = [figure for figure, _ in figures]
    steps = sum(len(table) for table in rows_of(page))
    assert [len(set(re.findall(r"/sites/1/sessions/[0-9a-f]{16}", text))) for text in lists] == counts
    assert [len(text.splitlines()) - 1 for text in files] == counts
    assert len(counts) == (steps + 1 if steps else 0)
    assert all(PAGE in text for text in lists)


async def test_a_list_of_a_journey_keeps_it_in_its_search_and_leads_back_to_the_journey(visited):
    browser = await visited.browser("member")
    asked = "after=page%3A%2F&step_1=page%3A%2Fpricing"

    page = (await browser.get(f"/sites/1/sessions?{asked}&ended_after=1")).text

    assert "which ended after 1 step." in page
    assert links_of(page, "a journey") == [f"{PAGE}?{asked}"]
    assert '<input type="hidden" name="step_1" value="page:/pricing">' in page
    assert '<input type="hidden" name="ended_after" value="1">' in page
    assert links_of(page, "Show all visits") == ["/sites/1/sessions"]


@pytest.mark.parametrize("end", ["5", "-1", "x", ""])
async def test_a_journey_ends_after_a_number_of_steps(visited, end):
    browser = await visited.browser("member")

    refused = await browser.get("/sites/1/sessions", params={"ended_after": end})

    assert refused.status_code == 400
    assert "must be a number of steps from 0 to 4" in refused.text


async def test_readers_by_link_see_the_figures_without_links_to_visits(visited):
    key, reader = await new_link(visited.commands), visited.stranger()

    page = (await reader.get(f"/share/1/{key}/journeys")).text

    assert rows_of(page)[0] == [("/", "3", "100%")]
    assert "/sessions?" not in page
