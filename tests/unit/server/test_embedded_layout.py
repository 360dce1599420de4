from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.embedded.layout import StoreLayout


def test_the_socket_is_below_the_data_directory_where_its_path_is_short():
    layout = StoreLayout(Path("/var/lib/footfall"))

    directory = layout.socket_directory

    assert directory == Path("/var/lib/footfall/postgres/socket")


def test_the_socket_of_a_long_data_directory_has_a_short_path_that_is_always_the_same():
    long = Path("/srv") / ("d" * 120)

    directory = StoreLayout(long).socket_directory

    assert len(str(directory)) < 60
    assert directory == StoreLayout(long).socket_directory
    assert directory != StoreLayout(long / "other").socket_directory


def test_a_comma_in_the_path_does_not_make_two_sockets_of_one():
    directory = StoreLayout(Path("/srv/a,b")).socket_directory

    assert "," not in str(directory)


def test_the_url_keeps_every_character_of_the_path_and_holds_no_secret():
    layout = StoreLayout(Path("/srv/übung & co/50%"))

    parameters = conninfo_to_dict(layout.url())

    assert parameters == {
        "host": "/srv/übung & co/50%/postgres/socket",
        "port": "5432",
        "dbname": "footfall",
        "user": "footfall",
    }
