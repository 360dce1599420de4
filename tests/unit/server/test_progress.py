"""Long work says that it goes on."""

from footfall.entrypoints.cli.progress import LINE_SECONDS, progress


def test_off_a_terminal_nothing_is_said_for_short_work(capsys):
    with progress("working", 10) as advance:
        advance(10)

    assert capsys.readouterr() == ("", "")


def test_off_a_terminal_a_line_comes_now_and_then(capsys):
    clock = [0.0]
    with progress("working", 200, lambda: clock[0]) as advance:
        clock[0] += LINE_SECONDS
        advance(50)
        advance(50)

    assert capsys.readouterr() == ("", "working: 25 %\n")


def test_work_that_has_grown_since_it_was_measured_ends_at_100_percent(capsys):
    clock = [0.0]
    with progress("working", 200, lambda: clock[0]) as advance:
        clock[0] += LINE_SECONDS
        advance(300)

    assert capsys.readouterr() == ("", "working: 100 %\n")
