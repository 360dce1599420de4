"""The cause of an error: what changes with each report and each build is left out, what tells mistakes apart stays."""

import time
import timeit

import pytest

from footfall.domain.error_tracking.fingerprint import (
    fingerprint,
    is_fingerprint,
    stable_file,
    stable_message,
    stack_number,
    stack_text,
)
from footfall.domain.error_tracking.occurrence import ErrorDetails, error_details


@pytest.mark.parametrize(
    ("message", "stable"),
    [
        (
            "Cannot read properties of undefined (reading 'name')",
            "Cannot read properties of undefined (reading <text>)",
        ),
        ("Can't find variable: foo", "Can't find variable: foo"),
        ("don't do that, isn't it", "don't do that, isn't it"),
        ("GET https://e.com/a?b=1 failed with 404", "GET <url> failed with <number>"),
        ("user 123e4567-e89b-12d3-a456-426614174000 is gone", "user <id> is gone"),
        ("order 5f3a9b2c1d is gone", "order <id> is gone"),
        ("timeout of 30000ms exceeded", "timeout of <number>ms exceeded"),
        ("-1.5 is less than 1,000", "<number> is less than <number>"),
        ("x1 is undefined", "x<number> is undefined"),
        ("a\n  b", "a b"),
        ("", ""),
    ],
)
def test_variable_parts_of_a_message_are_replaced(message, stable):
    assert stable_message(message) == stable


@pytest.mark.parametrize(
    ("name", "stable"),
    [
        ("https://example.com/assets/main.3f2a1b9c.js?v=3", "/assets/main.js"),
        ("https://cdn.example.com/assets/index-BxY3kQ9_.js", "/assets/index.js"),
        ("https://example.com/assets/index-DtKzQyLm.js", "/assets/index.js"),
        (
            "https://example.com/_next/static/chunks/pages/_app-5f3b2c1a.js",
            "/_next/static/chunks/pages/_app.js",
        ),
        ("https://example.com/v1.2.3/app.min.js", "/*/app.min.js"),
        ("https://example.com/assets/UserSettingsPage.js", "/assets/UserSettingsPage.js"),
        ("src/components/Checkout2.tsx", "src/components/Checkout2.tsx"),
        ("app.js", "app.js"),
        ("", ""),
    ],
)
def test_a_file_is_the_same_in_every_build(name, stable):
    assert stable_file(name) == stable


def test_builds_lines_and_variable_parts_do_not_split_a_group():
    one, other = (
        ErrorDetails(
            message=f"item {number} is gone", stack=f"Error: item {number} is gone\n    at f ({place})"
        )
        for number, place in [
            (12, "https://a.example/app.3f2a1b9c.js:1:2"),
            (13, "https://b.example/app.77aa11bb.js:9:9"),
        ]
    )

    assert fingerprint("Error", one) == fingerprint("Error", other)


@pytest.mark.parametrize(
    ("name", "message", "file"),
    [("TypeError", "x", "app.js"), ("Error", "y", "app.js"), ("Error", "x", "other.js")],
)
def test_class_message_and_file_tell_groups_apart(name, message, file):
    known = fingerprint("Error", ErrorDetails(message="x", file_name="app.js"))

    assert fingerprint(name, ErrorDetails(message=message, file_name=file)) != known


def test_the_fingerprint_of_a_known_error_never_changes_within_a_version():
    details = error_details({"message": "x is undefined", "stack": "at f (https://example.com/app.js:1:2)"})

    assert fingerprint("TypeError", details) == "1-a560d64230247d4b"
    assert is_fingerprint(fingerprint("TypeError", details))


@pytest.mark.parametrize(
    "text", ["", "1-", "1-0123456789ABCDEF", "x-0123456789abcdef", "1-0123456789abcdef\n"]
)
def test_other_texts_are_no_fingerprints(text):
    assert not is_fingerprint(text)


def test_stacks_are_compared_without_the_message_in_their_first_line():
    one, other = (
        ErrorDetails(message=message, stack=f"Error: {message}\n    at f (a.js:1:2)")
        for message in ("a", "b")
    )

    assert stack_text(one) == "at f (a.js:1:2)"
    assert stack_number(one) == stack_number(other)
    assert stack_text(ErrorDetails(message="a", file_name="a.js", line_number=3)) == "a.js:3"
    assert stack_text(ErrorDetails()) == ""


@pytest.mark.parametrize(
    "hostile",
    [
        "1" * 9000 + "_",
        "“" * 9000,
        "'a" * 4500,
        "http://" * 1300,
        "a1b2c3d4" * 1000 + "_",
        "-AAAaaaaa" * 1000,
    ],
)
def test_a_hostile_text_takes_no_longer_than_any_other(hostile):
    details = ErrorDetails(message=hostile, file_name=hostile)

    # The best of five: a collection of garbage may fall into any of them.
    took = min(
        timeit.repeat(lambda: fingerprint("Error", details), timer=time.process_time, number=1, repeat=5)
    )

    assert took < 0.1
