"""Tables for people: what visitors sent is shown without control characters."""

from footfall.entrypoints.cli.output import emit_table


def test_control_characters_of_a_cell_are_escaped(capsys):
    emit_table([{"path": "/caf\u00e9 \x1b[2J\n\u202e"}], as_json=False)

    assert capsys.readouterr().out == "path\n/caf\u00e9 \\u001b[2J\\n\\u202e\n"
