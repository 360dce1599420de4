"""Connections, migrations, locks and checks of the database."""
