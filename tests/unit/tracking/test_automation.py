"""Signs of automation: which headers and user agents disagree, and how several signs are one text."""

import pytest

from footfall.domain.tracking.automation import EVERY_VALUE, ClientHints, Sign, hints_speak_against, signs_of
from footfall.domain.traffic.dimensions import value_label

NONE = dict.fromkeys(Sign, False)
CHROME = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0{} Safari/537.36"
WINDOWS = CHROME.format("Windows NT 10.0; Win64; x64", 150, "")
PHONE = CHROME.format("Linux; Android 10; K", 150, " Mobile")
TABLET = CHROME.format("Linux; Android 10; K", 150, "")
ASKS_FOR_DESKTOP_SITES = CHROME.format("X11; Linux x86_64", 150, "")
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


def brands(version=150, product="Google Chrome"):
    return f'"Not;A=Brand";v="8", "Chromium";v="{version}", "{product}";v="{version}"'


@pytest.mark.parametrize(
    ("user_agent", "hints"),
    [
        (WINDOWS, ClientHints(brands(), "?0", '"Windows"')),
        (f"{WINDOWS} Edg/150.0.0.0", ClientHints(brands(product="Microsoft Edge"), "?0", '"Windows"')),
        (f"{WINDOWS} OPR/134.0.0.0", ClientHints(brands(product="Opera"), "?0", '"Windows"')),
        (CHROME.format("Macintosh; Intel Mac OS X 10_15_7", 150, ""), ClientHints(brands(), "?0", '"macOS"')),
        (CHROME.format("X11; CrOS x86_64 14541.0.0", 150, ""), ClientHints(brands(), "?0", '"Chrome OS"')),
        (PHONE, ClientHints(brands(), "?1", '"Android"')),
        (TABLET, ClientHints(brands(), "?0", '"Android"')),
        (ASKS_FOR_DESKTOP_SITES, ClientHints(brands(), "?0", '"Android"')),
        (ASKS_FOR_DESKTOP_SITES, ClientHints(brands(), "?0", '"Linux"')),
        (WINDOWS, ClientHints()),
        (WINDOWS, ClientHints("", "", "")),
        (WINDOWS, ClientHints('"Another";v="1"', "no", '"BeOS"')),
        (FIREFOX, ClientHints()),
        (SAFARI, ClientHints()),
        ("", ClientHints()),
    ],
)
def test_browsers_of_people_and_absent_hints_disagree_with_nothing(user_agent, hints):
    assert not hints_speak_against(user_agent, hints)


@pytest.mark.parametrize(
    ("user_agent", "hints"),
    [
        (WINDOWS.replace("Chrome", "HeadlessChrome"), ClientHints()),
        (WINDOWS, ClientHints(brands(product="HeadlessChrome"), "?0", '"Windows"')),
        (WINDOWS, ClientHints(brands(149), "?0", '"Windows"')),
        (WINDOWS, ClientHints(brands(15), "?0", '"Windows"')),
        (WINDOWS, ClientHints(brands(), "?0", '"Linux"')),
        (WINDOWS, ClientHints(brands(), "?1", '"Windows"')),
        (PHONE, ClientHints(brands(), "?0", '"Android"')),
        (PHONE, ClientHints(brands(), "?1", '"macOS"')),
        (FIREFOX, ClientHints(brands(140), "?0", '"Windows"')),
        (SAFARI, ClientHints(brands(), "?1", '"Linux"')),
        ("", ClientHints(brands())),
    ],
)
def test_another_version_platform_or_device_and_a_headless_browser_are_a_sign(user_agent, hints):
    assert hints_speak_against(user_agent, hints)


def test_each_set_of_signs_is_one_text_in_which_each_name_is_found():
    texts = [signs_of(**NONE | dict.fromkeys(names, True)) for names in ((), ("webdriver",), [*Sign])]

    assert texts == ["none", "webdriver", "headless_hints,no_language,no_screen,webdriver"]
    assert len(set(EVERY_VALUE)) == 2 ** len(Sign)
    assert [*Sign] == sorted(Sign)
    assert [(a, b) for a in Sign for b in (*Sign, "none") if a != b and a in b] == []


def test_signs_have_labels_alone_and_together():
    assert [value_label("automation", text) for text in ("none", "no_screen,webdriver", "")] == [
        "No signs",
        "No screen, WebDriver",
        "",
    ]


@pytest.mark.parametrize("text", [*EVERY_VALUE])
def test_every_value_has_a_label_of_its_own(text):
    labels = {value_label("automation", value) for value in EVERY_VALUE}

    assert len(labels) == len(EVERY_VALUE)
    assert "_" not in value_label("automation", text)
