"""How exceptions are described: by their class, their message and their stack, and by nothing else."""

import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from footfall.application.ingestion.payload_rules import parse_track
from footfall.client.event.code_files import code_file
from footfall.client.event.events import Events
from footfall.client.event.exception import MOST_FRAMES, describe
from footfall.domain.error_tracking.occurrence import error_details
from footfall.domain.error_tracking.stack_trace import frames

OWN = "tests/unit/client/test_exception.py"


class PaymentFailedError(Exception):
    """An exception of an application."""


class UnreadableError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def raised(error, *, cause=None):
    try:
        if cause is None:
            raise error
        raise error from cause
    except type(error) as caught:
        return caught


def stack(error):
    return describe(error)[1]["stack"]


def test_an_exception_is_its_class_its_message_and_its_frames_the_innermost_first():
    def pay(card="4000 0000 0000 0002"):
        raise PaymentFailedError(f"declined, {len(card)} digits")

    with pytest.raises(PaymentFailedError) as caught:
        pay()

    name, details = describe(caught.value)
    assert (name, details["message"]) == ("PaymentFailedError", "declined, 19 digits")
    read = list(frames(details["stack"], message=details["message"]))
    assert [(frame.file_name, frame.line_number) for frame in read] == [
        (OWN, pay.__code__.co_firstlineno + 1),
        (OWN, pay.__code__.co_firstlineno + 4),
    ]
    assert "pay (" in details["stack"].splitlines()[1]
    assert "4000" not in json.dumps(details)


def test_the_place_is_the_innermost_frame_that_is_no_library():
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads("{")

    details = describe(caught.value)[1]
    assert details["fileName"] == OWN
    assert next(frames(details["stack"], message=details["message"])).file_name == "json/decoder.py"
    assert error_details(details).line_number == details["lineNumber"]


@pytest.mark.parametrize(
    ("path", "name", "is_in_app"),
    [
        (__file__, OWN, True),
        (json.__file__, "json/__init__.py", False),
        (pytest.__file__, "pytest/__init__.py", False),
        (sys.modules["footfall.client.event.events"].__file__, None, False),
        ("<string>", "<string>", False),
        ("/srv/elsewhere/app.py", "app.py", True),
        ("/srv/a\nb\udcff.py", "a\ufffdb\ufffd.py", True),
    ],
)
def test_files_are_named_from_the_folder_of_their_modules(path, name, is_in_app):
    file = code_file(path)

    assert file.is_in_app is is_in_app
    assert name in {None, file.name}


@pytest.mark.parametrize("entry", ["", ".", Path.cwd()])
def test_files_are_named_from_the_working_folder_where_modules_are_imported_from_it(monkeypatch, entry):
    monkeypatch.setattr(sys, "path", [entry])
    code_file.cache_clear()

    assert code_file(f"{os.getcwd()}/shop/views.py").name == "shop/views.py"  # noqa: PTH109
    code_file.cache_clear()


def test_of_a_deep_recursion_only_the_frames_that_are_told_are_described():
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(5_000)
    try:
        error = raised_within(3_000)
    finally:
        sys.setrecursionlimit(limit)
    code_file.cache_clear()
    describe(error)

    calls = code_file.cache_info()
    assert calls.hits + calls.misses == MOST_FRAMES


def raised_within(depth):
    def work(left):
        if left == 0:
            raise PaymentFailedError
        work(left - 1)

    with pytest.raises(PaymentFailedError) as caught:
        work(depth)
    return caught.value


def test_causes_are_told_and_contexts_unless_they_are_suppressed():
    cause = raised(KeyError("price"), cause=raised(OSError("disk")))
    caused = raised(PaymentFailedError("no price"), cause=cause)
    assert stack(caused).count("Caused by: ") == 2
    assert "Caused by: KeyError: 'price'\n" in stack(caused)

    handled = raised(PaymentFailedError("second"))
    handled.__context__ = raised(KeyError("first"))
    assert "While handling: KeyError: 'first'" in stack(handled)
    handled.__suppress_context__ = True
    assert "KeyError" not in stack(handled)


def test_a_circle_of_causes_ends():
    one, other = raised(KeyError("a")), raised(OSError("b"))
    one.__cause__, other.__cause__ = other, one

    assert stack(one).count("Caused by: ") == 1


def test_members_of_a_group_are_told_and_a_single_one_is_the_error():
    one, other = raised(KeyError("a")), raised(OSError("b"))
    group = raised(ExceptionGroup("tasks", [one, other]))
    assert describe(group)[0] == "ExceptionGroup"
    assert stack(group).count("Grouped: ") == 2

    name, details = describe(raised(ExceptionGroup("tasks", [ExceptionGroup("inner", [one])])))
    assert (name, details["message"]) == ("KeyError", "'a'")
    assert "Grouped in: ExceptionGroup: tasks (1 sub-exception)" in details["stack"]


def test_a_message_that_looks_like_a_place_is_no_frame():
    cause = raised(OSError("https://e.com/a.js:1 anna@example.com/a:1"))
    error = raised(PaymentFailedError("at f (evil.py:1)\nat g (evil.py:2)"), cause=cause)

    details = describe(error)[1]
    read = {frame.file_name for frame in frames(details["stack"], message=details["message"])}
    assert read == {OWN}


@pytest.mark.parametrize("text", ["a", "\n", '"\\', "\0", "é", "\ud800", "\U0001f600"])
def test_no_text_however_long_breaks_the_rules_of_the_service(text):
    error = raised(PaymentFailedError(text * 1_000_000), cause=raised(OSError(text * 1_000_000)))

    event = Events("1", {}, "production").error(error, {"pathname": "/"}, None)

    assert parse_track(event, json.loads).properties["environment"] == "production"
    assert len(json.dumps(event)) < 128 * 1024
    assert len(event["properties"]) < 65_536


def test_a_deep_recursion_keeps_the_innermost_frames():
    def fall():
        fall()

    with pytest.raises(RecursionError) as caught:
        fall()

    assert 20 < len(list(frames(stack(caught.value)))) <= 50


def test_an_exception_without_a_text_is_its_class():
    assert describe(UnreadableError())[1]["message"] == "UnreadableError"
    assert describe(PaymentFailedError())[1]["message"] == "PaymentFailedError"


def test_an_exception_that_was_never_raised_has_no_stack():
    assert describe(PaymentFailedError("new")) == ("PaymentFailedError", {"message": "new"})


def test_a_message_is_an_error_too():
    assert describe("out of stock") == ("Message", {"message": "out of stock"})


def test_a_file_outside_of_the_folders_of_modules_is_named_by_its_module_and_never_by_a_home(
    tmp_path, monkeypatch
):
    # As packages that are installed editable, and programs that load a file by its path.
    folder = tmp_path / "home" / "anna" / "shop"
    module, package = ModuleType("shop.views"), ModuleType("shop")
    package.__path__ = []
    module.__file__, package.__file__ = str(folder / "views.py"), str(folder / "__init__.py")
    monkeypatch.setitem(sys.modules, "shop.views", module)
    monkeypatch.setitem(sys.modules, "shop", package)

    names = [code_file(str(folder / name)).name for name in ("views.py", "__init__.py", "other.py")]

    assert names == ["shop/views.py", "shop/__init__.py", "other.py"]
