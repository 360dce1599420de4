"""Mails: their checks, their message, the pauses between attempts, the address of the server."""

from datetime import timedelta
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.mail.message import message_of
from footfall.adapters.mail.rendering import TemplateRenderer
from footfall.application.notifications.report_figures import Row, Section, change
from footfall.domain.delivery_retries import GIVEN_UP_AFTER, LONGEST_PAUSE, delivery_deadline, next_attempt
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.mail.mail import Mail, MailContent, MailKind, checked
from footfall.domain.mail.mail_from import MailFrom, parse_mail_from
from footfall.domain.mail.server import parse_smtp_url

SENDER = MailFrom("stats@example.com")
VALUES = {
    "title": "Alert: Many on Example",
    "details": "600 visitors",
    "link": "https://stats.example.com/x?a=1&b=2",
    "invited_by": "Ann <b>",
    "organization": "Acme",
    "role": "member",
    "unsubscribe_url": "https://stats.example.com/unsubscribe/invitation/00/11",
    "name": "Example",
    "visitors": "1,204 visitors",
    "compared": "compared with the week before",
    "interval": "weekly",
    "days": "9-15 Mar 2026",
    "when": "in the week 9-15 Mar 2026",
    "zone": "UTC",
    "totals": [("Visitors", "1,204", "+12 %")],
    "sections": [
        Section("Top pages", [Row(label="/<b>", value="7", share=100, note="new")]),
        Section("New errors", []),
    ],
    "asked_by": "Ann",
    "domain": "example.com",
    "settings": "https://stats.example.com/account/mail-reports",
}


def a_mail(**known):
    content = known.pop("content", MailContent(subject="Hello", text="text", html="<p>html</p>"))
    return Mail(
        **{
            "mail_id": "abc",
            "kind": MailKind.TEST,
            "recipient": "ann@example.com",
            "content": content,
            **known,
        }
    )


def sent(mail):
    raw = message_of(mail, SENDER, queued_at=NOON).as_bytes()
    return message_from_bytes(raw, policy=default)


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.com\r\nBcc: eve@example.com",
        "ann@example.com, eve@example.com",
        "<ann@example.com>",
        "ann@",
        "ann",
        "",
        "Ann <ann@example.com>",
        "=?utf-8?q?ann?=@example.com",
        "ann@example.com\n",
    ],
)
def test_a_recipient_that_is_no_single_address_is_refused_or_trimmed(address):
    if address.strip() == "ann@example.com":
        assert checked(a_mail(recipient=address)).recipient == "ann@example.com"
        return
    with pytest.raises(Invalid):
        checked(a_mail(recipient=address))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_no_subject_adds_a_header_or_a_line(subject):
    mail = checked(a_mail(content=MailContent(subject=subject, text="text", html="<p>html</p>")))

    message = sent(mail)

    assert set(message.keys()) == {
        "Date",
        "Message-ID",
        "From",
        "To",
        "Subject",
        "Auto-Submitted",
        "MIME-Version",
        "Content-Type",
    }
    assert message.get_body(("plain",)).get_content().strip() == "text"


def test_a_subject_with_a_line_break_becomes_one_line():
    mail = checked(a_mail(content=MailContent(subject="Hi\r\nBcc: eve@example.com", text="t", html="h")))

    assert mail.content.subject == "Hi Bcc: eve@example.com"


@pytest.mark.parametrize("text", ["=?utf-8?q?=0d=0aBcc:_eve=40example.com?=", "=?utf-8?b?DQoNCmJvZHk=?= ü"])
def test_an_encoded_word_in_a_subject_adds_no_header_and_no_line(text):
    mail = checked(
        a_mail(content=MailContent(subject=f"{text} invites you", text="text", html="<p>html</p>"))
    )

    message = sent(mail)

    assert message["Subject"] == f"{text} invites you".replace("=?", "= ?")
    assert message["Bcc"] is None
    assert message.get_body(("plain",)).get_content().strip() == "text"


def test_the_same_mail_has_the_same_message_id_in_every_attempt():
    assert sent(a_mail())["Message-ID"] == sent(a_mail())["Message-ID"] == "<abc@example.com>"


def test_a_mail_that_is_not_about_security_offers_one_click_over_https():
    mail = checked(
        a_mail(kind=MailKind.INVITATION, unsubscribe_url="https://stats.example.com/unsubscribe/a")
    )

    message = sent(mail)

    assert message["List-Unsubscribe"] == "<https://stats.example.com/unsubscribe/a>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_long_unsubscribe_link_stands_as_it_is_in_one_line():
    # Mail programs read no encoded words in it (RFC 2369).
    link = f"https://stats.example.com/unsubscribe/report/{'0' * 32}/{'1' * 32}"
    mail = checked(a_mail(kind=MailKind.REPORT, unsubscribe_url=link))

    written = message_of(mail, SENDER, queued_at=NOON).as_bytes()

    assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in written
    assert b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in written


def test_a_mail_that_is_not_about_security_is_refused_without_its_unsubscribe_link():
    with pytest.raises(Invalid, match="unsubscribe"):
        checked(a_mail(kind=MailKind.INVITATION))


