"""Languages: choice by headers, formats, plurals, and texts that have their values already."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from babel.messages.catalog import Catalog

from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.application.languages.language import ENGLISH, DateForm, speaking, spoken, tr, tr_plural
from tests.languages.catalogues import faults_of
from tests.languages.pseudo import LONG, RIGHT_TO_LEFT, write_catalogues


@pytest.fixture(scope="module")
def german():
    return CatalogueLanguages.of().find("de")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("de", "de"),
        ("de-AT,en;q=0.8", "de"),
        ("en-GB,de;q=0.9", "en"),
        ("fr, de;q=0.3, en;q=0.4", "en"),
        ("DE", "de"),
        ("de;q=0,en;q=0.1", "en"),
        ("fi", None),
        ("*", None),
        ("", None),
        (None, None),
        ("de;q=x,en", "en"),
        (f"{'xx,' * 10_000}de", None),
    ],
)
def test_the_most_wanted_language_that_is_spoken_is_chosen(header, code):
    chosen = CatalogueLanguages.of().negotiate(header)

    assert (chosen.code if chosen else None) == code


def test_numbers_dates_money_and_places_are_those_of_the_language(german):
    day = date(2026, 3, 5)

    assert german.number(1_234_567.891, 2) == "1.234.567,89"
    assert german.number(-0.5, 1) == "-0,5"
    assert german.percentage("12,5") == "12,5\N{NO-BREAK SPACE}%"
    assert german.money(1234.5, "EUR") == "1.234,50\N{NO-BREAK SPACE}€"
    assert german.money(1234.5, "JPY") == "1.235\N{NO-BREAK SPACE}¥"
    assert german.exact_money(Decimal("-0.0025"), "USD") == "\N{MINUS SIGN}0,0025\N{NO-BREAK SPACE}$"
    assert german.day(day) == "5. März 2026"
    assert german.day(day, DateForm.WHOLE_MONTH) == "März 2026"
    assert german.day(day, DateForm.WEEKDAY_OF_YEAR) == "Do., 5. März"
    assert german.clock(datetime(2026, 3, 5, 14, 5, tzinfo=UTC)) == "14:05"
    assert (german.country_name("DE"), german.language_name("en")) == ("Deutschland", "Englisch")


def test_english_writes_dates_as_before():
    day = date(2026, 3, 5)

    written = [ENGLISH.day(day, form) for form in DateForm]

    assert written == ["5 Mar 2026", "5 Mar", "Mar 2026", "March 2026", "Thu 5 Mar", "Thu 5 Mar 2026"]


def test_a_text_that_was_made_elsewhere_is_found_by_its_words(german):
    assert german.made("must be at most 1,000 characters") == "darf höchstens 1.000 Zeichen haben"
    assert german.made("Site not found") == "Website nicht gefunden"
    reason = "it takes longer than 5 seconds to measure"
    assert german.made(f"This goal is set aside: {reason}. Change its pattern").startswith(
        "Dieses Ziel ist zurückgestellt: die Messung dauert"
    )
    assert german.made("words-of a visitor: {x}") == "words-of a visitor: {x}"


def test_a_language_is_spoken_for_as_long_as_it_is_asked_for(german):
    with speaking(german):
        inside = (tr("Step {number}", number=2), tr_plural("{count} visitor", "{count} visitors", 1_200))

    assert inside == ("Schritt 2", "1.200 Besucher")
    assert spoken() is ENGLISH
    assert tr("Step {number}", number=2) == "Step 2"


def test_further_languages_come_from_a_folder(tmp_path):
    write_catalogues(tmp_path)

    languages = CatalogueLanguages.of(tmp_path)

    assert languages.offered().keys() == {"en", "de", LONG, RIGHT_TO_LEFT}
    assert languages.find(RIGHT_TO_LEFT).is_right_to_left
    assert languages.find(LONG).text("Save") == "⟦Sávé ö⟧"
    assert languages.find("xx") is None
    arabic = languages.find(RIGHT_TO_LEFT)
    assert arabic.plural("session", "sessions", 1) != arabic.plural("session", "sessions", 3)


@pytest.mark.parametrize(
    ("message", "text", "fault"),
    [
        ("Save", "", "not translated"),
        ("Remove {name}", "Entfernen", "other values or tags"),
        ("Remove %(name)s", "Entfernen", "other values or tags"),
        ("<strong>Now</strong>", "Jetzt", "other values or tags"),
        ("Save", '"Sichern"', "a straight quotation mark"),
        (("day", "days"), ("Tag", ""), "not translated"),
    ],
)
def test_what_is_wrong_with_a_translation_is_said(message, text, fault):
    catalogue = Catalog(locale="de")

    found = list(faults_of(catalogue.add(message, text)))

    assert [one for one in found if one.startswith(fault)]
