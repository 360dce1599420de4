"""Minified files of a directory and their maps, by every way in which a file names its map."""

import base64

import pytest

from footfall.domain.error_tracking.source_maps import MAX_FILE_BYTES
from footfall.entrypoints.sourcemaps.bundles import Bundle, read_bundles
from tests.source_maps import CODE, built, source_map

INLINE = base64.b64encode(source_map().encode()).decode()


def names(folder):
    return {one.name: "bundle" if isinstance(one, Bundle) else one.reason for one in read_bundles(folder)}


def only(folder):
    [one] = read_bundles(folder)
    return one


@pytest.mark.parametrize(
    "comment",
    [
        None,
        "",
        "\n//@ sourceMappingURL=app.js.map",
        "\n/*# sourceMappingURL=app.js.map */\n",
        "\n//# sourceMappingURL=other.map\n//# sourceMappingURL=app.js.map\n",
        "\n//# sourceMappingURL=/assets/app.js.map",
        "\n//# sourceMappingURL=./app.js.map?v=1",
        "\n//# sourceMappingURL=https://cdn.example.com/maps/app.js.map",
        f"\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,{INLINE}",
        f"\n//# sourceMappingURL=data:application/json;base64,{INLINE}" + "\n" * 5000,
    ],
)
def test_the_map_that_a_file_names_is_found(tmp_path, comment):
    built(tmp_path, comment=comment)

    found = only(tmp_path)

    assert (found.name, found.source_map, found.has_source_text) == (
        "assets/app.js",
        source_map().encode(),
        True,
    )


def test_a_map_may_have_a_name_that_is_encoded(tmp_path):
    built(tmp_path, comment="\n//# sourceMappingURL=a%20b.map", with_map=False)
    (tmp_path / "assets" / "a b.map").write_text(source_map())

    assert isinstance(only(tmp_path), Bundle)


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("", "no source map"),
        ("\n//# sourceMappingURL=gone.map", "its source map gone.map is not there"),
        ("\n//# sourceMappingURL=../../outside.map", "its source map ../../outside.map is not there"),
        (
            "\n//# sourceMappingURL=https://e.com/a.map",
            "its source map is at https://e.com/a.map, and not beside it",
        ),
        ("\n//# sourceMappingURL=data:application/json;base64,%%%", "its inline source map is not base64"),
        ("\n//# sourceMappingURL=data:application/json,%7B%7D", "its source map is not of version 3"),
        ("\n//# sourceMappingURL=data:application/json,%7B", "its source map is not JSON"),
    ],
)
def test_a_file_without_a_usable_map_is_skipped_with_the_reason(tmp_path, comment, reason):
    (tmp_path / "outside.map").write_text(source_map())
    built(tmp_path / "dist", comment=comment, with_map=False)

    assert names(tmp_path / "dist") == {"assets/app.js": reason}


def test_files_of_code_are_found_in_the_order_of_their_names(tmp_path):
    for name in ("b.mjs", "a/z.cjs", "a.js"):
        built(tmp_path, name)
    for name in ("style.css", "index.html", "a.ts"):
        (tmp_path / name).write_text(CODE)

    assert list(names(tmp_path)) == ["a/z.cjs", "a.js", "b.mjs"]


def test_a_file_that_is_too_large_or_no_text_is_skipped(tmp_path):
    with (tmp_path / "large.js").open("wb") as large:
        large.truncate(MAX_FILE_BYTES + 1)
    (tmp_path / "bytes.js").write_bytes(b"\xff\xfe")
    (tmp_path / "bytes.js.map").write_text(source_map())

    assert names(tmp_path) == {
        "bytes.js": "is not UTF-8",
        "large.js": "the file and its map have more than 32 MiB",
    }


def test_a_link_out_of_the_directory_is_not_followed(tmp_path):
    outside = built(tmp_path / "outside")
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "app.js").symlink_to(outside)

    assert names(tmp_path / "dist") == {}


def test_a_map_without_source_text_is_noted(tmp_path):
    built(tmp_path)
    (tmp_path / "assets" / "app.js.map").write_text(source_map(sourcesContent=None))

    assert only(tmp_path).has_source_text is False