def test_one_click_is_not_promised_without_https():
    mail = a_mail(kind=MailKind.INVITATION, unsubscribe_url="http://localhost:8000/unsubscribe/a")

    assert "List-Unsubscribe-Post" not in sent(mail)


def test_a_representation_shows_no_address_and_no_content():
    assert "ann" not in repr(a_mail())
    assert "Hello" not in repr(a_mail())


@pytest.mark.parametrize("kind", MailKind)
def test_every_kind_has_text_and_html_with_its_reason(kind):
    content = TemplateRenderer().render(kind, VALUES)

    assert "\n" not in content.subject
    assert "You get this mail because" in content.text
    assert "You get this mail because" in content.html
    assert "prefers-color-scheme: dark" in content.html
    assert ("unsubscribe/" in content.html) or kind.is_security


def test_values_are_escaped_in_html_and_bring_no_line_into_the_text():
    values = {**VALUES, "organization": "A\nBcc: <script>"}

    content = TemplateRenderer().render(MailKind.INVITATION, values)

    assert content.subject == "Ann <b> invites you to A Bcc: <script> on Footfall"
    assert "<script>" not in content.html
    assert "a=1&amp;b=2" in content.html


def test_pauses_double_until_half_an_hour_and_end_after_a_day():
    deadline = delivery_deadline(NOON, None)
    pauses, now = [], NOON
    for attempts in range(1, 200):
        until = next_attempt(attempts=attempts, now=now, deadline=deadline)
        if until is None:
            break
        pauses.append(until - now)
        now = until

    assert [pause.total_seconds() for pause in pauses[:4]] == [15, 30, 60, 120]
    assert max(pauses) == LONGEST_PAUSE
    assert NOON + GIVEN_UP_AFTER - now <= LONGEST_PAUSE


def test_a_mail_that_becomes_useless_is_given_up_then():
    deadline = delivery_deadline(NOON, NOON + timedelta(minutes=15))

    assert next_attempt(attempts=9, now=NOON, deadline=deadline) is None
    assert next_attempt(attempts=1, now=NOON, deadline=deadline) is not None


@pytest.mark.parametrize(
    ("url", "port", "encryption", "user"),
    [
        ("smtp://mail.example.com", 587, "STARTTLS", None),
        ("smtps://ann%40example.com:p%3Aw@mail.example.com", 465, "TLS", "ann@example.com"),
        ("smtp://localhost:25", 25, "not encrypted", None),
        ("smtp://[::1]:25", 25, "not encrypted", None),
        ("smtp://127.0.0.1?tls=required", 587, "STARTTLS", None),
        ("smtp://mail.example.com:25?tls=off", 25, "not encrypted", None),
    ],
)
def test_a_url_names_server_encryption_and_login(url, port, encryption, user):
    server = parse_smtp_url(url)

    assert (server.port, server.encryption, server.user) == (port, encryption, user)
    assert "p:w" not in repr(server)


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.com",
        "http://mail.example.com",
        "smtp://",
        "smtp://hidden:hidden@",
        "smtp://mail.example.com:99999",
        "smtp://mail.example.com/inbox",
        "smtp://mail.example.com?tls=maybe",
        "smtp://mail.example.com?verify=no",
        "smtp://hidden@mail.example.com",
        "smtp://[::1",
    ],
)
def test_another_url_is_refused_without_a_word_of_it(url):
    with pytest.raises(ValueError, match=r"^(must|may) ") as refusal:
        parse_smtp_url(url)

    assert "hidden" not in str(refusal.value)


def test_a_login_over_the_network_without_encryption_is_known_as_such():
    assert parse_smtp_url("smtp://a:b@mail.example.com?tls=off").sends_password_in_clear
    assert not parse_smtp_url("smtp://a:b@localhost").sends_password_in_clear
    assert not parse_smtp_url("smtp://a:b@mail.example.com").sends_password_in_clear


@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("stats@example.com", MailFrom("stats@example.com")),
        ("Our stats <stats@example.com>", MailFrom("stats@example.com", "Our stats")),
    ],
)
def test_a_sender_is_an_address_with_or_without_a_name(text, sender):
    assert parse_mail_from(text) == sender


@pytest.mark.parametrize(
    "text", ["stats", "a@b@c", "x\r\nBcc: y <a@example.com>", "=?utf-8?q?x?= <a@example.com>", "<>"]
)
def test_another_sender_is_refused(text):
    with pytest.raises(ValueError, match="must be a mail address"):
        parse_mail_from(text)


@pytest.mark.parametrize(
    ("now", "before", "shown"),
    [
        (112, 100, "+12 %"),
        (95, 100, "-5 %"),
        (7, 7, "no change"),
        (7, 0, "new"),
        (1_001, 1_000, "±0 %"),
        (999, 1_000, "±0 %"),
        (30_000, 2, "+1,499,900 %"),
    ],
)
def test_a_change_has_the_sign_of_its_direction(now, before, shown):
    assert change(now, before) == shown
