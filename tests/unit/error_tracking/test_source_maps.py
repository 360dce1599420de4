"""Rules of source maps: names of files, the names that a frame can have been uploaded under, limits, packing."""

import pytest

from footfall.domain.error_tracking.source_maps import (
    MinifiedFile,
    PackedFile,
    Quota,
    SourceMapQuotaExceeded,
    check_source_map,
    minified_file,
    names_of,
    parse_file_name,
    shown_line,
    shown_source_name,
)
from footfall.domain.error_tracking.stack_trace import Frame, lines
from footfall.domain.exceptions import Invalid


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("assets/app.js", "assets/app.js"),
        ("./app.js", "app.js"),
        ("/a/b.js", "a/b.js"),
        (" ü/☃.js ", "ü/☃.js"),
    ],
)
def test_the_name_of_a_file_is_its_path_below_the_directory(text, name):
    assert parse_file_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "../app.js",
        "a/../b.js",
        "a//b.js",
        "app.js?v=1",
        "app.js#x",
        "a/",
        "x" * 501,
        "a\x00.js",
        "\ud800",
    ],
)
def test_another_text_is_no_name_of_a_file(text):
    with pytest.raises(Invalid) as refusal:
        parse_file_name(text)

    assert list(refusal.value.field_errors) == ["file"]


@pytest.mark.parametrize(
    ("file_name", "names"),
    [
        ("https://e.com/a/b/app.js?v=2#x", ["a/b/app.js", "b/app.js", "app.js"]),
        ("https://e.com:8080/app.js", ["app.js"]),
        ("/srv/dist/app.js", ["srv/dist/app.js", "dist/app.js", "app.js"]),
        ("app:///main.js", ["main.js"]),
        ("app.js", ["app.js"]),
        ("https://e.com/", []),
    ],
)
def test_a_frame_can_be_of_any_end_of_its_path_the_longest_first(file_name, names):
    assert list(names_of(Frame(file_name, 1, 1))) == names


@pytest.mark.parametrize(
    ("file_name", "names"),
    [
        (
            "https://e.com/a/caf%C3%A9%20x.js",
            ["a/café x.js", "a/caf%C3%A9%20x.js", "café x.js", "caf%C3%A9%20x.js"],
        ),
        ("https://e.com/a%2Fb.js", ["a%2Fb.js"]),
        ("https://e.com/a%00.js", ["a%00.js"]),
        ("https://e.com/%ff.js", ["%ff.js"]),
        ("100%25/app.js", ["100%25/app.js", "app.js"]),
    ],
)
def test_the_name_of_a_file_is_not_quoted_as_its_address_is(file_name, names):
    assert list(names_of(Frame(file_name, 1, 1))) == names


def test_a_deep_path_has_a_bounded_number_of_names():
    names = list(names_of(Frame("https://e.com/" + "a/" * 2_000 + "app.js", 1, 1)))

    assert len(names) == 20
    assert names[-1] == "app.js"


def test_the_limits_name_what_is_exceeded():
    quota = Quota(files=2, stored=10 * 1024 * 1024)

    quota.check(files=2, stored=10 * 1024 * 1024)
    with pytest.raises(SourceMapQuotaExceeded, match="at most 2 files"):
        quota.check(files=3, stored=0)
    with pytest.raises(SourceMapQuotaExceeded, match="at most 10 MiB"):
        quota.check(files=1, stored=10 * 1024 * 1024 + 1)


def test_a_packed_file_is_the_same_again_and_its_digest_tells_code_from_map():
    content = MinifiedFile(b"let a", b'{"version":3}')

    packed = PackedFile.of(content)

    assert packed.unpacked() == content
    assert (packed.size, packed.digest) == (18, PackedFile.of(content).digest)
    assert packed.digest != PackedFile.of(MinifiedFile(b"let a{", b'"version":3}')).digest


def test_the_lines_of_a_stack_stand_beside_their_frames():
    stack = "TypeError: x\n    at pay (https://e.com/app.js:1:27)\n    at <anonymous>"

    found = list(lines(stack, message="x"))

    assert [text.strip() for text, _ in found] == ["", "at pay (https://e.com/app.js:1:27)", "at <anonymous>"]
    assert [frame for _, frame in found] == [None, Frame("https://e.com/app.js", 1, 27), None]


def test_what_a_map_holds_is_shown_within_limits():
    assert shown_line("  x\r\n") == "  x"
    assert len(shown_line("y" * 10_000)) == 300
    assert shown_source_name("a\u202eb\x00" + "c" * 500) == "a b " + "c" * 195 + "…"


@pytest.mark.parametrize(
    ("stack", "name"),
    [
        ("at a (https://e.com/assets/app.js?v=1:1:201)", "assets/app.js"),
        ("at a (https://e.com/assets/app.js:1:200)", None),
        ("at a (https://e.com/vendor.min.js:3:7)", "vendor.min.js"),
        ("at a (https://e.com/my.min.d/app.js:3:7)", None),
        ("at a (https://e.com/app.js:3:7)\nat b (https://e.com/app.js:1:9000)", "app.js"),
        ("a@https://e.com/app.js:1", None),
        ("at a (https://e.com/:1:9000)", None),
        ("", None),
    ],
)
def test_code_with_longer_lines_than_people_write_is_minified(stack, name):
    assert minified_file(frame for _, frame in lines(stack) if frame is not None) == name


@pytest.mark.parametrize("content", [b'{"version": 3}', b" {", b")]}'\n{}"])
def test_a_source_map_is_a_json_object(content):
    check_source_map(content)


@pytest.mark.parametrize("content", [b"", b"[]", b"function a(){}"])
def test_other_content_is_no_source_map(content):
    with pytest.raises(Invalid) as refusal:
        check_source_map(content)

    assert list(refusal.value.field_errors) == ["map"]
