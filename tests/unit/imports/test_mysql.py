"""URLs of MySQL and MariaDB, and servers that do not answer as such: refused without the password."""

import socket
import sys
import threading

import pytest

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
        pytest.raises(UnreadableSource, match=r'pip install "footfall\[matomo\]"'),
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


@pytest.mark.parametrize(
    "greeting",
    [
        b"",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\0",
        b"\xff" * 100,
        b"\x05\0\0\0\x0a8.0\0\0",
        b"\x14\0\0\0\x0a8.0\0" + b"\1" * 15,
        b"\x04\0\0\0\x0a\xff\xff\0",
    ],
)
def test_a_server_of_another_kind_is_refused_in_one_line(greeting):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet():
            connection, _ = server.accept()
            with connection:
                connection.sendall(greeting)

        answering = threading.Thread(target=greet)
        answering.start()
        port = server.getsockname()[1]
        database = MysqlDatabase.at("Matomo", f"mysql://reader:{PASSWORD}@127.0.0.1:{port}/matomo")

        with (
            pytest.raises(
                UnreadableSource,
                match=r"^Matomo's database matomo at 127.0.0.1 cannot be read: (the conn|its answer)",
            ) as refusal,
            database.session(),
        ):
            pass
        answering.join()

    assert PASSWORD not in str(refusal.value)
    assert "\n" not in str(refusal.value)
