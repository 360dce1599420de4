"""Exceptions of threads, tasks and logs are reported once, and go where they went before."""

import asyncio
import json
import logging
import sys
import threading

import pytest

from footfall.client import BackgroundFootfall, ErrorHandler, report_from_loop, report_uncaught
from footfall.client.delivery.calls import MOST_ERRORS
from tests.servers.scripted_server import refusal


@pytest.fixture
def client(queue_options):
    with BackgroundFootfall(**queue_options, defaults={"release": "1.4.2"}, environment="test") as client:
        yield client


@pytest.fixture
def reported(client, server):
    """Return the class and the message of each error that has arrived."""

    def reported():
        client.flush()
        events = list(server.stored.values())
        assert {(event["type"], event["release"]) for event in events} <= {("error", "1.4.2")}
        texts = [json.loads(event["properties"]) for event in events]
        assert all(text["environment"] == "test" for text in texts)
        return [(event["event_name"], text["message"]) for event, text in zip(events, texts, strict=True)]

    return reported


@pytest.fixture
def logger(client):
    # The handlers of pytest, which raise exceptions and keep records, belong to the loggers of the hierarchy.
    logger = logging.Logger("shop")  # noqa: LOG001
    logger.addHandler(ErrorHandler(client))
    return logger


@pytest.fixture
def hooks(client, hooks_of_before):  # noqa: ARG001 - the hooks are set back
    """Return what the former hooks have seen."""
    seen = []
    sys.excepthook = lambda *given: seen.append(given)
    threading.excepthook = lambda given: seen.append(tuple(given)[:3])
    restore = report_uncaught(client)
    yield seen
    restore()


def caught(error=None):
    try:
        raise error or ValueError("wrong")  # noqa: TRY301 - for its traceback
    except BaseException as failed:  # noqa: BLE001 - any kind
        return failed


def uncaught(error):
    sys.excepthook(type(error), error, error.__traceback__)


def test_an_exception_that_ends_the_program_goes_to_the_former_hook_and_is_reported(hooks, reported):
    error = caught()

    uncaught(error)

    assert hooks == [(ValueError, error, error.__traceback__)]
    assert reported() == [("ValueError", "wrong")]


def test_an_exception_that_ends_a_thread_goes_to_the_former_hook_and_is_reported(hooks, reported):
    def work():
        raise ValueError("in a thread")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert [kind for kind, *_ in hooks] == [ValueError]
    assert reported() == [("ValueError", "in a thread")]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), asyncio.CancelledError()])
def test_the_end_of_a_program_is_no_error(hooks, reported, error):
    uncaught(caught(error))

    assert (len(hooks), reported()) == (1, [])


@pytest.mark.usefixtures("hooks_of_before")
def test_a_former_hook_that_fails_fails_as_before(client, reported):
    def broken(*_):
        raise OSError("no terminal")

    sys.excepthook = broken
    restore = report_uncaught(client)

    with pytest.raises(OSError, match="no terminal"):
        uncaught(caught())
    restore()

    assert sys.excepthook is broken
    assert reported() == [("ValueError", "wrong")]


async def test_an_exception_of_a_task_that_nothing_awaits_is_reported(client, reported):
    seen = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: seen.append(context["exception"]))
    report_from_loop(client)

    loop.call_exception_handler({"message": "never retrieved", "exception": (error := caught())})
    loop.call_exception_handler({"message": "only a message"})

    assert seen[:1] == [error]
    assert await asyncio.to_thread(reported) == [("ValueError", "wrong")]


async def test_the_log_of_the_loop_and_its_handler_report_an_exception_once(client, reported):
    handler = ErrorHandler(client)
    logging.getLogger("asyncio").addHandler(handler)
    report_from_loop(client)

    asyncio.get_running_loop().call_exception_handler({"message": "lost", "exception": caught()})
    logging.getLogger("asyncio").removeHandler(handler)

    assert await asyncio.to_thread(reported) == [("ValueError", "wrong")]


@pytest.mark.usefixtures("hooks")
def test_an_exception_that_is_logged_and_ends_the_program_is_reported_once(logger, reported):
    error = caught()

    logger.error("failed", exc_info=error)
    uncaught(error)

    assert reported() == [("ValueError", "wrong")]


def test_equal_exceptions_are_reported_each(logger, reported):
    for _ in range(3):
        logger.error("failed", exc_info=caught())

    assert len(reported()) == 3


def test_a_line_without_an_exception_is_a_message_with_its_place(logger, reported, server):
    logger.warning("only a warning")
    logger.error("out of stock: %s", 7)

    assert reported() == [("Message", "out of stock: 7")]
    (event,) = server.stored.values()
    assert json.loads(event["properties"])["fileName"] == "tests/unit/client/test_hooks.py"


def test_a_line_that_cannot_be_formatted_raises_nothing(logger, reported):
    logger.error("%d", "no number")

    assert reported() == []


def test_an_error_of_the_client_is_not_reported_by_itself(server, queue_options):
    logger = logging.getLogger("shop.losses")
    server.script = [refusal(403, "Access denied")]
    with BackgroundFootfall(
        **queue_options, on_error=lambda *_: logger.error("lost", exc_info=caught())
    ) as client:
        handler = ErrorHandler(client)
        for name in ("shop", "footfall"):
            logging.getLogger(name).addHandler(handler)
        client.pageview()
        client.flush()
        logging.getLogger("footfall.client").error("of the client")
        client.flush()
        for name in ("shop", "footfall"):
            logging.getLogger(name).removeHandler(handler)

    assert (server.stored, client.stats.refused) == ({}, 1)


def test_errors_beyond_a_hundred_in_a_minute_are_lost_and_known(client, logger, reported):
    for number in range(MOST_ERRORS + 5):
        logger.error("error %d", number)

    assert len(reported()) == MOST_ERRORS
    assert client.stats.dropped == 5


def test_a_report_keeps_no_frames_in_memory(client, logger, hooks):
    class Large:
        alive = 0

        def __init__(self):
            Large.alive += 1

        def __del__(self):
            Large.alive -= 1

    def work():
        large = Large()  # noqa: F841 - a local variable
        raise ValueError("wrong")

    for _ in range(3):
        try:
            work()
        except ValueError as error:
            logger.exception("failed")
            uncaught(error)
    hooks.clear()
    client.flush()

    assert Large.alive == 0


def test_a_handler_has_no_lock_that_a_fork_could_inherit_and_takes_filters(client, reported):
    handler = ErrorHandler(client)
    handler.addFilter(lambda record: record.levelno > logging.ERROR)
    logger = logging.Logger("shop")  # noqa: LOG001
    logger.addHandler(handler)

    logger.error("filtered")
    logger.critical("told")

    assert (handler.lock, reported()) == (None, [("Message", "told")])
