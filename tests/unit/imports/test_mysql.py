"""URLs of MySQL and MariaDB, and servers that do not answer as such: refused without the password."""

import contextlib
import socket
import sys
import threading

import pytest
from attrs import evolve

from footfall.adapters.sources.reading.mysql import MysqlDatabase
from footfall.application.ports.imports import UnreadableSource

PASSWORD = "geheim"


def connection_of(url):
    return MysqlDatabase.at("Matomo", url)._connection


def test_a_url_names_database_and_user():
    assert connection_of("mysql://reader:p%40ss%3Aw%C3%B6rd@db.example:3307/stats%2Ddb") == {
        "host": "db.example",
        "port": 3307,
        "database": "stats-db",
        "user": "reader",
        "password": "p@ss:wörd".encode(),
    }


def test_the_password_can_be_in_the_environment(monkeypatch):
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)

    assert connection_of("mariadb://reader@db.example/matomo")["password"] == PASSWORD.encode()
    assert connection_of("mysql://reader:other@db.example/matomo")["password"] == b"other"


def test_parameters_choose_the_prefix_the_socket_and_the_authority():
    url = "mysql://reader@/matomo?prefix=mtm_&unix_socket=/run/mysqld/mysqld.sock&ssl_ca=/etc/ca.pem"

    database = MysqlDatabase.at("Matomo", url)

    assert (database.prefix, database.shown) == ("mtm_", "matomo at localhost")
    assert database._connection["unix_socket"] == "/run/mysqld/mysqld.sock"
    assert {name: value for name, value in database._connection.items() if name.startswith("ssl")} == {
        "ssl_ca": "/etc/ca.pem",
        "ssl_verify_cert": True,
        "ssl_verify_identity": True,
    }


@pytest.mark.parametrize(
    "url",
    [
        "mysql://reader:geheim@db.example",
        "mysql://reader:geheim@db.example/",
        "mysql://reader:geheim@/matomo",
        "mysql://db.example/geheim",
        "mysql://:geheim@db.example/matomo",
        "mysql://reader:geheim@db.example:x/matomo",
        "mysql://reader:geheim@[bad/matomo",
        "mysql://reader:geheim@db.example/matomo?sslmode=require",
        "mysql://reader:geheim@db.example/matomo?geheim",
        # Encryption that is asked for, but not named.
        "mysql://reader:geheim@db.example/matomo?ssl_ca=",
        "mysql://reader:geheim@db.example/matomo?ssl_disabled=",
        "mysql://reader:geheim@db.example/matomo?ssl_disabled=false",
        "mysql://reader:geheim@db.example/matomo?ssl_ca=/etc/ca.pem&ssl_disabled=true",
        # Characters of URLs in a password.
        "mysql://reader:1/geheim@db.example/matomo",
        "mysql://reader:1?geheim@db.example/matomo",
        "mysql://reader:1#geheim@db.example/matomo",
        "mysql://reader:geheim/1@db.example/matomo",
        "mysql://reader:geheim?1@db.example/matomo",
    ],
)
def test_another_url_is_refused_without_its_text(url):
    with pytest.raises(UnreadableSource, match="is named by a URL such as mysql://USER") as refusal:
        MysqlDatabase.at("Matomo", url)

    assert PASSWORD not in str(refusal.value)


def test_a_database_shows_neither_user_nor_password():
    database = MysqlDatabase.at("Matomo", f"mysql://reader:{PASSWORD}@db.example/matomo")

    assert database.shown == "matomo at db.example"
    assert PASSWORD not in repr(database)
    assert "reader" not in repr(database)


def test_an_installation_without_the_driver_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymysql", None)

    with (
        pytest.raises(UnreadableSource, match=r"footfall\[server\]"),
        MysqlDatabase.at("Matomo", "mysql://reader@db.example/matomo").session(),
    ):
        pass


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("127.0.0.1:1", "matomo at 127.0.0.1 cannot be read: no server answers there"),
        ("nowhere.invalid", "matomo at nowhere.invalid cannot be read: no server answers there"),
    ],
)
def test_a_server_that_is_not_there_is_named(host, message):
    database = MysqlDatabase.at("Matomo", f"mysql://reader:{PASSWORD}@{host}/matomo")

    with pytest.raises(UnreadableSource, match=message) as refusal, database.session():
        pass

    assert PASSWORD not in str(refusal.value)


