"""Behaviour that all four clients have in common."""

import json
import logging
import pickle
import socket
from datetime import datetime, timedelta, timezone

import pytest

from footfall.client import (
    ClientClosed,
    DeliveryUnconfirmed,
    EventRefused,
    FootfallError,
    InvalidEvent,
    Receipt,
    Stats,
)
from tests.servers.scripted_server import Reply, refusal

FAULTS = ["reset", "store-then-reset", "store-then-hang", "garbage", "truncated"]
UNUSABLE = {500: "oops", 503: {"success": False, "error": "Temporarily unavailable"}, 204: ""}


def sent(server):
    """The events as the service saw them, whichever way they came."""
    return [event for seen in server.requests for event in seen.body.get("events", [seen.body])]


def keys(server):
    return {
        seen.headers.get("idempotency-key") or seen.body["events"][0]["event_id"] for seen in server.requests
    }


def test_a_pageview_goes_out_with_its_payload_the_site_and_the_bearer_key(caller, server):
    payload = {
        "hostname": "example.com",
        "pathname": "/shop",
        "screenWidth": 1920,
        "release": "1.4.2",
        "ip_address": "192.0.2.1",
    }

    receipt = caller.open().pageview(payload)

    assert receipt == Receipt(None)
    assert server.requests[0].headers["authorization"] == "Bearer ff_test"
    assert server.requests[0].headers["content-type"] == "application/json"
    assert sent(server)[0].items() >= {"site_id": "1", "type": "pageview", **payload}.items()


def test_a_pageview_needs_no_payload(caller, server):
    caller.open().pageview()

    assert sent(server)[0].items() >= {"site_id": "1", "type": "pageview"}.items()


def test_fields_that_are_none_are_left_out(caller, server):
    caller.open().pageview({"pathname": "/", "referrer": None})

    assert "referrer" not in sent(server)[0]


def test_the_properties_of_an_event_are_serialized_into_a_string(caller, server):
    properties = {"plan": "pro", "seats": 3, "price": 9.5, "trial": False, "tags": ["a", 1, True]}

    caller.open().event("signup", {"pathname": "/join"}, properties)

    event = sent(server)[0]
    assert (event["type"], event["event_name"], event["pathname"]) == ("custom_event", "signup", "/join")
    assert isinstance(event["properties"], str)
    assert json.loads(event["properties"]) == properties


def test_a_pageview_has_properties_as_an_event_has_them(caller, server):
    caller.open().pageview({"pathname": "/"}, {"plan": "pro"})

    event = sent(server)[0]
    assert (event["type"], event["pathname"], event["properties"]) == ("pageview", "/", '{"plan": "pro"}')


def test_an_event_without_properties_sends_none(caller, server):
    caller.open().event("signup")

    assert "properties" not in sent(server)[0]


def test_a_click_that_leads_away_has_its_address_among_the_properties(caller, server):
    caller.open().call("outbound", "https://shop.example/", {"pathname": "/"}, {"text": "Shop"})

    event = sent(server)[0]
    assert (event["type"], event["pathname"]) == ("outbound", "/")
    assert json.loads(event["properties"]) == {"text": "Shop", "url": "https://shop.example/"}


def test_measures_of_a_page_are_sent_as_its_fields(caller, server):
    caller.open().call("performance", {"lcp": 1_200.5, "cls": 0}, {"pathname": "/"})

    assert sent(server)[0].items() >= {"type": "performance", "lcp": 1_200.5, "cls": 0}.items()


def test_an_error_is_sent_with_its_class_and_the_environment(caller, server):
    caller.open(environment="staging").call("error", ValueError("wrong"), {"pathname": "/"}, {"order": 7})

    event = sent(server)[0]
    assert (event["type"], event["event_name"]) == ("error", "ValueError")
    assert json.loads(event["properties"]) == {"order": 7, "message": "wrong", "environment": "staging"}


@pytest.mark.parametrize(
    ("method", "arguments", "field"),
    [
        ("outbound", [""], "url"),
        ("outbound", ["https://shop.example/", None, {"odd": None}], "properties.odd"),
        ("outbound", ["https://shop.example/", None, "text"], "properties"),
        ("performance", [{}], "metrics"),
        ("performance", [{"load": 1}], "metrics.load"),
        ("performance", [{"lcp": -1}], "metrics.lcp"),
        ("performance", [{"lcp": "1"}], "metrics.lcp"),
        ("error", [None], "error"),
        ("error", [""], "error"),
        ("pageview", [{"event_id": "é"}], "event_id"),
        ("pageview", [{"event_id": " a"}], "event_id"),
        ("pageview", [{"timestamp": datetime(2026, 1, 31)}], "timestamp"),  # noqa: DTZ001 - without a zone
        ("pageview", [{"timestamp": 5}], "timestamp"),
    ],
)
def test_other_arguments_are_refused_before_they_are_sent(caller, server, method, arguments, field):
    caller.open(on_error=lambda *_: None)

    with pytest.raises(InvalidEvent) as caught:
        caller.call(method, *arguments)

    assert (list(caught.value.details["fieldErrors"]), server.requests) == ([field], [])


