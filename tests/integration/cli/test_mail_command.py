"""`footfall mail`, and what `footfall doctor` says about mail."""

import asyncio
import json

import pytest
from click.testing import CliRunner

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.system import SystemClock
from footfall.domain.mail.mail import Mail, MailContent, MailKind
from footfall.entrypoints.cli import cli
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from tests.ports import free_port
from tests.servers.mail_server import mail_server
from tests.waiting import wait_until


@pytest.fixture
def footfall(database_url, monkeypatch):
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", database_url)
    return lambda *arguments, **environment: CliRunner().invoke(cli, arguments, env=environment)


async def given_up(url):
    connections = Connections(url)
    await connections.open()
    outbox, now = PostgresOutbox(connections, url), SystemClock().now()
    content = MailContent(subject="s", text="t", html="h")
    mail = Mail(mail_id="m", kind=MailKind.TEST, recipient="ann@example.com", content=content)
    await outbox.enqueue(mail, at=now)
    async with outbox.lock() as locked:
        await locked.give_up("m", at=now, reason="550 no such user")
    await connections.close()


def test_a_test_mail_is_sent_at_once(footfall):
    with mail_server() as server:
        result = footfall(
            "mail", "test", "ann@example.com", FOOTFALL_SMTP_URL=f"smtp://127.0.0.1:{server.port}"
        )

        assert result.exit_code == 0, result.output
        [message] = wait_until(lambda: server.messages)
    assert f"127.0.0.1:{server.port} (not encrypted) accepted a mail to ann@example.com" in result.output
    assert (message["from"], message["to"]) == ("footfall@localhost", ["ann@example.com"])


@pytest.mark.parametrize(
    ("address", "url", "line"),
    [
        ("ann", "smtp://127.0.0.1:1", "ADDRESS must be a mail address"),
        ("ann@example.com", "", "FOOTFALL_SMTP_URL is not set"),
        ("ann@example.com", "smtp://127.0.0.1:1", "the mail was not sent: the server cannot be reached"),
        ("ann@example.com", "mail:hidden@host", "FOOTFALL_SMTP_URL must be a URL"),
    ],
)
def test_a_test_mail_that_cannot_be_sent_is_one_line(footfall, address, url, line):
    result = footfall("mail", "test", address, FOOTFALL_SMTP_URL=url)

    assert result.exit_code == 1
    assert result.output.startswith(f"footfall: {line}")
    assert "hidden" not in result.output


def test_the_status_shows_what_was_given_up_and_why(footfall, database_url):
    asyncio.run(given_up(database_url))

    result, document = footfall("mail", "status"), json.loads(footfall("mail", "status", "--json").output)

    assert "test to ann@example.com, 1 attempt(s): 550 no such user" in result.output
    assert document["givenUp"][0]["address"] == "ann@example.com"
    assert (document["waiting"], document["waitingSince"]) == (0, None)


@pytest.mark.parametrize("is_there", [True, False])
def test_doctor_signs_in_to_the_mail_server(database_url, tmp_path, is_there):
    environment = {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path)}
    with mail_server() as server:
        port = server.port if is_there else free_port()
        findings = diagnose({**environment, "FOOTFALL_SMTP_URL": f"smtp://127.0.0.1:{port}"})

    [found] = [finding for finding in findings if finding.subject == "mail server"]
    assert found.healthy == is_there


@pytest.mark.parametrize(
    ("origin", "detail"),
    [
        ("https://stats.example.com", "on, at https://stats.example.com"),
        ("http://192.0.2.1", "off: they need a host"),
    ],
)
def test_doctor_says_whether_passkeys_work(database_url, tmp_path, origin, detail):
    environment = {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path)}

    findings = diagnose({**environment, "FOOTFALL_PUBLIC_URL": origin})

    [found] = [finding for finding in findings if finding.subject == "passkeys"]
    assert (found.healthy, found.detail[: len(detail)]) == (True, detail)


def test_doctor_reports_given_up_mails_and_a_password_in_clear(database_url, tmp_path):
    asyncio.run(given_up(database_url))

    findings = diagnose(
        {
            "FOOTFALL_DATABASE_URL": database_url,
            "FOOTFALL_DATA_DIR": str(tmp_path),
            "FOOTFALL_SMTP_URL": "smtp://u:hidden@192.0.2.1:1?tls=off",
        }
    )

    faults = {finding.subject: finding.detail for finding in findings if not finding.healthy}
    assert "1 given up within a day" in faults["mail"]
    assert "unencrypted" in faults["exposure"]
    assert "hidden" not in str(findings)
