"""Pages in other languages: whose they have, and that no text of them stays English."""

import re
from html import unescape

import pytest

from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.goals.goal import PathRule
from footfall.domain.tracking.hit import HitType
from tests.languages.pseudo import LONG, write_catalogues
from tests.links import new_link, shared_link
from tests.routes import page_routes
from tests.web.test_access import filled
from tests.web.test_segments import MOBILE

# They name fields of the HTTP interface, and their values.
OF_FIELDS = {"/sites/{site}/history", "/account/mail-reports/preview"}
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
PSEUDO = {"Accept-Language": LONG}
# Names of people, sites and values in the pages that are looked at, and of this service and its formats.
NAMES = {
    *(
        "Acme",
        "Example",
        "Elsewhere",
        "Footfall",
        "Deutsch",
        "English",
        "europe",
        "window",
        "Order",
        "Ops",
        "Phones",
        "Agency",
    ),
    *(
        "CSV",
        "JSON",
        "UTC",
        "TypeError",
        "broken",
        "LCP",
        "CLS",
        "INP",
        "FCP",
        "TTFB",
        "signup",
        "plan",
        "large",
    ),
    *("Mar", "Feb", "March", "February", "user", "example.com", "Firefox", "cart", "Germany"),
}


@pytest.fixture(scope="module")
def languages(tmp_path_factory):
    """The languages of the package, and the pseudo-languages."""
    folder = tmp_path_factory.mktemp("languages")
    write_catalogues(folder)
    return CatalogueLanguages.of(folder)


def language_of(page):
    return re.search(r'<html lang="([^"]+)"', page.text)[1]


def untranslated(page):
    """The words of a page, read or seen, that are in no text of the pseudo-language."""
    # Texts are between brackets, and those within them, too.
    text, depth, markup = page.text, 0, []
    for part in re.split("([⟦⟧])", text):
        depth += {"⟦": 1, "⟧": -1}.get(part, 0)
        markup.append(part if depth == 0 else re.sub(r"[^<>=\"/ ]", " ", part))
    shown = re.sub(r"<(script|style|code|pre|datalist)\b.*?</\1>", " ", "".join(markup), flags=re.DOTALL)
    read_out = re.findall(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"', shown)
    words = re.findall(
        r"[A-Za-z][A-Za-z.]{2,}", unescape(" ".join((re.sub("<[^<>]*>", " ", shown), *read_out)))
    )
    return sorted({word.rstrip(".") for word in words} - NAMES)


async def test_a_page_has_the_language_of_the_browser_and_says_so(world):
    german = await world.stranger().get("/sign-in", headers=GERMAN)
    other = await world.stranger().get("/sign-in", headers={"Accept-Language": "fi,sv;q=0.5"})
    none = await world.stranger().get("/sign-in")

    assert "<h1>Anmelden</h1>" in german.text
    assert german.headers["content-language"] == "de"
    assert (language_of(german), language_of(other), language_of(none)) == ("de", "en", "en")


async def test_a_user_chooses_a_language_before_the_organization_and_that_before_the_browser(world):
    owner, member = await world.browser("owner"), await world.browser("member")
    before = await member.get("/sites", headers=GERMAN)
    await owner.submit("/organizations/1", page="/organizations/1", action="language", language="de")
    of_organization = await member.get("/sites", headers={"Accept-Language": "en"})

    chosen = await member.submit("/account/language", page="/account", language="en")

    of_user = await member.get("/sites", headers=GERMAN)
    assert [language_of(page) for page in (before, of_organization, chosen, of_user)] == [
        "de",
        "de",
        "en",
        "en",
    ]
    assert '<option value="en" lang="en" selected>English' in chosen.text


async def test_readers_of_a_link_have_the_language_of_the_browser_before_that_of_the_organization(world):
    owner, site = await world.browser("owner"), (await world.site()).site
    await owner.submit("/organizations/1", page="/organizations/1", action="language", language="de")
    link = f"/share/{site.public_id}/{await new_link(world.commands)}"

    silent = await world.stranger().get(link)
    english = await world.stranger().get(link, headers={"Accept-Language": "en"})

    assert (language_of(silent), language_of(english)) == ("de", "en")


@pytest.mark.parametrize("language", ["xx", "de;q=1", "<b>"])
async def test_a_language_that_is_not_offered_is_refused(world, language):
    owner = await world.browser("owner")

    of_user = await owner.post("/account/language", page="/account", language=language)
    of_organization = await owner.post(
        "/organizations/1", page="/organizations/1", action="language", language=language
    )

    assert (of_user.status_code, of_organization.status_code) == (400, 400)


async def test_members_do_not_choose_the_language_of_the_organization(world):
    member = await world.browser("member")

    answer = await member.post("/organizations/1", page="/sites", action="language", language="de")

    assert answer.status_code == 403


async def test_errors_of_forms_are_translated_with_their_values(world):
    owner = await world.browser("owner")

    english = await owner.post("/account", page="/account", name="x" * 101)
    await owner.submit("/account/language", page="/account", language="de")
    german = await owner.post("/account", page="/account", name="x" * 101)

    assert "Must be at most 100 characters" in english.text
    assert "Darf höchstens 100 Zeichen haben" in german.text


async def test_numbers_and_dates_are_written_as_the_language_does(world):
    for number in range(1_234):
        await world.hit(visitor_id=number)

    page = await (await world.browser("owner")).get("/sites/1?plain=on", headers=GERMAN)

    assert "1.234" in page.text
    assert "1,2 Tsd." in page.text
    assert re.search(r"März 2026|Mär\.? 2026", page.text)


async def test_no_text_of_a_page_stays_english(world):
    """Each page for an owner, with something on it."""
    await something_of_everything(world)
    owner, left = await world.browser("owner"), {}

    for path, method, _ in page_routes(world.app):
        if method == "GET" and not path.startswith("/share/") and path not in OF_FIELDS:
            address = filled(path, **dict.fromkeys(("goal", "funnel", "segment", "link"), "1"))
            page = await owner.get(
                f"{address}?plain=on" if path == "/sites/{site}" else address, headers=PSEUDO
            )
            if "text/html" in page.headers.get("content-type", "") and (words := untranslated(page)):
                left[path] = words

    assert left == {}


async def something_of_everything(world):
    """Give site 1 something for most pages, and hits of all types."""
    commands, context = world.commands, CommandContext()
    await commands.goals.define(1, name="Order", rule=PathRule("/**"), context=context)
    await commands.funnels.define(1, FunnelPlan("Agency", (GoalStep(1), PathRule("/cart"))), context)
    await commands.segments.define(1, name="Phones", owner=None, conditions=MOBILE, context=context)
    await commands.annotations.add(1, context, at=world.clock.now(), text="Phones")
    await shared_link(commands, ["goals"])
    error = {"message": "broken", "stack": "TypeError: broken"}
    for known in (
        {"pathname": "/cart", "country": "DE", "browser": "Firefox", "channel": "Direct"},
        {"type": HitType.CUSTOM_EVENT, "event_name": "signup", "properties": {"plan": "large"}},
        {"type": HitType.OUTBOUND, "properties": {"url": "https://example.com/"}},
        {"type": HitType.PERFORMANCE, "lcp": 812.0},
        {"type": HitType.ERROR, "event_name": "TypeError", "properties": error},
    ):
        await world.hit(**known)