def test_arguments_that_fail_when_they_are_read_are_refused_and_settled(caller):
    class Broken(dict):
        def items(self):
            raise RuntimeError("broken")

    caller.open(on_error=lambda *_: None)

    with pytest.raises(InvalidEvent, match="cannot be read"):
        caller.pageview(Broken(a=1))

    assert (caller.client.stats.refused, caller.client.stats.pending) == (1, 0)


def test_an_event_has_the_name_and_the_time_that_it_is_given(caller, server):
    at = datetime(2026, 1, 31, 13, tzinfo=timezone(timedelta(hours=1)))

    caller.open().pageview({"event_id": "order-7", "timestamp": at})
    caller.pageview({"event_id": "order-8", "timestamp": "2026-01-31T12:00:00.000Z"})

    assert list(server.stored) == ["order-7", "order-8"]
    assert [event["timestamp"] for event in sent(server)] == ["2026-01-31T12:00:00.000Z"] * 2


def test_fields_for_every_event_are_replaced_by_its_own(caller, server):
    caller.open(defaults={"hostname": "example.com", "release": "1.4.2"})

    caller.pageview({"hostname": "other.example"})
    caller.event("signup", {"hostname": None})

    assert [(event["hostname"], event["release"]) for event in sent(server)] == [
        ("other.example", "1.4.2"),
        ("example.com", "1.4.2"),
    ]


@pytest.mark.parametrize("name", ["", None, 5])
def test_an_event_without_a_name_is_refused_before_it_is_sent(caller, server, name):
    caller.open(on_error=lambda *_: None)

    with pytest.raises(InvalidEvent, match="event_name"):
        caller.event(name)

    assert server.requests == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413])
def test_a_refusal_raises_with_status_message_and_details_and_is_not_repeated(caller, server, status):
    details = {"fieldErrors": {"hostname": ["is too long"]}, "formErrors": []}
    server.script = [refusal(status, "Not this one", details)]
    caller.open(on_error=lambda *_: None)

    with pytest.raises(EventRefused, match="Not this one") as caught:
        caller.pageview()

    error = caught.value
    assert (error.status, error.details, error.outcome, error.attempts) == (status, details, "refused", 1)
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed_so_the_key_goes_nowhere_else(caller, server):
    server.script = [Reply(302, "", {"location": f"{server.url}/elsewhere"})]
    caller.open(on_error=lambda *_: None)

    with pytest.raises(EventRefused, match="redirected"):
        caller.pageview()

    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", [*FAULTS, *UNUSABLE])
def test_after_a_fault_the_event_is_sent_again_under_the_same_key_and_stored_once(caller, server, fault):
    step = fault if isinstance(fault, str) else Reply(fault, UNUSABLE[fault])
    server.script = [step, step]
    # Only who does not answer is waited for until then; a busy machine answers late, too.
    timeout = 1 if step == "store-then-hang" else 60

    caller.open(timeout=timeout).pageview({"pathname": "/once"})

    assert (len(keys(server)), len(server.stored)) == (1, 1)
    # A good answer that takes longer than the second is waited for once more.
    assert len(server.requests) == 3 or (step == "store-then-hang" and len(server.requests) == 4)


@pytest.mark.parametrize("fault", ["reset", "store-then-reset", "garbage"])
def test_a_fault_that_goes_on_ends_after_three_repetitions_with_an_unknown_outcome(caller, server, fault):
    server.script = [fault] * 4
    caller.open(on_error=lambda *_: None)

    with pytest.raises(DeliveryUnconfirmed) as caught:
        caller.pageview()

    assert (caught.value.outcome, caught.value.attempts, len(server.requests)) == ("unknown", 4, 4)


@pytest.mark.parametrize(("fault", "timeout"), [("drips", 0.3), ("floods", 60)])
def test_an_answer_without_an_end_is_given_up(caller, server, fault, timeout):
    server.script = [fault]
    caller.open(timeout=timeout, retries=0, on_error=lambda *_: None)

    with pytest.raises(DeliveryUnconfirmed, match="too long"):
        caller.pageview()

    assert len(server.requests) == 1


def test_a_refusal_after_an_unconfirmed_attempt_leaves_the_outcome_unknown(caller, server):
    server.script = ["store-then-reset", refusal(401, "Invalid API key")]
    caller.open(on_error=lambda *_: None)

    with pytest.raises(DeliveryUnconfirmed, match="Invalid API key") as caught:
        caller.pageview()

    assert (caught.value.status, len(server.stored)) == (401, 1)


