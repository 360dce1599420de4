"""Languages: choice by headers, formats, plurals, and texts that have their values already."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.adapters.languages.catalogues import Texts
from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.adapters.languages.translated import Translated
from footfall.application.languages.language import ENGLISH, DateForm, speaking, spoken, tr, tr_plural
from footfall.entrypoints.composition.commands.command_adapters import require_catalogues
from footfall.entrypoints.settings import InvalidSettings
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


@given(
    st.one_of(st.integers(), st.floats(-1e300, 1e300), st.decimals(-(10**60), 10**60, places=8)),
    st.integers(0, 4),
    st.sampled_from(["EUR", "JPY", "HUF", "KWD", "CLF"]),
)
@example(1e300, 2, "EUR")
@example(Decimal("123456789012345678901234567890.5"), 0, "USD")
def test_a_number_has_the_digits_that_it_has_in_english(german, value, digits, currency):
    def written(language):
        amount = Decimal(value)
        return (
            language.number(value, digits).translate(str.maketrans(",.", ".,")),
            re.sub(r"[^\d]", "", language.money(amount, currency)),
            re.sub(r"[^\d]", "", language.exact_money(amount, currency)),
        )

    assert written(german) == (ENGLISH.number(value or 0, digits), *written(ENGLISH)[1:])


def test_zero_has_no_sign_after_a_negative_zero(german):
    german.number(-0.0, 3)

    assert german.number(0, 3) == "0,000"


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


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        ("must be the name of the site: Top pages", "muss der Name der Website sein: Top pages"),
        ("this site has no group of pages 7 visitors", "diese Website hat keine Seitengruppe 7 visitors"),
        (
            "'7 visitors' is not an ISO 3166 alpha-2 country code",
            "'7 visitors' passt nicht: erwartet wird ein Ländercode nach ISO 3166 alpha-2",
        ),
        (
            "must be an array of 1 to 20 texts, numbers or booleans",
            "muss eine Liste mit 1 bis 20 Texten, Zahlen oder Wahrheitswerten sein",
        ),
        (
            "the salt of the week from 2026-03-01 was destroyed on 2026-03-09",
            "das Salt (Woche ab 2026-03-01) wurde am 2026-03-09 vernichtet",
        ),
    ],
)
def test_reasons_within_an_error_are_translated_and_names_are_not(german, text, translated):
    assert german.made(text) == translated


@pytest.mark.parametrize("letters", [1_000, 100_000])
def test_words_of_those_who_ask_are_no_work(german, letters):
    for words in ("the path ", "is required: ", "must be one of ", " filters", " is not "):
        made = german.made(f"this site has no goal {words * (letters // len(words))}")

        assert words * 50 in made


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


_HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {rule};\\n"\n\n'
_RULE = "nplurals=2; plural=(n > 1)"


@pytest.mark.parametrize(
    "text",
    [
        'msgid "Step {number}"\nmsgstr "Étape {nombre}"\n',
        'msgid "Step {number}"\nmsgstr "Étape {number"\n',
        'msgid "Step {number}"\nmsgstr "Étape {number.real}"\n',
        'msgid "Remove %(name)s"\nmsgstr "Retirer %(nom)s"\n',
        'msgid "Remove %(name)s"\nmsgstr "Retirer à 100 %"\n',
        'msgid "All"\nmsgstr "100 %"\n',
        'msgid "visitor"\nmsgid_plural "visitors"\nmsgstr[0] ""\nmsgstr[1] ""\n',
        'msgid "visitor"\nmsgid_plural "visitors"\nmsgstr[0] "visiteur"\n',
    ],
)
def test_a_translation_that_cannot_be_written_is_none(tmp_path, text):
    (tmp_path / "fr.po").write_text(_HEAD.format(rule=_RULE) + text, encoding="utf-8")

    french = CatalogueLanguages.of(tmp_path).find("fr")

    assert [french.text(one) for one in ("Step {number}", "Remove %(name)s", "All", "visitor")] == [
        "Step {number}",
        "Remove %(name)s",
        "All",
        "visitor",
    ]
    assert french.plural("visitor", "visitors", 2) == "visitors"
    require_catalogues(tmp_path)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("fr.po", "nplurals=2; plural=(n ** 1"),
        ("fr.po", "nplurals=2; plural=(n > 1 ? 7 : 0)"),
        ("fr.po", "nplurals=2; plural=(1 % n)"),
        ("pt_BR.po", _RULE),
        ("messages.po", _RULE),
    ],
)
def test_a_catalogue_that_no_page_could_use_is_refused_by_name(tmp_path, name, rule):
    (tmp_path / name).write_text(_HEAD.format(rule=rule))

    with pytest.raises(InvalidSettings, match=f"FOOTFALL_LANGUAGES has {name}, which is no catalogue: "):
        require_catalogues(tmp_path)


@pytest.mark.parametrize("name", ["none", "file"])
def test_a_folder_of_languages_that_is_none_is_refused(tmp_path, name):
    (tmp_path / "file").touch()

    with pytest.raises(InvalidSettings, match="FOOTFALL_LANGUAGES must be a folder"):
        require_catalogues(tmp_path / name)


def test_numbers_of_languages_with_other_groups_and_of_fractions(german):
    hindi = Translated("hi-Latn-IN", Locale("hi", "IN", "Latn"), Texts.of(Catalog(locale="hi")))

    assert hindi.percentage("12") == "12%"
    assert hindi.number(1_234_567) == "12,34,567"
    assert [german.plural("session", "sessions", count) for count in (0, 0.4, 1, 1.4, 1.6)] == [
        "Sitzungen",
        "Sitzungen",
        "Sitzung",
        "Sitzung",
        "Sitzungen",
    ]


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