@contextlib.contextmanager
def server_of(first, *others):
    """Run a server that sends each packet when the one before is answered, and ends; yield its database."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak():
            connection, _ = server.accept()
            with connection, contextlib.suppress(ConnectionError):
                connection.sendall(first)
                for other in others:
                    connection.recv(4_096)
                    connection.sendall(other)

        speaking = threading.Thread(target=speak)
        speaking.start()
        yield MysqlDatabase.at(
            "Matomo", f"mysql://reader:{PASSWORD}@127.0.0.1:{server.getsockname()[1]}/matomo"
        )
        speaking.join()


def packet(number, content):
    return len(content).to_bytes(3, "little") + bytes([number]) + content


def greeting(*, capabilities):
    return packet(
        0,
        b"\x0a8.0.36\0\1\0\0\0"
        + b"a" * 8
        + b"\0"
        + capabilities.to_bytes(2, "little")
        + b"\xff\2\0\xff\xc1\x15"
        b"\0\0\0\0\0\0\0\0\0\0" + b"b" * 12 + b"\0mysql_native_password\0",
    )


ENCRYPTED, PLAIN = 0xFFFF, 0xF7FF
FINE = b"\0\0\0\2\0\0\0"
# The answers to the password and to four statements that prepare the connection, which precede that to the first one.
CONNECTED = (greeting(capabilities=PLAIN), packet(2, FINE), *[packet(1, FINE)] * 4)


@pytest.mark.parametrize(
    "packets",
    [
        [b""],
        [b"HTTP/1.1 400 Bad Request\r\n\r\n"],
        [b"\0"],
        [b"\xff" * 100],
        [b"\x05\0\0\0\x0a8.0\0\0"],
        [b"\x14\0\0\0\x0a8.0\0" + b"\1" * 15],
        [b"\x04\0\0\0\x0a\xff\xff\0"],
        # No rows, a column that is cut off, and an answer that ends in the middle.
        [*CONNECTED, packet(1, FINE)],
        [*CONNECTED, packet(1, b"\1") + packet(2, b"\3def\x50")],
        [*CONNECTED, packet(1, b"\1")[:-1]],
    ],
)
def test_a_server_of_another_kind_is_refused_in_one_line(packets):
    with (
        server_of(*packets) as database,
        pytest.raises(
            UnreadableSource,
            match=r"^Matomo's database matomo at 127.0.0.1 cannot be read: (the conn|its answer)",
        ) as refusal,
        database.session() as session,
    ):
        session.fetch("matomo/until")

    assert PASSWORD not in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_server_that_does_not_answer_in_time_is_told_from_one_that_is_lost():
    with (
        server_of(*CONNECTED[:3], b"", b"") as database,
        pytest.raises(UnreadableSource, match="cannot be read: no answer came in time"),
        evolve(database, wait_seconds=0.1).session(),
    ):
        pass


def test_a_server_whose_encryption_fails_can_be_read_without_it():
    with (
        server_of(greeting(capabilities=ENCRYPTED), b"\x15\3\1\0\2\2\x46") as database,
        pytest.raises(
            UnreadableSource, match=r"cannot be read: its encryption .*; ssl_disabled=true connects"
        ),
        database.session(),
    ):
        pass

    plain = connection_of("mysql://reader@db.example/matomo?ssl_disabled=true")
    assert plain["ssl_disabled"] is True


def test_a_sign_in_that_the_driver_does_not_have_is_named():
    with (
        server_of(greeting(capabilities=PLAIN), packet(2, b"\xfeauth_gssapi_client\0")) as database,
        pytest.raises(UnreadableSource, match="its user signs in by a method that PyMySQL does not have"),
        database.session(),
    ):
        pass