def test_nothing_listening_is_an_unconfirmed_delivery(caller):
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        caller.open(analytics_host=f"http://127.0.0.1:{deaf.getsockname()[1]}/api", on_error=lambda *_: None)

        with pytest.raises(DeliveryUnconfirmed) as caught:
            caller.pageview()

    assert (caught.value.status, caught.value.attempts) == (None, 4)


def test_a_rate_limit_is_waited_out_as_long_as_retry_after_says(caller, server):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "1"})]

    caller.open().pageview()

    assert server.requests[1].at - server.requests[0].at >= 0.99


def test_a_retry_after_beyond_the_longest_wait_ends_the_call_as_refused(caller, server):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "600"})]
    caller.open(max_retry_delay=2.0, on_error=lambda *_: None)

    with pytest.raises(EventRefused, match="Rate limit exceeded"):
        caller.pageview()

    assert len(server.requests) == 1


def test_a_rate_limit_that_does_not_end_is_a_refusal(caller, server):
    server.script = [refusal(429, "Rate limit exceeded.")] * 4
    caller.open(on_error=lambda *_: None)

    with pytest.raises(EventRefused) as caught:
        caller.pageview()

    assert caught.value.attempts == 4


def test_with_no_retries_an_event_is_sent_once(caller, server):
    server.script = ["reset"]
    caller.open(retries=0, on_error=lambda *_: None)

    with pytest.raises(DeliveryUnconfirmed):
        caller.pageview()

    assert len(server.requests) == 1


def test_on_error_hears_of_each_loss_with_its_event(caller, server):
    server.script = [refusal(403, "Access denied")]
    heard = []
    caller.open(on_error=lambda error, event: heard.append((error.message, event and event["pathname"])))

    for payload in ({"pathname": "/lost"}, {"pathName": "/misspelt"}):
        with pytest.raises(FootfallError):
            caller.pageview(payload)

    assert heard == [("Access denied", "/lost"), ("pathName is not a field of the payload", None)]


def test_a_failing_on_error_does_not_hide_the_loss(caller, server, caplog):
    def broken(_error, _event):
        raise RuntimeError("handler broke")

    server.script = [refusal(403, "Access denied")]
    caller.open(on_error=broken)

    with pytest.raises(EventRefused):
        caller.pageview()

    assert "handler broke" in caplog.text
    assert caller.pageview() == Receipt(None)


def test_the_numbers_add_up_to_the_calls_made(caller, server):
    server.script = [refusal(400, "Invalid payload"), "reset"]
    caller.open(retries=0, on_error=lambda *_: None)

    for _ in range(2):
        with pytest.raises(FootfallError):
            caller.pageview()
    caller.pageview()
    caller.close()
    with pytest.raises(ClientClosed):
        caller.pageview()

    assert caller.client.stats == Stats(delivered=1, refused=1, unknown=1, dropped=1, pending=0)


def test_a_remark_on_an_event_that_was_not_counted_reaches_the_caller(caller, server):
    remark = "Event not tracked - IP excluded"
    server.judge = lambda _event: {"success": True, "message": remark}
    if "Background" not in caller.kind.__name__:
        server.script = [Reply(200, {"success": True, "message": remark})]

    receipt = caller.open().pageview()

    assert receipt == Receipt(remark)


def test_flush_and_close_may_be_called_at_any_time(caller):
    caller.open()

    caller.flush()
    caller.close()
    caller.close()

    assert caller.client.stats == Stats()


def test_debug_logs_each_event_and_exchange_without_key_and_address(caller, caplog):
    with caplog.at_level(logging.DEBUG, "footfall.client"):
        caller.open(debug=True).pageview({"pathname": "/seen", "ip_address": "192.0.2.77"})

    assert '"pathname": "/seen"' in caplog.text
    assert ": 200 after " in caplog.text
    assert "ff_test" not in caplog.text
    assert "192.0.2.77" not in caplog.text


def test_the_key_shows_neither_in_the_client_nor_in_its_errors(caller, server):
    server.script = [refusal(401, "Invalid API key")]
    caller.open(on_error=lambda *_: None)

    with pytest.raises(EventRefused) as caught:
        caller.pageview()

    shown = f"{caller.client!r} {vars(caller.client)!r} {caught.value!r} {vars(caught.value)!r}"
    assert "ff_test" not in shown


def test_an_error_survives_a_trip_to_another_process():
    error = EventRefused("No", status=403, details={"formErrors": []}, attempts=2)

    copy = pickle.loads(pickle.dumps(error))

    assert (type(copy), str(copy), vars(copy)) == (EventRefused, "No", vars(error))
